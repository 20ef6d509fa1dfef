"""Transforms of PyTorch Geometric that add exact counts to the features of nodes and edges.

They are called in the manner of `torch_geometric.transforms`: as ``transform=`` or ``pre_transform=`` of a data set, in
``Compose``, or on a ``Data`` or ``Batch``. PyTorch is imported when a transform is first named.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
