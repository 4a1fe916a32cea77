"""A result folder: the options of a run that makes it, how it is written, and how it is read."""
