/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over files, and over the files of folders: findings again, or a corpus as a test. */
#include "fuzz.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long files;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t capacity = 1 << 20, size = 0, n;
    uint8_t *data = malloc(capacity);
    while (data && (n = fread(data + size, 1, capacity - size, file)) > 0) {
        size += n;
        if (size == capacity)
            data = realloc(data, capacity *= 2);
    }
    fclose(file);
    if (data)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    files++;
    return 0;
}

static int replay(const char *path)
{
    DIR *folder = opendir(path);
    int failed = 0;
    if (!folder)
        return replay_file(path);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failed |= replay(name);
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    if (failed)
        fprintf(stderr, "usage: %s FILE|FOLDER...\n", argv[0]);
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    printf("%lu files\n", files);
    return failed;
}
