from torch.optim import lr_scheduler
from torch.optim.adam import Adam, AdamW
from torch.optim.optimizer import Optimizer
from torch.optim.sgd import SGD
