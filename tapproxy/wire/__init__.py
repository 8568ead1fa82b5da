"""The forwarding path: pipes, pumps, the child and its signals. Light imports, no protocol."""
