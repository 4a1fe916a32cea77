"""Settings: what a setting is, those of runs and of the machine, files of settings."""
