"""How any result is shown: in a terminal, in words, and as the default part of a report."""
