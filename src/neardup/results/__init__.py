"""Result folders: running a plan into one, reading it, and what is done with it without the texts."""
