# The launcher that has a wrapped program's name: it starts tap, or the program where tap cannot.
# Lines that tap writes stand before this one, and say what launcher.c says of them; this is its
# like for systems without a C compiler.
case $0 in
    */*) _tap_here=${0%/*} ;;
    *) _tap_here=. ;;
esac
_tap_here=${_tap_here:-/}
if ! [ -e "$_tap_here/$_tap_settings" ]; then
    _tap_link=$(readlink "$0" 2>/dev/null) && case $_tap_link in
        /*) _tap_here=${_tap_link%/*} ;;
        */*) _tap_here=$_tap_here/${_tap_link%/*} ;;
    esac
fi
_tap_settings=$_tap_here/$_tap_settings

if [ -n "$_tap_command" ]; then
    _tap_fallback=$_tap_program _tap_program= _tap_passed= _tap_own=
    set -f
    IFS=:
    for _tap_folder in $PATH; do
        [ "${_tap_folder:-.}" -ef "$_tap_here" ] && _tap_own=yes
    done
    for _tap_folder in $PATH; do
        if [ "${_tap_folder:-.}" -ef "$_tap_here" ]; then
            _tap_passed=yes
        elif [ -z "$_tap_program" ] && [ "$_tap_own" = "$_tap_passed" ]; then
            _tap_candidate=${_tap_folder:-.}/$_tap_command
            if [ -f "$_tap_candidate" ] && [ -x "$_tap_candidate" ]; then _tap_program=$_tap_candidate; fi
        fi
    done
    unset IFS
    set +f
    _tap_program=${_tap_program:-$_tap_fallback}
    _tap_called=$0
else
    _tap_program=$_tap_here/$_tap_program
    _tap_called=${0%"${0##*/}"}${_tap_name:-${0##*/}}
fi

_tap_mode=off
if [ -z "$_tap_only" ] || [ "$_tap_only" = "$1" ]; then
    { while IFS= read -r _tap_line; do
        case $_tap_line in
            "tap wrap 1") _tap_known=yes ;;
            "mode record" | "mode replay") [ -n "$_tap_known" ] && _tap_mode=on ;;
        esac
    done < "$_tap_settings"; } 2>/dev/null
fi
if [ "$_tap_mode" = on ] && [ -x "$_tap_python" ] && [ -r "$_tap_start" ]; then
    exec "$_tap_python" -I -S "$_tap_start" "$_tap_settings" "$_tap_program" "$_tap_called" "$@"
fi
exec "$_tap_program" "$@"
