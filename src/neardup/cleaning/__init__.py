"""Removing what a run found: duplicates, or repeated passages."""
