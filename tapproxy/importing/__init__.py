"""Reads what other tools have logged, each format in a file of its own."""
