"""Scanning JSON Lines: finds the wanted fields of plain objects, and gives up on anything unusual.

Whatever this accepts is valid JSON. It gives up (and a slower reader takes over) on a syntax error, a
wanted field that occurs twice, is nested or is not a scalar, escapes in names, half surrogate pairs,
and deep nesting.
"""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.vectors import WIDE, copy_wide, plain_string

MISSING, STRING, ESCAPED, INTEGER, OTHER = range(5)  # kinds of value; ESCAPED is a string as well
DEEPEST = 64

_QUOTE, _BACKSLASH, _SPACE = np.uint8(34), np.uint8(92), np.uint8(32)
_LETTER_N, _LINE_FEED = np.uint8(ord("n")), np.uint8(ord("\n"))
_ONE, _WIDE = np.uint64(1), np.uint64(WIDE)
_ESCAPES = np.zeros(256, np.uint8)
for _name, _value in zip(b'"\\/bfnrt', b'"\\/\b\f\n\r\t', strict=True):
    _ESCAPES[_name] = _value
_HEX = np.full(256, 255, np.uint8)
for _digit in b"0123456789abcdefABCDEF":
    _HEX[_digit] = int(chr(_digit), 16)
_GAP = np.zeros(256, np.bool_)
_GAP[[ord(" "), ord("\t"), ord("\r")]] = True
_DIGIT = np.zeros(256, np.bool_)
_DIGIT[ord("0") : ord("9") + 1] = True


@kernel(inline="always")
def skip_gap(data, i, end):  # type: ignore[no-untyped-def]
    """Return the place of the next byte that is not white space inside a line."""
    while i < end and _GAP[data[i]]:
        i += 1
    return i


@kernel
def hex_of(data, i, end):  # type: ignore[no-untyped-def]
    """Return the value of four hexadecimal digits, or -1."""
    if i + 4 > end:
        return -1
    value = np.int64(0)
    for k in range(i, i + 4):
        digit = np.int64(_HEX[data[k]])
        if digit > 15:
            return -1
        value = value * 16 + digit
    return value


@kernel
def skip_string(data, i, end):  # type: ignore[no-untyped-def]
    """Return the place of the closing quote, or -1, and whether there are escapes."""
    escaped = False
    while i < end:
        if i + WIDE <= end:
            i += np.int64(plain_string(data, np.uint64(i)))
            if i == end:
                break
        if data[i] == _QUOTE:
            return i, escaped
        if data[i] < _SPACE:
            return -1, escaped
        if data[i] == _BACKSLASH:
            escaped = True
            i += 1
            if i < end and data[i] == ord("u"):
                if hex_of(data, i + 1, end) < 0:
                    return -1, escaped
                i += 4
            elif i >= end or not _ESCAPES[data[i]]:
                return -1, escaped
        i += 1
    return -1, escaped


@kernel
def write_code(code, out, o):  # type: ignore[no-untyped-def]
    """Write a code point as UTF-8; return where it ends."""
    if code < 0x80:
        out[o] = code
        return o + 1
    if code < 0x800:
        out[o], out[o + 1] = 0xC0 | code >> 6, 0x80 | code & 63
        return o + 2
    if code < 0x10000:
        out[o], out[o + 1], out[o + 2] = 0xE0 | code >> 12, 0x80 | code >> 6 & 63, 0x80 | code & 63
        return o + 3
    out[o], out[o + 1] = 0xF0 | code >> 18, 0x80 | code >> 12 & 63
    out[o + 2], out[o + 3] = 0x80 | code >> 6 & 63, 0x80 | code & 63
    return o + 4


@kernel
def unescape(data, i, end, out, o):  # type: ignore[no-untyped-def]
    """Write one escape that begins after the backslash; return both places, or -1 for a bad one."""
    if i >= end:
        return -1, o
    if data[i] != ord("u"):
        out[o] = _ESCAPES[data[i]]
        return (i + 1, o + 1) if out[o] else (-1, o)
    code = hex_of(data, i + 1, end)
    i += 5
    if 0xD800 <= code < 0xDC00 and i + 1 < end and data[i] == ord("\\") and data[i + 1] == ord("u"):
        low = hex_of(data, i + 2, end)
        if 0xDC00 <= low < 0xE000:
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            i += 6
    if code < 0 or 0xD800 <= code < 0xE000:
        return -1, o
    return i, write_code(code, out, o)


