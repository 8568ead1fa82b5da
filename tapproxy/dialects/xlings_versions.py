"""Which protocol version an xlings session shows: versions are told by `--version` alone.

Source: interface-ndjson-v1, section 1 (the table of versions).
"""

from typing import Any, NamedTuple

from tapproxy.dialects.xlings_output import OUTPUT


class Feature(NamedTuple):
    """Something that no version before this one sends."""

    minor: int  # of protocol 1.x
    words: str


_PHASES = {
    "index_sync": Feature(2, "progress of index_sync"),
    "index_rebuild": Feature(2, "progress of index_rebuild"),
    "configure": Feature(4, "progress of configure"),
    "hook": Feature(5, "progress of hooks"),
    "extract": Feature(7, "progress of extract"),
}
_TARGETS = Feature(1, "install_targets")
_REVISIONS = Feature(1, "install_plan has revisions")
_STREAM = Feature(3, "download_progress names its stream")
_OUTPUT = Feature(6, OUTPUT)


class Versions:
    """Remembers the newest feature seen, and the version where it is told."""

    def __init__(self) -> None:
        self.told: str | None = None
        self._newest = Feature(0, "")

    def phase(self, phase: Any) -> None:
        """Take note of a progress event."""
        feature = _PHASES.get(phase)
        if feature is not None and feature.minor > self._newest.minor:
            self._newest = feature

    def data(self, data_kind: str, payload: dict[str, Any]) -> None:
        """Take note of a data event whose payload is an object."""
        feature = _feature_of(data_kind, payload)
        if feature is not None and feature.minor > self._newest.minor:
            self._newest = feature

    def words(self) -> list[str]:
        """Say what is known of the version."""
        said = [f"protocol {self.told}"] if self.told else []
        if self._newest.minor:
            said.append(f"protocol ≥ 1.{self._newest.minor} (seen: {self._newest.words})")
        return said


def _feature_of(data_kind: str, payload: dict[str, Any]) -> Feature | None:
    if data_kind == "download_progress":
        return _STREAM if "stream" in payload else None
    if data_kind == OUTPUT:
        return _OUTPUT
    if data_kind == "install_targets":
        return _TARGETS
    if data_kind == "install_plan":
        packages = payload.get("packages")
        items = packages if isinstance(packages, list) else []
        return _REVISIONS if any(isinstance(it, list) and len(it) > 2 for it in items) else None
    return None
