"""What the host gave us and the plugin must get unchanged, though we need it otherwise."""

from tapproxy.wire.open_files import OpenFiles
from tapproxy.wire.signals import HostSignals


class HostState:
    """Taken over at the start; `give_back` is called in the plugin's process."""

    def __init__(self) -> None:
        self._signals = HostSignals()
        self.open_files = OpenFiles()

    def give_back(self) -> None:
        """Leave everything as the host did."""
        self.open_files.give_back()
        self._signals.give_back()
