"""Turning bytes into a recording: a journal's records, or a tape's, into chunks, events, frames."""
