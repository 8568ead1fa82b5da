"""Taking secrets out of recordings: rules that find them, and placeholders of the same length.

A placeholder takes exactly the bytes that the secret took, in whatever encoding that stands, so
that lengths stay right and a recording can still be replayed.
"""
