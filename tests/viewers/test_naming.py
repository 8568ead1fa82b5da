"""A session is called by the command that somebody typed, and by the name that it was given."""

from typing import Any

import pytest

from tapproxy_viewers.naming import command_of, given_name, short_command_of
from tests.viewers.made import session

ITSELF = ["/usr/bin/python3", "-P", "-m", "tapproxy", "replay", "--no-record", "--chosen", "b", "1"]
TAGS = {"replay-of": "a bug.tape", "replayed-as": "plugin"}


def test_a_replay_in_a_plugins_place_is_called_as_it_was_asked_for() -> None:
    replay = session(name="bug-replay", facts={"argv": ITSELF, "tags": TAGS})
    asked = "tap replay 'a bug.tape' --as plugin"
    assert (command_of(replay), short_command_of(replay)) == (asked, asked)
    assert given_name(replay) == "bug-replay"


@pytest.mark.parametrize("tags", [None, {}, {"replay-of": "a"}, {**TAGS, "replay-of": 7}, [TAGS]])
def test_what_only_looks_like_one_is_called_by_its_words(tags: Any) -> None:
    one = session(facts={"argv": ITSELF[:5], "tags": tags})
    assert short_command_of(one) == "python3 -P -m tapproxy replay"


def test_a_plugin_before_a_replay_is_called_by_its_own_command() -> None:
    plugin = session(facts={"argv": ["./my-plugin"], "tags": TAGS})
    assert command_of(plugin) == "./my-plugin"
