"""A store: documents and their keys in segments on a disk, under a manifest that SQLite keeps."""
