"""Record what a host and its child say to each other over stdin and stdout."""

__version__ = "0.1.0"
