"""Lets `python -m neardup` run the command line."""

from neardup.cli import process

process()
