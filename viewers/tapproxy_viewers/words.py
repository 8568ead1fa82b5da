"""Numbers and instants as a person says them: `1.2 kB`, `12 ms`, `0.003 s`, `3 frames`."""

from datetime import UTC, datetime, tzinfo

SECOND = 1_000_000_000
"""Nanoseconds."""
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

SIZE_UNITS = ("kB", "MB", "GB", "TB")


def size(count: int) -> str:
    """Bytes in at most seven characters: `184 B`, `1.2 kB`, `120 MB`."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in SIZE_UNITS:
        value /= 1000
        if value < 99.95:
            return f"{value:.1f} {unit}"
        if value < 999.5:
            break
    return f"{value:.0f} {unit}"


def duration(ns: int) -> str:
    """Nanoseconds in at most seven characters: `412 µs`, `3.2 ms`, `12.3 s`, `2m 05s`."""
    if ns < 999_500:
        return f"{ns / 1e3:.0f} µs"
    if ns < 999_500_000:
        return f"{ns / 1e6:.1f} ms" if ns < 9_950_000 else f"{ns / 1e6:.0f} ms"
    if ns < 59_950_000_000:
        return f"{ns / 1e9:.1f} s"
    return _long_duration(max(ns, MINUTE))


def _long_duration(ns: int) -> str:
    if ns < HOUR:
        return f"{ns // MINUTE}m {ns % MINUTE // SECOND:02}s"
    if ns < DAY:
        return f"{ns // HOUR}h {ns % HOUR // MINUTE:02}m"
    return f"{ns // DAY}d {ns % DAY // HOUR:02}h"


def seconds(ns: int) -> str:
    """Return a place on the session's clock, for sessions under an hour: `12.345 s`."""
    ms = ns // 1_000_000
    return f"{ms // 1000}.{ms % 1000:03} s"


def hours(ns: int) -> str:
    """Return a place on the session's clock, for longer sessions: `1:02:03.456`."""
    ms = ns // 1_000_000
    return f"{ms // 3_600_000}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def zoned_time(wall_ns: int, zone: tzinfo | None = None) -> str:
    """Return an instant as the clocks in `zone` have it, or where the reader is.

    `2026-11-30 21:30:05 +01:00`.
    """
    moment = datetime.fromtimestamp(wall_ns // SECOND, UTC).astimezone(zone)
    offset = f"{moment:%z}"
    return f"{moment:%Y-%m-%d %H:%M:%S} {offset[:3]}:{offset[3:5]}"


def ago(ns: int) -> str:
    """How long ago in at most eleven characters: `just now`, `12 min ago`, `3 days ago`."""
    if ns < MINUTE:
        return "just now"
    if ns < HOUR:
        return f"{ns // MINUTE} min ago"
    if ns < DAY:
        return f"{ns // HOUR} h ago"
    days = ns // DAY
    return "1 day ago" if days == 1 else f"{days} days ago"


def compact(number: int) -> str:
    """Return a count in at most six characters: `9,999`, `12.3k`, `1.2M`."""
    if number < 10_000:
        return f"{number:,}"
    if number < 999_950:
        return f"{number / 1e3:.1f}k"
    return f"{number / 1e6:.1f}M"
