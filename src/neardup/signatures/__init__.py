"""Signatures: 64-bit values computed from a unit's text."""
