"""What each step of a script waits for: what it may be the consequence of, in the recording."""

from collections import OrderedDict, deque
from collections.abc import Sequence

from tapproxy.replay.script import Wait, Write
from tapproxy_store.records import Message, Stream

MOST_OPEN = 100_000
"""Questions that are remembered; one that is answered later than so many others is not waited for.
"""

MOST_BETWEEN = 1000
"""In the strict order: what the other side did since the last step, and is waited for."""

Place = tuple[int, int]
"""An item's number in the script, and when it was, nanoseconds."""

Key = tuple[int, int]
"""A message: the number of its frame, and its place there."""

NOWHERE = (0, 0)


class Causes:
    """Told what has been, in the order of the recording.

    What the played side says unasked, between a question and its answer, belongs to that question
    where nothing else can have led to it; the answer waits for it then, and for the replies to it
    (a user may take longer to permit what a tool asks for). What might have had another cause is
    not waited for: the live peer may leave that out, and each answer needs its question alone.
    """

    def __init__(self, *, strict: bool, is_host: bool = False) -> None:
        """`is_host`: the played side asks of its own accord, and not on account of a question."""
        self._strict = strict
        self._is_host = is_host
        self._questions: OrderedDict[Key, Place] = OrderedDict()  # not answered yet
        self._open: dict[Stream, Place] = {}  # the write with the beginning of the open frame
        self._last_own: Place | None = None
        self._last_unasked: Place | None = None  # of the played side
        self._last_about: dict[Key, Place] = {}  # of the played side, about an open question
        self._last_other: Place | None = None
        self._last_foreign: Place = NOWHERE  # that need not be a consequence of what was before
        self._belonging: dict[Place, list[Place]] = {}  # the last words and reply, by question
        self._own_questions: OrderedDict[Key, Place] = OrderedDict()  # to what each belongs
        self._between: deque[Place] = deque(maxlen=MOST_BETWEEN)  # the others since the last own

    def saw(self, place: Place) -> None:
        """Take what the other side did."""
        self._last_other = self._last_foreign = place
        if self._strict:
            self._between.append(place)

    def heard(self, messages: Sequence[Message], place: Place) -> None:
        """Take what the other side said."""
        foreign = self._last_foreign
        self.saw(place)
        for message in messages:
            root = self._own_questions.pop((message.answers or 0, message.answers_part or 0), None)
            if root in self._belonging:
                self._belonging[root].append(place)
                self._last_foreign = foreign
            if message.asks:
                self._last_foreign = place
                self._questions[message.frame, message.part] = place
                if len(self._questions) > MOST_OPEN:
                    self._close(next(iter(self._questions)))

    def of_act(self, place: Place) -> tuple[Wait, ...]:
        """Return what something that is not bytes waits for."""
        waits = _waits(self._before(), place)
        self._last_own = self._last_unasked = place
        self._between.clear()
        return waits

    def of_write(self, write: Write, place: Place) -> tuple[Wait, ...]:
        """Return what a write waits for."""
        begun = self._open.pop(write.stream, None)
        found = [] if begun is None else [begun]
        is_unasked = begun is None and not write.frames
        for own in write.frames:
            if own.frame.start_offset < write.start_offset:
                is_unasked = is_unasked or begun is None  # of a log: its beginning was not held
                continue
            is_unasked = is_unasked or not own.messages
            for message in own.messages:
                led_here = self._led_to(message, place)
                is_unasked = is_unasked or not led_here
                found += led_here
        if is_unasked or self._strict:
            found += self._before()
        waits = _waits(found, place)
        if write.goes_on:
            self._open[write.stream] = place
        self._last_own = place
        self._last_unasked = place if is_unasked else self._last_unasked
        self._between.clear()
        return waits

    def _led_to(self, message: Message, place: Place) -> list[Place]:
        """Return the question that a message answers or is about, and what came on the way."""
        key = (message.answers or 0, message.answers_part or 0)
        if key in self._questions:
            self._last_foreign = place
            return self._close(key)
        key = (message.about or 0, 0)
        question = self._questions.get(key)
        if question is None:
            return self._belongs(message, place)
        self._last_about[key] = place
        if question != self._latest():
            self._last_foreign = place
        return [question, *self._belonging.get(question, ())]

    def _close(self, key: Key) -> list[Place]:
        """Forget a question; return it and all that its answer waits for."""
        question = self._questions.pop(key)
        about = self._last_about.pop(key, None)
        return [
            question,
            *([] if about is None else [about]),
            *self._belonging.pop(question, ()),
        ]

    def _belongs(self, message: Message, place: Place) -> list[Place]:
        """Note what is said unasked under the question that it belongs to, if to any.

        Return what it waits for, and nothing else: what a plugin asks on account of a question
        comes after that question, whatever the host has left out before.
        """
        question = self._latest()
        if question is None or self._last_foreign > question:
            return []
        before = self._belonging.get(question, ())
        self._belonging[question] = [place]  # which waits itself for what was before it
        if not message.asks:
            return []
        self._own_questions[message.frame, message.part] = question
        if len(self._own_questions) > MOST_OPEN:
            self._own_questions.popitem(last=False)
        return [] if self._is_host else [question, *before]

    def _latest(self) -> Place | None:
        """Return the last question, if it is open."""
        return next(reversed(self._questions.values()), None)

    def _before(self) -> list[Place]:
        before = (self._last_own, self._last_unasked, self._last_other, *self._between)
        return [it for it in before if it is not None]


def _waits(places: Sequence[Place], place: Place) -> tuple[Wait, ...]:
    t_ns = place[1]
    unique = places if len(places) == 1 else dict.fromkeys(places)
    return tuple([Wait(number, max(t_ns - then, 0)) for number, then in unique])
