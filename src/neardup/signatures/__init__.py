"""Signatures: 64-bit values computed from a unit's text. SIGNATURES lists those that users can write."""

from neardup import plugins
from neardup.signatures import imatch, spotsigs, winnowing, word_shingles
from neardup.signatures.signature import Notation

SIGNATURES = {
    notation.name: notation
    for notation in (word_shingles.NOTATION, winnowing.NOTATION, imatch.NOTATION, spotsigs.NOTATION)
}
for name, point in plugins.added(plugins.SIGNATURES, SIGNATURES).items():
    notation = plugins.loaded(point, Notation)
    if notation and notation.name == name:
        SIGNATURES[name] = notation
    elif notation:
        plugins.warn(point, f"its name is {notation.name!r}, not {name!r}")
