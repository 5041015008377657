from torch.nn.modules.module import Module
from torch.nn.modules.linear import Bilinear, Identity, Linear
from torch.nn.modules.activation import (ELU, GELU, GLU, Hardsigmoid, Hardswish, Hardtanh, LeakyReLU, LogSigmoid, LogSoftmax, Mish,
                                         ReLU, ReLU6, Sigmoid, SiLU, Softmax, Softmin, Softplus, Softsign, Tanh, Tanhshrink,
                                         Threshold)
from torch.nn.modules.container import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from torch.nn.modules.dropout import Dropout
from torch.nn.modules.flatten import Flatten, Unflatten
from torch.nn.modules.loss import (BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, KLDivLoss, L1Loss, MSELoss, NLLLoss,
                                   SmoothL1Loss)
from torch.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d
from torch.nn.modules.conv import Conv1d, Conv2d
from torch.nn.modules.normalization import LayerNorm, RMSNorm
from torch.nn.modules.sparse import Embedding

__all__ = ["Module", "Bilinear", "Identity", "Linear", "ELU", "GELU", "GLU", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU",
           "LogSigmoid", "LogSoftmax", "Mish", "ReLU", "ReLU6", "Sigmoid", "SiLU", "Softmax", "Softmin", "Softplus", "Softsign",
           "Tanh", "Tanhshrink", "Threshold", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential", "Dropout",
           "Flatten", "Unflatten", "BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss",
           "NLLLoss", "SmoothL1Loss", "BatchNorm1d", "BatchNorm2d", "Conv1d", "Conv2d", "LayerNorm", "RMSNorm", "Embedding"]