@kernel
def copy_string(data, i, end, out, o):  # type: ignore[no-untyped-def]
    """Write a string without its escapes; return the place of the closing quote, or -1, and o.

    `out` needs room for 64 bytes more than the string has: as many are copied at once. Places are
    unsigned, which spares the check for negative indices.
    """
    at, to, last = np.uint64(i), np.uint64(o), np.uint64(end)
    while at < last:
        if at + _WIDE <= last:
            copy_wide(data, at, out, to)
            plain = plain_string(data, at)
            at += plain
            to += plain
            if plain == _WIDE:
                continue
        byte = data[at]
        if byte != _QUOTE and byte != _BACKSLASH and byte >= _SPACE:
            out[to] = byte
            at += _ONE
            to += _ONE
            continue
        if byte != _BACKSLASH:
            break
        if at + _ONE < last and data[at + _ONE] == _LETTER_N:
            out[to] = _LINE_FEED  # by far the most frequent escape
            at += _ONE + _ONE
            to += _ONE
            continue
        i, o = unescape(data, np.int64(at) + 1, end, out, np.int64(to))
        if i < 0:
            return -1, o
        at, to = np.uint64(i), np.uint64(o)
    closed = at < last and data[at] == _QUOTE
    return (np.int64(at) if closed else -1), np.int64(to)


@kernel
def skip_digits(data, i, end):  # type: ignore[no-untyped-def]
    """Return where a run of digits ends, or -1 if there is none."""
    begin = i
    while i < end and _DIGIT[data[i]]:
        i += 1
    return i if i > begin else -1


@kernel
def skip_number(data, i, end):  # type: ignore[no-untyped-def]
    """Return where a number ends, or -1, and its kind."""
    if data[i] == ord("-"):
        i += 1
    if i < end and data[i] == ord("0"):
        i += 1
    else:
        i = skip_digits(data, i, end)
    kind = INTEGER
    if 0 <= i < end and data[i] == ord("."):
        i = skip_digits(data, i + 1, end)
        kind = OTHER
    if 0 <= i < end and (data[i] == ord("e") or data[i] == ord("E")):
        i += 1
        if i < end and (data[i] == ord("+") or data[i] == ord("-")):
            i += 1
        i = skip_digits(data, i, end)
        kind = OTHER
    return i, kind


@kernel
def skip_word(data, i, end, word):  # type: ignore[no-untyped-def]
    """Return where a literal ends, or -1 if it is another one."""
    if i + len(word) > end:
        return -1
    for k in range(len(word)):
        if data[i + k] != word[k]:
            return -1
    return i + len(word)


_TRUE, _FALSE, _NULL = (np.frombuffer(word, np.uint8) for word in (b"true", b"false", b"null"))


@kernel
def skip_scalar(data, i, end):  # type: ignore[no-untyped-def]
    """Return where a value that is not an object or array ends, or -1, and its kind."""
    first = data[i]
    if first == ord('"'):
        close, escaped = skip_string(data, i + 1, end)
        return (close + 1 if close >= 0 else -1), (ESCAPED if escaped else STRING)
    if first == ord("t"):
        return skip_word(data, i, end, _TRUE), OTHER
    if first == ord("f"):
        return skip_word(data, i, end, _FALSE), OTHER
    if first == ord("n"):
        return skip_word(data, i, end, _NULL), MISSING
    return skip_number(data, i, end)


@kernel
def skip_nested(data, i, end):  # type: ignore[no-untyped-def]
    """Return where the object or array that begins at i ends, or -1."""
    objects = np.empty(DEEPEST, np.bool_)
    depth = 0
    while True:
        # a value begins at i
        i = skip_gap(data, i, end)
        if i >= end:
            return -1
        opened = data[i] == ord("{") or data[i] == ord("[")
        if opened:
            if depth == DEEPEST:
                return -1
            objects[depth] = data[i] == ord("{")
            depth += 1
            i = skip_gap(data, i + 1, end)
        else:
            i, _ = skip_scalar(data, i, end)
            if i < 0:
                return -1
            i = skip_gap(data, i, end)
        # close what ends here, then go on behind a comma
        while i < end and data[i] == (ord("}") if objects[depth - 1] else ord("]")):
            depth -= 1
            i = skip_gap(data, i + 1, end) if depth else i + 1
            opened = False
            if not depth:
                return i
        if i >= end:
            return -1
        if not opened:
            if data[i] != ord(","):
                return -1
            i = skip_gap(data, i + 1, end)
        if objects[depth - 1]:
            i = skip_name(data, i, end)
            if i < 0:
                return -1


