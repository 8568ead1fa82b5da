/* A host that times round trips: roundtrip COUNT PAUSE_US SIZE COMMAND...
   Writes a line of JSON to the command, waits until as many bytes have come back; prints
   nanoseconds, one number a line. The first WARM_UP round trips are not counted. */
#include "child.h"

#define WARM_UP 200

static char *json_line(long size) {
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"", tail[] = "\"}\n";
    char *line = malloc(size);
    memset(line, 'x', size);
    memcpy(line, head, strlen(head));
    memcpy(line + size - strlen(tail), tail, strlen(tail));
    return line;
}

static uint64_t round_trip(int *pipes, const char *line, long size, char *answer) {
    uint64_t before = now_ns();
    write_all(pipes[0], line, size);
    for (long seen = 0; seen < size;) {
        ssize_t got = read(pipes[1], answer, READ_SIZE);
        if (got <= 0) fail("the command ended before it had answered");
        seen += got;
    }
    return now_ns() - before;
}

int main(int argc, char **argv) {
    static char answer[READ_SIZE];
    int pipes[2], status;
    if (argc < 5) return 2;
    long count = atol(argv[1]), pause_us = atol(argv[2]), size = atol(argv[3]);
    if (size < 64) return 2;
    char *line = json_line(size);
    uint64_t *times = malloc(count * sizeof *times);
    pid_t pid = start(argv + 4, pipes, 2);
    for (long i = -WARM_UP; i < count; i++) {
        uint64_t time = round_trip(pipes, line, size, answer);
        if (i >= 0) times[i] = time;
        if (i >= 0 && pause_us) usleep(pause_us);
    }
    close(pipes[0]);
    waitpid(pid, &status, 0);
    for (long i = 0; i < count; i++) printf("%llu\n", (unsigned long long)times[i]);
    return status_code(status);
}
