/* The job of `tap run` in C, the yardstick: reference JOURNAL COMMAND...
   One thread a stream: read, append a record to the journal with one writev, forward. */
#include <pthread.h>
#include <sys/uio.h>

#include "child.h"

struct __attribute__((packed)) record {
    uint8_t mark[2], kind, stream;
    uint32_t length;
    uint64_t t_ns, offset;
};

struct pump {
    int from, to;
    uint8_t stream;
};

static int journal;

static void open_journal(const char *path) {
    struct timespec wall;
    char header[64] = "TAPWIRE\x01";
    uint64_t clocks[2] = {now_ns()};
    clock_gettime(CLOCK_REALTIME, &wall);
    clocks[1] = wall.tv_sec * 1000000000ull + wall.tv_nsec;
    memcpy(header + 8, clocks, sizeof clocks);
    journal = open(path, O_CREAT | O_TRUNC | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    if (journal < 0) fail(path);
    write_all(journal, header, sizeof header);
}

static void *forward(void *argument) {
    struct pump *pump = argument;
    char *bytes = malloc(READ_SIZE);
    uint64_t offset = 0;
    ssize_t size;
    while ((size = read(pump->from, bytes, READ_SIZE)) > 0) {
        struct record record = {{0xa7, 1}, 0, pump->stream, size, now_ns(), offset};
        struct iovec parts[2] = {{&record, sizeof record}, {bytes, size}};
        if (writev(journal, parts, 2) != (ssize_t)sizeof record + size) fail("journal");
        write_all(pump->to, bytes, size);
        offset += size;
    }
    close(pump->to);
    return NULL;
}

int main(int argc, char **argv) {
    int pipes[3], status;
    pthread_t in, err;
    if (argc < 3) return 2;
    open_journal(argv[1]);
    pid_t pid = start(argv + 2, pipes, 3);
    struct pump pumps[] = {{0, pipes[0], 0}, {pipes[1], 1, 1}, {pipes[2], 2, 2}};
    pthread_create(&in, NULL, forward, &pumps[0]);
    pthread_create(&err, NULL, forward, &pumps[2]);
    forward(&pumps[1]);
    pthread_join(err, NULL);
    waitpid(pid, &status, 0);
    return status_code(status);
}
