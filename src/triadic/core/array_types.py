"""Names of the types of arrays, for annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]
IntegerArray = NDArray[np.integer[Any]]
ObjectArray = NDArray[np.object_]
Uint8Array = NDArray[np.uint8]
Uint16Array = NDArray[np.uint16]
Uint32Array = NDArray[np.uint32]
Uint64Array = NDArray[np.uint64]
UnsignedArray = NDArray[np.unsignedinteger[Any]]
Ids = IntegerArray
