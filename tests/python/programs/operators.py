# Operators, reflected and in place, with tensors and numbers.
import torch

a, b = torch.tensor([1.0, -2.0, 3.5]), torch.tensor([2.0, 4.0, -0.5])
print(a + b, a - b, a * b, a / b, a // b, a % b, a**2, -a, +a, abs(a))
print(1 + a, 1 - a, 2 * a, 1 / a, 2**b, 7 // b)
print(a < b, a <= 1, a > b, a >= -2.0, a == b, a != 1.0)
i, j = torch.tensor([7, -7, 6]), torch.tensor([2, 2, -4])
print(i + j, i - 1, i * j, i / j, i // j, i % j, i**2, -i, ~i)
print(i & 3, i | j, i ^ j, i == 7, 10 - i, 3 & i)
m = torch.tensor([True, False])
print(m & torch.tensor([True, True]), m | False, m ^ True, ~m, m == False, m + m, m + 1)
c = a.clone()
d = c
c += 1
c *= 2
c -= b
c /= 4
print(c, c is d)
k = i.clone()
k //= 2
k %= 3
print(k)
n = torch.tensor([1, 2])
n += 1
print(n, bool(torch.tensor(0)), int(torch.tensor(3.9)), float(torch.tensor([[2]])), [0, 1, 2][torch.tensor(2)])
print(torch.tensor([[1.0, 2.0], [3.0, 4.0]]) @ torch.tensor([[1.0], [1.0]]), torch.tensor([1.0, 2.0]) @ torch.tensor([3.0, 4.0]))
for bad in ("a + 'x'", "'x' + a", "a @ 2", "a < None", "n.__iadd__(0.5)", "bool(a)", "bool(torch.zeros(0))", "float(a)", "a + torch.ones(2)", "~a"):
    try:
        print(bad, eval(bad))
    except Exception as e:
        print(bad, type(e).__name__, e)
print(a == None, a != None, a == "x", a in [a], hash(a) == id(a), a.__add__("x"))

# expect: tensor([3., 2., 3.]) tensor([-1., -6.,  4.]) tensor([ 2.0000, -8.0000, -1.7500]) tensor([ 0.5000, -0.5000, -7.0000]) tensor([ 0., -1., -7.]) tensor([1., 2., 0.]) tensor([ 1.0000,  4.0000, 12.2500]) tensor([-1.0000,  2.0000, -3.5000]) tensor([ 1.0000, -2.0000,  3.5000]) tensor([1.0000, 2.0000, 3.5000])
# expect: tensor([ 2.0000, -1.0000,  4.5000]) tensor([ 0.0000,  3.0000, -2.5000]) tensor([ 2., -4.,  7.]) tensor([ 1.0000, -0.5000,  0.2857]) tensor([ 4.0000, 16.0000,  0.7071]) tensor([  3.,   1., -14.])
# expect: tensor([ True,  True, False]) tensor([ True,  True, False]) tensor([False, False,  True]) tensor([True, True, True]) tensor([False, False, False]) tensor([False,  True,  True])
# expect: tensor([ 9, -5,  2]) tensor([ 6, -8,  5]) tensor([ 14, -14, -24]) tensor([ 3.5000, -3.5000, -1.5000]) tensor([ 3, -4, -2]) tensor([ 1,  1, -2]) tensor([49, 49, 36]) tensor([-7,  7, -6]) tensor([-8,  6, -7])
# expect: tensor([3, 1, 2]) tensor([ 7, -5, -2]) tensor([ 5, -5, -6]) tensor([ True, False, False]) tensor([ 3, 17,  4]) tensor([3, 1, 2])
# expect: tensor([ True, False]) tensor([ True, False]) tensor([False,  True]) tensor([False,  True]) tensor([False,  True]) tensor([ True, False]) tensor([2, 1])
# expect: tensor([ 0.5000, -1.5000,  2.3750]) True
# expect: tensor([0, 2, 0])
# expect: tensor([2, 3]) False 3 2.0 2
# expect: tensor([[3.],
# expect:         [7.]]) tensor(11.)
# expect: a + 'x' TypeError unsupported operand type(s) for +: 'Tensor' and 'str'
# expect: 'x' + a TypeError can only concatenate str (not "Tensor") to str
# expect: a @ 2 TypeError unsupported operand type(s) for @: 'Tensor' and 'int'
# expect: a < None TypeError '<' not supported between instances of 'Tensor' and 'NoneType'
# expect: n.__iadd__(0.5) RuntimeError result type Float can't be cast to the desired output type Long
# expect: bool(a) RuntimeError Boolean value of Tensor with more than one value is ambiguous
# expect: bool(torch.zeros(0)) RuntimeError Boolean value of Tensor with no values is ambiguous
# expect: float(a) ValueError only one element tensors can be converted to Python scalars
# expect: a + torch.ones(2) RuntimeError The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0
# expect: ~a TypeError ~ (operator.invert) is only implemented on integer and Boolean-type tensors
# expect: False True False True True NotImplemented
