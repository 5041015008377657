"""What this `torch` is: PyTorch 2.11's behaviour, Strata's engine."""
__version__ = "2.11.0+strata"
cuda = None
git_version = None
hip = None
