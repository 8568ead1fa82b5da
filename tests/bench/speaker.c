/* A child that says COUNT lines of SIZE bytes, one write each, and ends: speaker COUNT SIZE.
   They look like JSON, as most programs' lines on stdout do. */
#include "child.h"

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    long count = atol(argv[1]), size = atol(argv[2]);
    char *line = malloc(size);
    memset(line, 'x', size);
    line[0] = '{';
    if (size > 1) line[size - 2] = '}';
    line[size - 1] = '\n';
    while (count-- > 0) write_all(1, line, size);
    return 0;
}
