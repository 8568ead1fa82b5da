"""The story that `tap demo` tells: a host, and a plugin with three faults that people meet."""
