"""Engines run plans: `local` in this process; an engine knows nothing of methods."""
