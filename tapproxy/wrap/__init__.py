"""Puts tap where a host finds its plugin, and takes it out again. Nothing is imported here."""
