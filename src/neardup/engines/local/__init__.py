"""The engine in this process: DuckDB beside kernels, spilling to disk."""
