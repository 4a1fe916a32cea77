"""The other tools, each run the way its own documentation recommends, in its own environment.

Every module here is a command, `python -m benchmarks.rivals.NAME INPUT.jsonl OUTPUT.jsonl THRESHOLD
WORKERS`. Input lines have an `id` and a `text`; an output line is a JSON list of ids that the tool
claims to be near-duplicates of each other: two for a pair, more for a cluster.
"""
