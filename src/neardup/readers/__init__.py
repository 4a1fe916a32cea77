"""Readers: each turns one kind of input into batches of records (see `records`)."""
