"""The commands of `tap`, one file each, listed in `group`."""
