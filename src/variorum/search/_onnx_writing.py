"""ONNX graphs written without the ``onnx`` package: a node list and weights as the bytes of a model file.

Only what a transformer needs of the format (protocol buffers, https://onnx.ai/onnx/repo-docs/IR.html): nodes with integer and
float attributes, float32 and int64 initializers, named inputs and outputs. The field numbers below are those of ``onnx.proto``.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IR_VERSION: Final = 9
OPSET: Final = 20
"""The first with ``Gelu``; onnxruntime reads it since 1.17."""

FLOAT: Final = 1
INT64: Final = 7
_VARINT, _BYTES, _FLOAT32 = 0, 2, 5  # wire types
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT, _ATTRIBUTE_INTS = 1, 2, 7  # AttributeProto.AttributeType
_MORE: Final = 0x80


@dataclass(slots=True)
class GraphWriter:
    """A graph under construction: every `node` gives the name of its result, every `constant` that of its value."""

    name: str
    _parts: list[bytes] = field(default_factory=list)
    _initializers: list[bytes] = field(default_factory=list)
    _count: int = 0

    def node(self, kind: str, *inputs: str, **attributes: float | int | Sequence[int]) -> str:
        """Return the name of the result of a new node of this kind over the named inputs."""
        self._count += 1
        name = f"{kind.lower()}_{self._count}"
        parts = [_text(1, value) for value in inputs] + [_text(2, name), _text(3, name), _text(4, kind)]
        parts += [_part(5, _attribute(key, value)) for key, value in sorted(attributes.items())]
        self._parts.append(b"".join(parts))
        return name

    def constant(self, values: NDArray[np.float32] | NDArray[np.int64]) -> str:
        """Return the name under which the values (float32 or int64) are part of the model."""
        self._count += 1
        name = f"constant_{self._count}"
        kind = FLOAT if values.dtype.kind == "f" else INT64
        dims = b"".join(_number(1, size) for size in values.shape)
        self._initializers.append(dims + _number(2, kind) + _text(8, name) + _part(9, values.tobytes()))
        return name

    def rename(self, name: str, wanted: str) -> None:
        """Return None; the value is also known under the wanted name, for the outputs."""
        self._parts.append(_text(1, name) + _text(2, wanted) + _text(4, "Identity"))

    def model(self, inputs: Mapping[str, Sequence[str | int]], outputs: Mapping[str, Sequence[str | int]]) -> bytes:
        """Return the bytes of a model file; inputs are int64, outputs float32, of these shapes (a name is any size)."""
        graph = [_part(1, part) for part in self._parts] + [_text(2, self.name)]
        graph += [_part(5, part) for part in self._initializers]
        graph += [_part(11, _value(name, INT64, shape)) for name, shape in inputs.items()]
        graph += [_part(12, _value(name, FLOAT, shape)) for name, shape in outputs.items()]
        opset = _text(1, "") + _number(2, OPSET)
        return _number(1, IR_VERSION) + _part(7, b"".join(graph)) + _part(8, opset)


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    dims = b"".join(_part(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in shape)
    tensor = _number(1, kind) + _part(2, dims)
    return _text(1, name) + _part(2, _part(1, tensor))


def _attribute(name: str, value: Any) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, _ATTRIBUTE_INT)
    if isinstance(value, float):
        return _text(1, name) + _key(2, _FLOAT32) + struct.pack("<f", value) + _number(20, _ATTRIBUTE_FLOAT)
    return _text(1, name) + b"".join(_number(8, each) for each in value) + _number(20, _ATTRIBUTE_INTS)


def _key(field_number: int, wire: int) -> bytes:
    return _varint(field_number << 3 | wire)


def _number(field_number: int, value: int) -> bytes:
    return _key(field_number, _VARINT) + _varint(value & 0xFFFFFFFFFFFFFFFF)


def _text(field_number: int, value: str) -> bytes:
    return _part(field_number, value.encode())


def _part(field_number: int, value: bytes) -> bytes:
    return _key(field_number, _BYTES) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= _MORE:
        out.append(value & 0x7F | _MORE)
        value >>= 7
    out.append(value)
    return bytes(out)
