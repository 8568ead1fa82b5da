/* Starts a command with its first descriptors on pipes; shared by the programs beside. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READ_SIZE 65536

extern char **environ;

static inline uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static inline void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(125);
}

/* ours[0] writes to the child's stdin, ours[1] reads its stdout, ours[2] its stderr. */
static inline pid_t start(char **command, int *ours, int streams) {
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int theirs[3];
    posix_spawn_file_actions_init(&actions);
    for (int stream = 0; stream < streams; stream++) {
        int ends[2], writes = stream == 0;
        if (pipe(ends)) fail("pipe");
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        ours[stream] = ends[writes];
        theirs[stream] = ends[!writes];
        posix_spawn_file_actions_adddup2(&actions, theirs[stream], stream);
    }
    errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
    if (errno) fail(command[0]);
    for (int stream = 0; stream < streams; stream++) close(theirs[stream]);
    return pid;
}

static inline int status_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline void write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0) fail("write");
        bytes += written;
        size -= written;
    }
}
