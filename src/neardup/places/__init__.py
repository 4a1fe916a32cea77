"""Where runs work and leave their results: on this machine, or on a cluster."""
