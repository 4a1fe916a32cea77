"""Engines run plans and know nothing of methods: base says what an engine is."""
