# Optimizers and schedules: the same steps as PyTorch's.
import torch
import torch.nn as nn
from torch.optim import SGD, Adam, AdamW
from torch.optim.lr_scheduler import CosineAnnealingLR, ExponentialLR, LambdaLR, StepLR

def losses(make, steps=4):
    w = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    b = torch.tensor(0.5, requires_grad=True)
    opt = make([w, b])
    out = []
    for _ in range(steps):
        opt.zero_grad()
        loss = ((w * torch.tensor([1.0, 2.0, 0.5])).sum() + b - 4) ** 2
        loss.backward()
        opt.step()
        out.append(round(loss.item(), 3))
    return out, w.detach(), opt

for make in (lambda p: SGD(p, lr=0.01), lambda p: SGD(p, lr=0.01, momentum=0.9), lambda p: SGD(p, 0.01, momentum=0.9, nesterov=True), lambda p: SGD(p, 0.01, weight_decay=0.1, dampening=0.2, momentum=0.5), lambda p: SGD(p, 0.01, maximize=True),
             lambda p: Adam(p, lr=0.1), lambda p: Adam(p, lr=0.1, weight_decay=0.1, amsgrad=True), lambda p: AdamW(p, lr=0.1), lambda p: AdamW(p, lr=0.1, weight_decay=0.5, betas=(0.5, 0.9))):
    out, w, opt = losses(make)
    print(type(opt).__name__, out, w)
print(SGD([torch.ones(1, requires_grad=True)], lr=0.5))
for name, make in (("step", lambda o: StepLR(o, 2, 0.5)), ("exp", lambda o: ExponentialLR(o, 0.9)), ("cos", lambda o: CosineAnnealingLR(o, 4)), ("lambda", lambda o: LambdaLR(o, lambda e: 1 / (e + 1)))):
    opt = SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    schedule = make(opt)
    rates = []
    for _ in range(5):
        rates.append(round(opt.param_groups[0]["lr"], 6))
        opt.step()
        schedule.step()
    print(name, rates)
p = [torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True)]
opt = SGD([{"params": [p[0]]}, {"params": [p[1]], "lr": 0.1}], lr=1.0)
(p[0].sum() + p[1].sum()).backward()
opt.step()
print(p)
state = opt.state_dict()
print([g["params"] for g in state["param_groups"]], [g["lr"] for g in state["param_groups"]])
opt.load_state_dict(state)
print(opt.step(lambda: torch.tensor(3.0)))
for bad in (lambda: SGD([], lr=0.1), lambda: SGD(torch.ones(1), lr=0.1), lambda: SGD([1], lr=0.1), lambda: SGD([torch.ones(1)], lr=-1), lambda: Adam([torch.ones(1)], betas=(1.0, 0.9)), lambda: SGD([p[0] * 2]), lambda: SGD([p[0]], nesterov=True)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
x = torch.ones(3, requires_grad=True)
(x * torch.tensor([3.0, 4.0, 0.0])).sum().backward()
print(nn.utils.clip_grad_norm_([x], 1.0), x.grad)
nn.utils.clip_grad_value_([x], 0.5)
print(x.grad, nn.utils.parameters_to_vector([x, x]))

# expect: SGD [25.0, 19.141, 14.655, 11.22] tensor([ 1.3311, -1.3379,  3.1655])
# expect: SGD [25.0, 19.141, 10.664, 3.456] tensor([ 1.7423, -0.5154,  3.3711])
# expect: SGD [25.0, 14.535, 5.764, 0.978] tensor([ 1.8394, -0.3211,  3.4197])
# expect: SGD [25.0, 19.132, 13.128, 8.329] tensor([ 1.4372, -1.1046,  3.2054])
# expect: SGD [25.0, 31.641, 40.045, 50.682] tensor([ 0.5186, -2.9629,  2.7593])
# expect: Adam [25.0, 20.702, 16.823, 13.367] tensor([ 1.3966, -1.6034,  3.3966])
# expect: Adam [25.0, 20.702, 16.823, 13.368] tensor([ 1.3965, -1.6033,  3.3962])
# expect: AdamW [25.0, 20.693, 16.81, 13.355] tensor([ 1.3920, -1.5960,  3.3840])
# expect: AdamW [25.0, 20.25, 16.259, 12.958] tensor([ 1.1724, -1.2711,  2.8014])
# expect: SGD (
# expect: Parameter Group 0
# expect:     dampening: 0
# expect:     differentiable: False
# expect:     foreach: None
# expect:     fused: None
# expect:     lr: 0.5
# expect:     maximize: False
# expect:     momentum: 0
# expect:     nesterov: False
# expect:     weight_decay: 0
# expect: )
# expect: step [1.0, 1.0, 0.5, 0.5, 0.25]
# expect: exp [1.0, 0.9, 0.81, 0.729, 0.6561]
# expect: cos [1.0, 0.853553, 0.5, 0.146447, 0.0]
# expect: lambda [1.0, 0.5, 0.333333, 0.25, 0.2]
# expect: [tensor([0., 0.], requires_grad=True), tensor([0.9000], requires_grad=True)]
# expect: [[0], [1]] [1.0, 0.1]
# expect: tensor(3.)
# expect: ValueError optimizer got an empty parameter list
# expect: TypeError params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch.FloatTensor
# expect: TypeError optimizer can only optimize Tensors, but one of the params is int
# expect: ValueError Invalid learning rate: -1
# expect: ValueError Invalid beta parameter at index 0: 1.0
# expect: ValueError can't optimize a non-leaf Tensor
# expect: ValueError Nesterov momentum requires a momentum and zero dampening
# expect: tensor(5.) tensor([0.6000, 0.8000, 0.0000])
# expect: tensor([0.5000, 0.5000, 0.0000]) tensor([1., 1., 1., 1., 1., 1.], grad_fn=<CatBackward0>)
