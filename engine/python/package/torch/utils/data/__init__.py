"""Datasets and the loader that batches them, in this process."""
import torch


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
    """Rows of several tensors with the same first size."""

    def __init__(self, *tensors):
        if any(t.size(0) != tensors[0].size(0) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(t[index] for t in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


def default_collate(batch):
    """Stacks tensors, makes tensors of numbers, and does so inside tuples, lists and dicts."""
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch, 0)
    if isinstance(first, (bool, int, float)):
        return torch.tensor(batch)
    if isinstance(first, dict):
        return {key: default_collate([each[key] for each in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        return [default_collate(list(column)) for column in zip(*batch)]
    return batch


class DataLoader:
    """Batches of a dataset, in order or shuffled by the default generator. Workers are not started: num_workers must be 0."""

    def __init__(self, dataset, batch_size=1, shuffle=False, num_workers=0, collate_fn=None, drop_last=False):
        if num_workers != 0:
            raise ValueError("this engine's DataLoader loads in the main process: num_workers must be 0")
        self.dataset, self.batch_size, self.shuffle, self.drop_last = dataset, batch_size, shuffle, drop_last
        self.collate_fn = collate_fn or default_collate

    def __len__(self):
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole if self.drop_last or rest == 0 else whole + 1

    def __iter__(self):
        order = torch.randperm(len(self.dataset)).tolist() if self.shuffle else list(range(len(self.dataset)))
        for number in range(len(self)):
            chosen = order[number * self.batch_size:(number + 1) * self.batch_size]
            yield self.collate_fn([self.dataset[i] for i in chosen])
