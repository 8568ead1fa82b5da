"""What differs between two recordings: messages are aligned by what they say, then compared."""
