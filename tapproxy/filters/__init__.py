"""The filter language: one way to choose frames for all commands, as `docs/filters.md` tells it.

`parse` reads a filter once. `Filter.sql` gives the condition that the database can decide, and
`Filter.matches` decides about one frame; a command asks both, or only the first where
`Filter.is_complete`.
"""

from tapproxy.filters.candidate import Candidate, Message
from tapproxy.filters.errors import FilterError
from tapproxy.filters.filter import Filter, parse
from tapproxy.filters.keys import KEYS

__all__ = ["KEYS", "Candidate", "Filter", "FilterError", "Message", "parse"]
