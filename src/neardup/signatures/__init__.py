"""Signatures: 64-bit values computed from a unit's text. SIGNATURES lists those that users can write."""

from neardup.signatures import imatch, spotsigs, winnowing, word_shingles

SIGNATURES = {
    notation.name: notation
    for notation in (
        word_shingles.NOTATION,
        winnowing.NOTATION,
        imatch.NOTATION,
        spotsigs.NOTATION,
    )
}
