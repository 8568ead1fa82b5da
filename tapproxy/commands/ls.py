"""`tap ls`: the recordings, newest first."""
