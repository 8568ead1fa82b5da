"""Rules are read as they are written, and what is wrong with one is told with its place."""

import pytest

from tapproxy.commands.run_line import PRESETS as FAST_PRESETS
from tapproxy.redaction.rules import ALL, PRESETS, Rule, RuleError, labels, read_rules


def test_each_way_of_writing_a_rule() -> None:
    texts = ["tokens", "key:session*", "re:CUST-[0-9]+", "params.token", "path:token", "a.0.*"]
    assert read_rules(texts) == (
        Rule("preset", "tokens"),
        Rule("key", "session*"),
        Rule("re", "CUST-[0-9]+"),
        Rule("path", "params.token"),
        Rule("path", "token"),
        Rule("path", "a.0.*"),
    )


def test_all_stands_for_every_preset_and_a_rule_counts_once() -> None:
    presets = [Rule("preset", name) for name in PRESETS]
    assert read_rules(["email", "all", "email"]) == (
        Rule("preset", "email"),
        *(it for it in presets if it.value != "email"),
    )


def test_an_expression_is_never_told() -> None:
    rules = read_rules(["re:hunter2", "re:swordfish", "key:pin", "params.token"])
    assert labels(rules) == ["re:…", "key:pin", "params.token"]


HELP = "; `tap redact --help` lists the rules"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "emial",
            "rule 'emial': there is no such preset: did you mean email?; a member of that name is "
            "key:emial, a path path:emial",
        ),
        (
            "",
            "rule '': there is no such preset: there are tokens, keys, headers, email, home, env, "
            "all",
        ),
        ("kye:pin", "rule 'kye:pin': kye: is no kind of rule; did you mean key:…?"),
        (
            "name:pin",
            "rule 'name:pin': name: is no kind of rule; a rule begins with key:, re: or path:",
        ),
        ("key:", "rule 'key:': the name is missing; write it as in key:password"),
        (
            'key:a"b',
            'rule \'key:a"b\': a name with " cannot be looked for (here: key:a["]b)',
        ),
        ("re:a(b", "rule 're:a(b': missing ), unterminated subpattern (here: re:a[(]b)"),
        ("re:x*", "rule 're:x*': it fits an empty text, too, which is everywhere"),
        (
            "params..token",
            "rule 'params..token': a step of the path is missing; write it as in params.token "
            "(here: params.[.]token)",
        ),
        (
            "items[0].id",
            "rule 'items[0].id': an item is a step of its own: items.0 (here: [items[0]].id)",
        ),
    ],
)
def test_what_is_wrong_with_a_rule_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(RuleError) as error:
        read_rules([text])
    assert (str(error.value), error.value.exit_code) == (said + HELP, 2)


def test_the_wires_own_list_of_presets_is_the_same() -> None:
    assert {*PRESETS, ALL} == FAST_PRESETS
