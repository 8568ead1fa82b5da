"""What is stored, made visible: timelines, lists, JSON lines. Starts nothing, changes nothing."""