@kernel
def skip_name(data, i, end):  # type: ignore[no-untyped-def]
    """Return the place behind a field's name and its colon, or -1."""
    if i >= end or data[i] != ord('"'):
        return -1
    close, _ = skip_string(data, i + 1, end)
    if close < 0:
        return -1
    i = skip_gap(data, close + 1, end)
    return i + 1 if i < end and data[i] == ord(":") else -1


@kernel
def wanted_name(data, begin, end, names, bounds):  # type: ignore[no-untyped-def]
    """Return the number of the wanted field of this name, or -1."""
    for k in range(len(bounds) - 1):
        if bounds[k + 1] - bounds[k] == end - begin:
            same = True
            for n in range(end - begin):
                if data[begin + n] != names[bounds[k] + n]:
                    same = False
                    break
            if same:
                return k
    return -1


@kernel
def scan_object(data, i, end, names, bounds, spans, kinds, text, o):  # type: ignore[no-untyped-def]
    """Scan one line; return the place behind its object, or -1, and the end of the text so far.

    The string of the first wanted field is written to `text`; of the others, `spans` gets the places.
    """
    kinds[:] = MISSING
    i = skip_gap(data, i + 1, end)
    if i < end and data[i] == ord("}"):
        return i + 1, o
    while i < end and data[i] == ord('"'):
        close, escaped = skip_string(data, i + 1, end)
        if close < 0 or escaped:
            return -1, o
        field = wanted_name(data, i + 1, close, names, bounds)
        i = skip_gap(data, close + 1, end)
        if i >= end or data[i] != ord(":"):
            return -1, o
        i = skip_gap(data, i + 1, end)
        if i >= end or (field >= 0 and kinds[field] != MISSING):
            return -1, o
        if data[i] == ord("{") or data[i] == ord("["):
            if field >= 0:
                return -1, o
            i = skip_nested(data, i, end)
        elif field == 0 and data[i] == ord('"'):
            i, o = copy_string(data, i + 1, end, text, o)
            if i < 0:
                return -1, o
            kinds[0] = STRING
            i += 1
        else:
            begin = i
            i, kind = skip_scalar(data, i, end)
            if field >= 0:
                quoted = kind in (STRING, ESCAPED)
                spans[field, 0], spans[field, 1] = (begin + 1, i - 1) if quoted else (begin, i)
                kinds[field] = kind
        if i < 0:
            return -1, o
        i = skip_gap(data, i, end)
        if i < end and data[i] == ord("}"):
            return i + 1, o
        if i >= end or data[i] != ord(","):
            return -1, o
        i = skip_gap(data, i + 1, end)
    return -1, o


@kernel
def count_lines(data):  # type: ignore[no-untyped-def]
    """Return the number of line feeds."""
    count = 0
    for i in range(len(data)):
        count += data[i] == _LINE_FEED
    return count


@kernel
def scan_lines(data, names, bounds, spans, kinds, text, offsets):  # type: ignore[no-untyped-def]
    """Scan a block of lines; return the number of records, or -1 if something is unusual.

    The wanted fields are names[bounds[k]:bounds[k + 1]]. Fills spans[record, field, 0 or 1],
    kinds[record, field], and the strings of field 0 end to end with their offsets.
    """
    end = len(data)
    i = o = np.int64(0)  # a literal 0 would have everything compiled twice
    records = 0
    offsets[0] = 0
    while i < end:
        i = skip_gap(data, i, end)
        if i < end and data[i] != ord("\n"):
            if data[i] != ord("{"):
                return -1
            i, o = scan_object(data, i, end, names, bounds, spans[records], kinds[records], text, o)
            if i < 0:
                return -1
            i = skip_gap(data, i, end)
            records += 1
            offsets[records] = o
        if i < end:
            if data[i] != ord("\n"):
                return -1
            i += 1
    return records


@kernel
def collect(data, spans, kinds):  # type: ignore[no-untyped-def]
    """Return the values of one field end to end without escapes, and offsets; none if one is bad."""
    room = 0
    for r in range(len(kinds)):
        room += spans[r, 1] - spans[r, 0] if kinds[r] != MISSING else 0
    out = np.empty(room + WIDE, np.uint8)
    offsets = np.zeros(len(kinds) + 1, np.int64)
    o = 0
    for r in range(len(kinds)):
        if kinds[r] == ESCAPED:
            i, o = copy_string(data, spans[r, 0], len(data), out, o)
            if i < 0:
                return out, offsets[:0]
        elif kinds[r] != MISSING:
            for i in range(spans[r, 0], spans[r, 1]):
                out[o] = data[i]
                o += 1
        offsets[r + 1] = o
    return out, offsets
