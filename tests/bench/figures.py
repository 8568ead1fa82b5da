"""Medians of rounds and ratios between interleaved rounds."""

from statistics import median


def percentile(values: list[float], share: float) -> float:
    """Return the value below which `share` of the values lie; of 100 values, p99 is the 99th."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def median_ratio(values: list[float], others: list[float]) -> float:
    """Return the median of each round's own ratio: what slows a whole round falls out."""
    return median(value / other for value, other in zip(values, others, strict=True))


def in_turn(names: list[str], number: int) -> list[str]:
    """Return the names, begun with another in each round: no one always follows the same one."""
    start = number % len(names)
    return names[start:] + names[:start]
