"""Methods: each is a plan, a short list of steps that any engine can run."""
