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
