"""What is known about each protocol: pure readers of frames, one file a dialect."""
