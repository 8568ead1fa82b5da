"""What a user means by a target: a path, a plugin's name, the name of something wrapped."""

import os

from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.places import (
    PLUGINS,
    Plugin,
    canonical,
    find_plugin,
    is_program,
    plugin_folders,
    plugin_of,
    plugins,
)
from tapproxy.wrap.registry import Entry, Registry


def plugin_at(path: str) -> Plugin:
    """Return the plugin that a file or a folder is; raises WrapError."""
    if os.path.isdir(path):
        place = os.path.abspath(path)
        if os.path.basename(place) == PLUGINS:
            raise WrapError(f"{path} is a folder of plugins: name one of those in it")
        found = find_plugin(place)
        if found is None:
            raise WrapError(f"{path}: no program in it, as a host would look for one")
        if found.rule == "first":
            _check_only_one(found)
        return found
    if not os.path.lexists(path):
        raise WrapError(f"there is no {path}")
    if not os.path.isfile(path):
        raise WrapError(f"{path} leads to no file: it is no plugin that starts")
    if not os.access(path, os.X_OK):
        raise WrapError(f"{path} cannot be executed, so no host starts it: `chmod +x` it first")
    return plugin_of(path)


def plugin_called(name: str, global_root: str | None) -> Plugin:
    """Return the plugin of a name in the folders where a host looks; raises WrapError."""
    folders = plugin_folders(os.getcwd(), os.path.expanduser("~"), global_root)
    there = [it for it in folders if os.path.isdir(it)]
    for folder in there:
        place = os.path.join(folder, name)
        if os.path.basename(place) == name and os.path.lexists(place):
            return plugin_at(place)
    found = [plugin.name for folder in there for plugin in plugins(folder)]
    known = f"there are {', '.join(found)}" if found else "there is none"
    raise WrapError(f"no plugin {name} in {', '.join(folders)}; {known}")


def entry_of(target: str, registry: Registry) -> Entry:
    """Return the entry that a path or a name means; raises WrapError."""
    found = entries_of(target, registry)
    if len(found) > 1:
        if any(it.part for it in found):
            named = ", ".join(f"{it.name!r} in {it.path}" for it in found)
            raise WrapError(f"{target} may be any of {named}: name it so, or --config and --server")
        listed = ", ".join(sorted(it.path for it in found))
        raise WrapError(f"{target} may be any of {listed}: name it by its path")
    if not found:
        what = "is not wrapped" if os.path.lexists(target) else "is neither a file nor wrapped"
        raise WrapError(f"{target} {what}; `tap wrap` lists what is")
    return found[0]


def is_name_of(target: str, registry: Registry) -> bool:
    """Tell whether a word is the name of something wrapped: a file here may be called the same."""
    return os.sep not in target and any(it.name == target for it in registry.entries())


def entries_of(target: str, registry: Registry) -> list[Entry]:
    """Return the entries that a path or a name may mean."""
    entries = registry.entries()
    path = canonical(target)
    by_path = [it for it in entries if path in _paths(it)]
    by_name = [it for it in entries if it.name == target] if os.sep not in target else []
    by_part = [it for it in entries if it.part and it.part == target]
    return by_path or by_name or by_part


def _paths(entry: Entry) -> list[str]:
    """Return the paths by which a target is called: as it was, as it is, and its folder."""
    layout = entry.details.get("layout", {})
    place = entry.details.get("place")
    also = [layout["original"]] if layout else []
    return [entry.path, *also, *([canonical(place)] if place else [])]


def _check_only_one(plugin: Plugin) -> None:
    """Raise WrapError where it is not known which program a host takes."""
    names = sorted(os.listdir(plugin.place))
    programs = [it for it in names if is_program(os.path.join(plugin.place, it))]
    if len(programs) > 1:
        raise WrapError(
            f"{plugin.place} has {len(programs)} programs ({', '.join(programs)}), and hosts take "
            "whichever comes first: name the one that is the plugin, by its path"
        )
