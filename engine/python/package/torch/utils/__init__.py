from torch.utils import data, hooks
