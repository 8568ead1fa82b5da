"""What the tests of hostile files share."""

from tests.store.conftest import open_folder

__all__ = ["open_folder"]
