"""A method, a reader and a signature for neardup, in a package of their own."""
