"""Knows the files in which clients name their servers: one format a file, one entry in a list."""
