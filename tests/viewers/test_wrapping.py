"""A line that must not be cut goes on below, between its words."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapproxy_viewers.lines import plain
from tapproxy_viewers.palette import STYLES
from tapproxy_viewers.visible import shown
from tapproxy_viewers.wrapping import wrapped


def told(text: str, width: int, indent: int = 2) -> list[str]:
    return [plain(line) for line in wrapped([("text", text)], width, indent)]


def test_a_line_goes_on_below_between_its_words() -> None:
    assert told("the quick brown fox jumps", 12) == ["the quick", "  brown fox", "  jumps"]


def test_a_line_that_fits_stays_as_it_is() -> None:
    assert told("the  quick brown", 16) == ["the  quick brown"]
    assert told("", 16) == [""]


def test_a_word_that_is_longer_than_a_line_is_broken() -> None:
    assert told("see abcdefghijklmnop", 10) == ["see", "  abcdefgh", "  ijklmnop"]


def test_a_wide_character_is_not_torn() -> None:
    assert told("你好世界", 5, 0) == ["你好", "世界"]


def test_the_indent_leaves_at_least_half_of_the_width() -> None:
    assert told("aaaa bbbb cccc", 8, indent=20) == ["aaaa", "    bbbb", "    cccc"]


def test_each_word_keeps_its_style() -> None:
    lines = wrapped([("bad", "one two "), ("quiet", "three")], 7, 0)
    assert list(lines) == [[("bad", "one "), ("bad", "two")], [("quiet", "three")]]


@given(
    st.lists(st.tuples(st.sampled_from(sorted(STYLES)), st.text())),
    st.integers(4, 40),
    st.integers(0, 50),
)
def test_nothing_is_lost_nor_wider_than_the_terminal(
    line: list[tuple[str, str]], width: int, indent: int
) -> None:
    lines = [plain(it) for it in wrapped(line, width, indent)]
    everything = "".join(shown(text) for _, text in line)
    assert "".join(lines).replace(" ", "") == everything.replace(" ", "")
    assert all(cell_len(it) <= width for it in lines)
