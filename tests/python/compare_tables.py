"""Compares two Arrow tables as multisets of rows: values exactly, representation not."""

import datetime
import decimal
import math

import pyarrow as pa

import variant


def is_list(kind):
    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list_view(kind)


def is_variant(kind):
    return pa.types.is_struct(kind) and {field.name for field in kind} == {"value", "metadata"}


def plain(value, kind, wanted):
    """A Python value that compares equal exactly when two engines mean the same. `wanted` is the type
    on the expected side: binary variants there are JSON text on ours."""
    if value is None:
        return None
    if is_variant(wanted):
        return repr(variant.from_binary(value) if is_variant(kind) else variant.from_text(value))
    if pa.types.is_struct(kind) and pa.types.is_struct(wanted):
        return tuple((field.name, plain(value.get(field.name), field.type, _child(wanted, field))) for field in kind)
    if pa.types.is_map(kind) and pa.types.is_map(wanted):
        pairs = [(plain(k, kind.key_type, wanted.key_type), plain(v, kind.item_type, wanted.item_type)) for k, v in value]
        return tuple(sorted(pairs, key=repr))
    if is_list(kind) and is_list(wanted):
        return tuple(plain(item, kind.value_type, wanted.value_type) for item in value)
    if pa.types.is_floating(kind):
        if math.isnan(value):
            return "NaN"
        return float(value)
    if isinstance(value, decimal.Decimal):
        return value.normalize() if value else decimal.Decimal(0)
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc) if value.tzinfo else value
    if isinstance(value, bytes):
        return bytes(value)
    return value


def _child(wanted, field):
    index = wanted.get_field_index(field.name)
    return wanted.field(index).type if index >= 0 else field.type


def column_values(column, wanted):
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_timestamp(kind):
        # As integers: Python's datetimes end with the year 9999 and know no nanoseconds.
        unit = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[kind.unit]
        return [None if v is None else ("ts", v * unit) for v in column.cast(pa.int64()).to_pylist()]
    return [plain(value, kind, wanted) for value in column.to_pylist()]


def rows_of(table, wanted):
    columns = [column_values(table.column(field.name), field.type) for field in wanted]
    return sorted(zip(*columns, strict=True), key=repr)


def difference(expected, got):
    """None when both hold the same rows under the same column names, else the first difference."""
    wanted, have = list(expected.column_names), list(got.column_names)
    if wanted != have:
        return f"columns: expected {wanted}, got {have}"
    if expected.num_rows != got.num_rows:
        return f"rows: expected {expected.num_rows}, got {got.num_rows}"
    if not wanted:
        return None
    for left, right in zip(rows_of(expected, expected.schema), rows_of(got, expected.schema), strict=True):
        if left != right:
            return f"row: expected {left}, got {right}"
    return None
