# Graphs read and edited as a backend of the user's does.
import operator
import torch
from torch import fx

g = fx.Graph()
x, y = g.placeholder("x"), g.placeholder("y")
s = g.call_function(torch.sin, (x,))
a = g.call_function(operator.add, (s, y))
m = g.call_method("relu", (a,))
g.output((m, a))
gm = fx.GraphModule(torch.nn.Module(), g)
print(g)
print(gm.code.strip())
print(gm(torch.tensor([0.0]), torch.tensor([-1.0])))
print([n.op for n in g.nodes], [n.name for n in reversed(g.nodes)], len(g.nodes))
print({n.name: [u.name for u in n.users] for n in g.nodes})
with g.inserting_before(m):
    c = g.call_function(torch.cos, (a,))
a.replace_all_uses_with(c)
c.args = (a,)
g.lint()
gm.recompile()
print(gm.code.strip())
print(gm(torch.tensor([0.0]), torch.tensor([0.0])))
with g.inserting_after(x):
    g.call_function(torch.neg, (x,))
print([n.name for n in g.nodes])
print(g.eliminate_dead_code(), [n.name for n in g.nodes])
try:
    g.erase_node(s)
except RuntimeError as e:
    print(str(e).split(":")[0])
for node in g.nodes:
    if node.op == "call_method":
        node.replace_all_uses_with(node.args[0])
        g.erase_node(node)
gm.recompile()
print(gm.code.strip())

# expect: graph():
# expect:     %x : [num_users=1] = placeholder[target=x]
# expect:     %y : [num_users=1] = placeholder[target=y]
# expect:     %sin : [num_users=1] = call_function[target=torch.sin](args = (%x,), kwargs = {})
# expect:     %add : [num_users=2] = call_function[target=operator.add](args = (%sin, %y), kwargs = {})
# expect:     %relu : [num_users=1] = call_method[target=relu](args = (%add,), kwargs = {})
# expect:     return (relu, add)
# expect: def forward(self, x, y):
# expect:     sin = torch.sin(x);  x = None
# expect:     add = sin + y;  sin = y = None
# expect:     relu = add.relu()
# expect:     return (relu, add)
# expect: (tensor([0.]), tensor([-1.]))
# expect: ['placeholder', 'placeholder', 'call_function', 'call_function', 'call_method', 'output'] ['output', 'relu', 'add', 'sin', 'y', 'x'] 6
# expect: {'x': ['sin'], 'y': ['add'], 'sin': ['add'], 'add': ['relu', 'output'], 'relu': ['output'], 'output': []}
# expect: def forward(self, x, y):
# expect:     sin = torch.sin(x);  x = None
# expect:     add = sin + y;  sin = y = None
# expect:     cos = torch.cos(add);  add = None
# expect:     relu = cos.relu()
# expect:     return (relu, cos)
# expect: (tensor([1.]), tensor([1.]))
# expect: ['x', 'neg', 'y', 'sin', 'add', 'cos', 'relu', 'output']
# expect: True ['x', 'y', 'sin', 'add', 'cos', 'relu', 'output']
# expect: Tried to erase Node sin but it still had 1 users in the graph
# expect: def forward(self, x, y):
# expect:     sin = torch.sin(x);  x = None
# expect:     add = sin + y;  sin = y = None
# expect:     cos = torch.cos(add);  add = None
# expect:     return (cos, cos)
