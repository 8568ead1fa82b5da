/* A host that reads a command's stdout to its end: drain COMMAND...
   Prints: nanoseconds to the first byte, to the end of stdout, to the exit; bytes read; peak memory
   of the command in the system's unit. Small itself, so that the peak is not what it handed on. */
#include <sys/resource.h>

#include "child.h"

int main(int argc, char **argv) {
    static char bytes[READ_SIZE];
    int pipes[2], status;
    struct rusage usage;
    uint64_t first = 0, total = 0;
    ssize_t size;
    if (argc < 2) return 2;
    uint64_t begin = now_ns();
    pid_t pid = start(argv + 1, pipes, 2);
    while ((size = read(pipes[1], bytes, sizeof bytes)) > 0) {
        if (!first) first = now_ns() - begin;
        total += size;
    }
    uint64_t end = now_ns() - begin;
    if (wait4(pid, &status, 0, &usage) < 0) fail("wait4");
    uint64_t exited = now_ns() - begin;
    printf("%llu %llu %llu %llu %ld\n", (unsigned long long)first, (unsigned long long)end,
           (unsigned long long)exited, (unsigned long long)total, usage.ru_maxrss);
    return status_code(status);
}
