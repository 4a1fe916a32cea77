"""Numba kernels: plain functions on arrays, without the GIL, compiled once and cached on disk."""
