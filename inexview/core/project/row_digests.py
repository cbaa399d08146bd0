"""What a row's digest covers: all of the row, and the digest of the row before it.

A digest is BLAKE2b over 16 bytes: of the digest before (16 zero bytes for the first row) and, as UTF-8, of
the row's nine values joined by U+001F, where U+001E stands for NULL.  A flipped bit, a missing row and a row
that was put in are then found by reading the journal once; each row can also be checked by itself.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

SIZE = 16
START = bytes(SIZE)
_NULL = "\x1e"


def row_digest(before: bytes, row: tuple[Any, ...]) -> bytes:
    """Return the digest of a row, given that of the row before; raises UnicodeEncodeError."""
    seq, id, time, assessor, topic, document, action, step, content = row
    said = "\x1f".join(
        (
            str(seq), id, time, assessor, _NULL if topic is None else topic,
            _NULL if document is None else document, action, _NULL if step is None else step, content,
        )
    )  # fmt: skip
    return blake2b(before + said.encode(), digest_size=SIZE).digest()
