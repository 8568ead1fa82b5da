"""Playing one side of a recording before the real other side: as the plugin, or as the host."""
