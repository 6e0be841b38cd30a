#include <string.h>

/* length of what stands between the first two tabs */
int middle(const char *line) {
    const char *first = strchr(line, '\t');
    const char *second = strchr(first + 1, '\t');
    int length = 0;
    for (const char *at = first + 1; at != second; at++) length += *at != ' ';
    return length;
}
