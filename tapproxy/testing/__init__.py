"""What the pytest plugin does, apart from pytest: stand-ins, recordings, cassettes."""
