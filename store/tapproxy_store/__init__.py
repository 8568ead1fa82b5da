"""Recordings: what one is made of, how it is written, found and read. Knows no protocol."""
