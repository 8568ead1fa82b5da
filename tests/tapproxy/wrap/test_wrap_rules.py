"""Rules of redaction and bounds of retention, as `tap wrap` was given them."""

from pathlib import Path

from tapproxy_store.locate import recordings
from tests.bench.workbench import wait_for_ingesters
from tests.tapproxy.calls import tap
from tests.tapproxy.wrap.small import refused, said


def test_rules_of_redaction_stay_until_others_are_given(plugin: Path, tmp_path: Path) -> None:
    settings = plugin.parent / ".tap/it/settings"
    rules = ("--redact", "tokens", "--redact", "key:session id")
    assert tap("wrap", str(plugin), "--no-native", *rules).code == 0
    kept = f"tap wrap 1\nmode {{}}\nname it\nrecordings {tmp_path / 'recordings'}\n"
    assert settings.read_text() == kept.format("record") + "redact tokens\nredact key:session id\n"
    assert tap("wrap", "it", "--off").code == 0
    assert settings.read_text() == kept.format("off") + "redact tokens\nredact key:session id\n"
    assert tap("wrap", "it", "--redact", "none", "--record").code == 0
    assert settings.read_text() == kept.format("record")
    assert tap("wrap", "it", "--keep", "count=5,age=2w").code == 0
    assert settings.read_text() == kept.format("record") + "keep count=5,age=2w\n"
    assert refused("wrap", "it", "--keep", "a lot") == (
        "--keep: 'a lot' is none of count=200, age=30d, size=1GiB"
    )
    assert refused("wrap", "it", "--redact", "re:(").startswith("rule 're:(': ")


def test_what_a_rule_names_is_not_in_the_recording(plugin: Path, tmp_path: Path) -> None:
    assert tap("wrap", str(plugin), "--no-native", "--redact", "re:said").code == 0
    assert said(plugin) == "said it\n"
    wait_for_ingesters(tmp_path / "recordings")
    (path,) = recordings(str(tmp_path / "recordings"))
    assert b"said" not in Path(path).read_bytes()
