"""What the arrays of numbers are called that columns are made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
