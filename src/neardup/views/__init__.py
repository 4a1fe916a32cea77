"""Views of results on the terminal, one module a method."""
