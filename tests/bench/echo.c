/* A child that gives back what it reads, until its stdin ends. */
#include <unistd.h>

int main(void) {
    static char bytes[65536];
    ssize_t size;
    while ((size = read(0, bytes, sizeof bytes)) > 0)
        if (write(1, bytes, size) != size) return 1;
    return 0;
}
