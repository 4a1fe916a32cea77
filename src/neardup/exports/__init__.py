"""A result in other formats: tables to open anywhere, graphs, and texts with links between them."""
