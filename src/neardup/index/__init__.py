"""A persistent index: documents are added at any time, and texts looked up among them."""

from neardup.index.online import Index

__all__ = ["Index"]
