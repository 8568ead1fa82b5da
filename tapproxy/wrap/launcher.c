/* The launcher that has a wrapped program's name: it starts tap, or the program where tap cannot.

   Before this file stand lines that tap writes:
     PYTHON, START        the interpreter and tap's start script, absolute
     SETTINGS, PROGRAM    the settings and the program, seen from the launcher's folder
     NAME                 the program's own name where the launcher has another; else not defined
     HOME                 the launcher's folder, for a system that does not say where we are
     COMMAND              defined for a command: the program is the next one of our name in PATH,
                          and PROGRAM (absolute) only where there is none
     ONLY                 calls with another first argument are passed straight on

   Nothing here may fail: whatever is not as it should be, the program itself is started. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

/* By which tap knows its launchers. */
const char marker[] = "tap-wrap-launcher";

enum { LONGEST = 8192, MOST_SETTINGS = 65536 };

static char folder[LONGEST], program[LONGEST], settings[LONGEST];
static struct stat own;

static int joined(char *made, const char *start, size_t size, const char *rest) {
    int length = snprintf(made, LONGEST, "%.*s/%s", (int)size, start, rest);
    return length > 0 && length < LONGEST;
}

/* Find ourselves; `folder` gets our folder. */
static void find_self(void) {
    char self[LONGEST];
#ifdef __APPLE__
    char raw[LONGEST];
    uint32_t size = sizeof raw;
    int found = _NSGetExecutablePath(raw, &size) == 0 && realpath(raw, self) != NULL;
#else
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    int found = size > 0;
    if (found) self[size] = 0;
#endif
    if (!found) snprintf(self, sizeof self, "%s/%s", HOME, "?");
    found = found && stat(self, &own) == 0;
    if (!found) memset(&own, 0, sizeof own);
    *strrchr(self, '/') = 0;
    snprintf(folder, sizeof folder, "%s", self);
}

static int is_us(const struct stat *other) {
    return own.st_ino && other->st_ino == own.st_ino && other->st_dev == own.st_dev;
}

#ifdef COMMAND
static int is_program(const char *path) {
    struct stat told;
    return stat(path, &told) == 0 && S_ISREG(told.st_mode) && !is_us(&told)
        && access(path, X_OK) == 0;
}

/* Take the next program of our name in PATH: behind our own folder, if that is in it. */
static void find_program(const char *name) {
    struct stat ours, told;
    const char *path = getenv("PATH"), *rest;
    int known = stat(folder, &ours) == 0;
    if (!path) path = "";
    rest = path;
    for (const char *at = path; known; at++) {
        size_t size = strcspn(at, ":");
        if (size && joined(program, at, size, ".") && stat(program, &told) == 0
            && told.st_ino == ours.st_ino && told.st_dev == ours.st_dev) {
            rest = at[size] ? at + size + 1 : "";
            break;
        }
        at += size;
        if (!*at) break;
    }
    for (const char *at = rest; *rest; at++) {
        size_t size = strcspn(at, ":");
        if (joined(program, size ? at : ".", size ? size : 1, name) && is_program(program)) return;
        at += size;
        if (!*at) break;
    }
    snprintf(program, sizeof program, "%s", PROGRAM);
}
#else
/* Take the path by which we were called, if it leads to us: scripts see the folder's name in it. */
static void find_program(const char *called) {
    struct stat told;
    const char *slash = strrchr(called, '/');
    if (slash && stat(called, &told) == 0 && is_us(&told)
        && joined(program, called, slash - called, PROGRAM) && access(program, X_OK) == 0)
        return;
    if (!joined(program, folder, strlen(folder), PROGRAM)) program[0] = 0;
}
#endif

static int is_on(void) {
    static char text[MOST_SETTINGS + 1];
    const char *first = "tap wrap 1\n";
    int file = open(settings, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, text, MOST_SETTINGS);
    if (file >= 0) close(file);
    if (size < 0 || strncmp(text, first, strlen(first))) return 0;
    return strstr(text, "\nmode record\n") || strstr(text, "\nmode replay\n");
}

static void start_tap(int argc, char **argv) {
    char **words;
    int count = 0;
    if (access(PYTHON, X_OK) || access(START, R_OK)) return;
    words = calloc(argc + 8, sizeof *words);
    if (!words) return;
    words[count++] = PYTHON;
    words[count++] = "-I";
    words[count++] = "-S";
    words[count++] = START;
    words[count++] = settings;
    words[count++] = program;
    for (int i = 0; i < argc; i++) words[count++] = argv[i];
    execv(PYTHON, words);
}

/* Say where the program believes to be: beside us, under its own name. */
static void give_own_name(char **argv) {
#ifdef NAME
    static char called[LONGEST];
    const char *slash = strrchr(argv[0], '/');
    if (!slash) argv[0] = NAME;
    else if (joined(called, argv[0], slash - argv[0], NAME)) argv[0] = called;
#else
    (void)argv;
#endif
}

static void become_program(char **argv, int argc) {
    char **words;
    execv(program, argv);
    words = errno == ENOEXEC ? calloc(argc + 2, sizeof *words) : NULL;
    if (words) { /* a script without a first line: execvp(3) */
        words[0] = "/bin/sh";
        words[1] = program;
        for (int i = 1; i < argc; i++) words[i + 1] = argv[i];
        execv(words[0], words);
    }
}

int main(int argc, char **argv) {
    char *empty[] = {(char *)marker, NULL};
    int wanted = 1, failed;
    if (argc < 1) argv = empty, argc = 1;
    find_self();
#ifdef COMMAND
    find_program(COMMAND);
#else
    find_program(argv[0]);
#endif
    give_own_name(argv);
#ifdef ONLY
    wanted = argc > 1 && strcmp(argv[1], ONLY) == 0;
#endif
    if (wanted && joined(settings, folder, strlen(folder), SETTINGS) && is_on())
        start_tap(argc, argv);
    become_program(argv, argc);
    failed = errno;
    fprintf(stderr, "tap: cannot start %s: %s\n", program, strerror(failed));
    return failed == ENOENT ? 127 : 126;
}
