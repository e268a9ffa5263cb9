"""Decodes Parquet's binary variants (VariantEncoding.md) into Python values, and Tarn's JSON text of
one for comparison: an independent reader for tests."""

import datetime
import decimal
import json
import struct


def _unsigned(data, at, size):
    return int.from_bytes(data[at : at + size], "little")


def _names(metadata):
    size = (metadata[0] >> 6) + 1
    count = _unsigned(metadata, 1, size)
    ends = [_unsigned(metadata, 1 + size * (1 + i), size) for i in range(count + 1)]
    base = 1 + size * (2 + count)
    return [metadata[base + a : base + b].decode() for a, b in zip(ends, ends[1:], strict=False)]


def _primitive(kind, data, at):
    number = {3: "<b", 4: "<h", 5: "<i", 6: "<q", 7: "<d", 14: "<f"}
    if kind == 0:
        return None
    if kind in (1, 2):
        return kind == 1
    if kind in number:
        return struct.unpack_from(number[kind], data, at)[0]
    if kind in (8, 9, 10):
        size = {8: 4, 9: 8, 10: 16}[kind]
        unscaled = int.from_bytes(data[at + 1 : at + 1 + size], "little", signed=True)
        return decimal.Decimal(unscaled).scaleb(-data[at])
    if kind == 11:
        return str(datetime.date(1970, 1, 1) + datetime.timedelta(days=struct.unpack_from("<i", data, at)[0]))
    if kind in (12, 13):
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=struct.unpack_from("<q", data, at)[0])
        return ("moment", moment)
    if kind in (15, 16):
        size = _unsigned(data, at, 4)
        raw = data[at + 4 : at + 4 + size]
        return raw.decode() if kind == 16 else ("binary", raw)
    raise ValueError(f"variant primitive {kind}")


def decode(metadata, data, at=0, names=None):
    names = _names(metadata) if names is None else names
    header, basic = data[at] >> 2, data[at] & 3
    if basic == 0:
        return _primitive(header, data, at + 1)
    if basic == 1:
        return data[at + 1 : at + 1 + header].decode()
    large = bool(header & (16 if basic == 2 else 4))
    offset_size = (header & 3) + 1
    id_size = (header >> 2 & 3) + 1 if basic == 2 else 0
    count_size = 4 if large else 1
    count = _unsigned(data, at + 1, count_size)
    ids_at = at + 1 + count_size
    offsets_at = ids_at + id_size * count
    values_at = offsets_at + offset_size * (count + 1)
    items = [decode(metadata, data, values_at + _unsigned(data, offsets_at + offset_size * i, offset_size), names) for i in range(count)]
    if basic == 3:
        return items
    return {names[_unsigned(data, ids_at + id_size * i, id_size)]: item for i, item in enumerate(items)}


def comparable(value):
    """The value with numbers by value and moments as text, so that JSON's poorer types compare."""
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, decimal.Decimal)):
        return decimal.Decimal(value).normalize()
    if isinstance(value, float):
        return decimal.Decimal(repr(value)).normalize()
    return str(value)


def from_binary(value):
    return None if value is None else comparable(decode(value["metadata"], value["value"]))


def from_text(text):
    return None if text is None else comparable(json.loads(text, parse_float=decimal.Decimal))
