"""What a compiled function changes outside itself is changed, once and in order."""
import torch

log, counts = [], {"calls": 0}
total = 0


class State:
    def __init__(self):
        self.steps = 0
        self.last = None


@torch.compile
def record(x, state):
    log.append(x.sum())
    counts["calls"] = counts["calls"] + 1
    state.steps += 1
    state.last = x * 2
    return x + 1


@torch.compile
def talkative(x):
    y = x * 2
    print("between", y.shape)
    z = y + 1
    print("after")
    return z * y


@torch.compile
def writes(x, out):
    out.append(x)
    x.mul_(2)
    return out


state = State()
x = torch.ones(3)
for i in range(3):
    print(record(x * i, state), state.steps, state.last, counts, len(log))
print(log)
print(talkative(x), talkative(x * 3))
kept = []
y = torch.arange(3.0)
print(writes(y, kept) is kept, y, kept[0] is y)
