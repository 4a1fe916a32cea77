"""An index: documents to look texts up in, one at a time or many."""
