/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of microcode tables: files into memory, and what is wrong with them. */
#include "tables.h"
#include "io/whole.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 1 << 20, VERSION_BYTES = 80 };

void tables_problem_add(tables_dir *dir, uint16_t rule, int set, int key, const char *given, const char *allowed)
{
    if (dir->problems == dir->room) {
        size_t room = dir->room ? 2 * dir->room : 16;
        tables_problem *more = realloc(dir->problem, room * sizeof *more);
        if (!more)
            return;
        dir->problem = more;
        dir->room = room;
    }
    tables_problem *p = &dir->problem[dir->problems++];
    p->rule = rule;
    p->set = set;
    p->key = key;
    snprintf(p->given, sizeof p->given, "%s", given);
    for (char *c = p->given; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    snprintf(p->allowed, sizeof p->allowed, "%s", allowed);
}

/* A regular file of up to LARGEST bytes; its name is shortened in messages. */
static dve_status read_file(const tables_dir *dir, const char *name, dve_whole *out, dve_error *error)
{
    char path[TABLES_PATH], shown[101];
    snprintf(shown, sizeof shown, "%s", name);
    *out = (dve_whole){NULL, 0};
    if (!tables_path(dir, name, path, sizeof path)) {
        dve_error_set(error, "%s: the path is too long", shown);
        return DVE_E_INPUT;
    }
    int file = dve_whole_open(path, shown, error);
    if (file < 0)
        return DVE_E_INPUT;
    dve_status status = dve_whole_append(file, shown, LARGEST, out, error);
    (void)close(file);
    return status;
}

static void identify(tables_dir *dir, int number, unsigned key)
{
    size_t count;
    tables_set *set = &dir->set[number];
    tables_file *file = &set->file[key];
    uint8_t sha256[DVE_SHA256_BYTES], md5[DVE_MD5_BYTES];
    const dve_table_fingerprint *row = dve_table_fingerprints(&count);
    dve_sha256(file->bytes, file->size, sha256);
    dve_md5(file->bytes, file->size, md5);
    dve_digest_hex(sha256, sizeof sha256, file->sha256);
    dve_digest_hex(md5, sizeof md5, file->md5);
    for (size_t i = 0; i < count && !file->known; i++)
        if (row[i].key == key && dve_table_fingerprint_is(&row[i], strcmp(row[i].digest, "md5") == 0 ? file->md5 : file->sha256))
            file->known = &row[i];
    if (file->known) {
        char given[120];
        snprintf(given, sizeof given, "%s of %s %s", file->known->digest, dve_generation(file->known->gen)->name,
                 file->known->set);
        tables_problem_add(dir, DVE_INTEGRITY_RULE_fingerprint, number, (int)key, given, "build 2.24.5133.0");
    }
}

int tables_has_controls(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return 1;
    return 0;
}

static int leaves_directory(const char *name)
{
    return !*name || tables_has_controls(name) || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void check_file_name(tables_dir *dir, int number, unsigned key)
{
    char wanted[300];
    const char *name = dir->set[number].file[key].name;
    snprintf(wanted, sizeof wanted, "%.200s_%s.bin", dir->set[number].name, dve_table_key_name(key));
    if (strcmp(name, wanted) != 0)
        tables_problem_add(dir, DVE_INTEGRITY_RULE_file_name, number, (int)key, name, wanted);
}

static void read_table(tables_dir *dir, int number, unsigned key)
{
    char text[200], allowed[80];
    dve_error error;
    dve_whole whole;
    tables_file *file = &dir->set[number].file[key];
    const dve_table_info *info = dve_table_of(dir->gen, key);
    if (!file->name)
        return;
    if (leaves_directory(file->name)) {
        tables_problem_add(dir, DVE_INTEGRITY_RULE_file_path, number, (int)key, file->name, "a name without / and control characters");
        return;
    }
    check_file_name(dir, number, key);
    if (read_file(dir, file->name, &whole, &error)) {
        tables_problem_add(dir, DVE_INTEGRITY_RULE_file_present, number, (int)key, error.text, "a file that can be read");
        return;
    }
    file->bytes = whole.bytes;
    file->size = whole.size;
    identify(dir, number, key);
    if (info && file->size == info->bytes)
        return;
    snprintf(text, sizeof text, "%.100s has %zu bytes", file->name, file->size);
    snprintf(allowed, sizeof allowed, "%u bytes on %s", info ? info->bytes : 0, dve_generation(dir->gen)->name);
    tables_problem_add(dir, DVE_INTEGRITY_RULE_table_size, number, (int)key, text, allowed);
}

static void make_set(tables_set *set, uint8_t gen)
{
    unsigned bad;
    dve_table_blob blobs[DVE_TABLE_KEYS];
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++)
        blobs[key] = (dve_table_blob){set->file[key].bytes, set->file[key].size};
    set->whole = set->ops && dve_table_set_make(gen, blobs, set->ops, set->ops_count, &set->set, &bad) == DVE_OK;
}

/* The member KaenaDVE: an object with two strings, which are empty in published files. */
static int is_stamp(json_object *root)
{
    json_object *stamp, *version, *sha;
    return json_object_is_type(root, json_type_object) && json_object_object_get_ex(root, "KaenaDVE", &stamp) &&
           json_object_is_type(stamp, json_type_object) && json_object_object_get_ex(stamp, "brazil_version", &version) &&
           json_object_is_type(version, json_type_string) && json_object_object_get_ex(stamp, "git_sha", &sha) &&
           json_object_is_type(sha, json_type_string);
}

static void check_version(tables_dir *dir)
{
    char given[80];
    dve_error error;
    dve_whole file;
    int stamped = 0;
    if (!read_file(dir, "version.json", &file, &error)) {
        file.bytes[file.size] = '\0';
        json_object *root = json_tokener_parse((const char *)file.bytes);
        stamped = is_stamp(root);
        json_object_put(root);
        snprintf(given, sizeof given, "%zu bytes%s", file.size, stamped ? "" : " without KaenaDVE and its two strings");
    }
    if (!stamped || file.size != VERSION_BYTES)
        tables_problem_add(dir, DVE_INTEGRITY_RULE_version_stamp, -1, -1, file.bytes ? given : error.text,
                           "80 bytes with KaenaDVE, an object with strings brazil_version and git_sha");
    free(file.bytes);
}

/* A folder with nothing but one dve_bin_genN in it stands for that one, as `neff extract --tables-dir` makes it. */
static const char *lone_folder(const char *path, char out[TABLES_PATH])
{
    static const char file[] = "/dve_info.json";
    char info[TABLES_PATH + sizeof file];
    unsigned found = 0;
    if (snprintf(info, sizeof info, "%.*s%s", TABLES_PATH - 1, path, file) < 0 || access(info, F_OK) == 0)
        return path;
    for (unsigned gen = DVE_GEN_FIRST; gen < DVE_GEN_FIRST + DVE_GEN_COUNT; gen++) {
        char folder[TABLES_PATH];
        int length = snprintf(folder, sizeof folder, "%s/dve_bin_gen%u", path, gen);
        if (length < 0 || length >= TABLES_PATH || snprintf(info, sizeof info, "%s%s", folder, file) < 0)
            return path;
        if (access(info, F_OK) == 0 && found++ == 0)
            memcpy(out, folder, sizeof folder);
    }
    return found == 1 ? out : path;
}

dve_status tables_open(const char *path, uint8_t gen, tables_dir *out)
{
    int one_of_two = out->one_of_two;
    memset(out, 0, sizeof *out);
    out->one_of_two = one_of_two;
    out->path = lone_folder(path, out->lone);
    dve_status status = tables_read_info(out, gen);
    for (size_t i = 0; !status && i < out->sets; i++) {
        for (unsigned key = 0; key < DVE_TABLE_KEYS; key++)
            read_table(out, (int)i, key);
        make_set(&out->set[i], out->gen);
    }
    if (!status)
        check_version(out);
    return status;
}

void tables_close(tables_dir *dir)
{
    for (size_t i = 0; i < dir->sets; i++) {
        for (unsigned key = 0; key < DVE_TABLE_KEYS; key++)
            free(dir->set[i].file[key].bytes);
        free(dir->set[i].ops);
    }
    free(dir->set);
    free(dir->problem);
    json_object_put(dir->info);
    memset(dir, 0, sizeof *dir);
}

static dve_status spare_file(const tables_dir *dir, const char *name, dve_outset *set)
{
    char path[TABLES_PATH], what[160];
    dve_error error;
    snprintf(what, sizeof what, "a file of the table sets %.100s", dir->path);
    if (!name || !tables_path(dir, name, path, sizeof path))
        return DVE_OK;
    dve_status status = dve_outset_spare(set, path, what, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

dve_status tables_spare(const tables_dir *dir, dve_outset *set)
{
    dve_status status = spare_file(dir, "dve_info.json", set);
    if (!status)
        status = spare_file(dir, "version.json", set);
    for (size_t i = 0; !status && i < dir->sets; i++)
        for (unsigned key = 0; !status && key < DVE_TABLE_KEYS; key++)
            status = spare_file(dir, dir->set[i].file[key].name, set);
    return status;
}

/* Why a set, or with -1 the directory, cannot be used: the first error about it. */
static dve_status refuse(const tables_dir *dir, int number)
{
    size_t count;
    char which[120] = "";
    const dve_integrity_info *rule = dve_isa_integrity(&count);
    if (number >= 0 && *dir->set[number].name)
        snprintf(which, sizeof which, ", set %.100s", dir->set[number].name);
    else if (number >= 0)
        snprintf(which, sizeof which, ", tables[%d]", number);
    for (size_t i = 0; i < dir->problems; i++) {
        const tables_problem *p = &dir->problem[i];
        if (rule[p->rule].severity == DVE_INTEGRITY_ERROR && (p->set == number || p->set < 0))
            return cli_fail(DVE_E_INPUT, "%.200s%s: %s, allowed is %s [%s]", dir->path, which, p->given, p->allowed,
                            rule[p->rule].id);
    }
    return cli_fail(DVE_E_INTERNAL, "%.200s: not enough memory", dir->path);
}

int tables_usable(const tables_set *set)
{
    return set->whole && !set->malformed;
}

static dve_status usable(const tables_dir *dir, size_t number)
{
    return tables_usable(&dir->set[number]) ? DVE_OK : refuse(dir, (int)number);
}

dve_status tables_pick(const tables_dir *dir, const char *name, const tables_set **out)
{
    char hint[160];
    *out = NULL;
    if (!dir->sets)
        return refuse(dir, -1);
    size_t at = 0;
    const char *wanted = name ? name : "default";
    while (at < dir->sets && strcmp(dir->set[at].name, wanted) != 0)
        at++;
    if (at == dir->sets && name) {
        cli_guess guess = cli_guess_begin(name);
        for (size_t i = 0; i < dir->sets; i++)
            cli_guess_try(&guess, dir->set[i].name);
        return cli_fail(DVE_E_USAGE, "%.200s has no set \"%.100s\"%s; `opendve tables show` lists them", dir->path, name,
                        cli_guess_hint(&guess, "", hint, sizeof hint));
    }
    at = at < dir->sets ? at : 0;
    dve_status status = usable(dir, at);
    *out = status ? NULL : &dir->set[at];
    return status;
}

dve_status tables_pick_shown(const tables_dir *dir, const char *name, const tables_set **out)
{
    dve_status status = DVE_OK;
    *out = NULL;
    for (size_t i = 0; !status && !name && i < dir->sets; i++)
        status = usable(dir, i);
    return status ? status : tables_pick(dir, name, out);
}

dve_status tables_open_named(const char *text, uint8_t gen, tables_dir *dir, const char **set)
{
    static char path[2][TABLES_PATH];                   /* the directories keep them */
    static unsigned turn;
    struct stat info;
    const char *colon = strrchr(text, ':');
    char *own = path[turn++ % 2];
    /* A directory of that very name wins over DIR:SET. */
    if (!colon || stat(text, &info) == 0)
        return tables_open(text, gen, dir);
    if ((size_t)(colon - text) >= TABLES_PATH)
        return cli_fail(DVE_E_USAGE, "%.200s...: the path is too long", text);
    if (*set && strcmp(*set, colon + 1) != 0)
        return cli_fail(DVE_E_USAGE, "option --set: %.100s was given, %.200s names another set; allowed is one of the two",
                        *set, text);
    memcpy(own, text, (size_t)(colon - text));
    own[colon - text] = '\0';
    *set = colon + 1;
    return tables_open(own, gen, dir);
}

dve_status tables_open_set(const char *text, const char *set, uint8_t gen, tables_dir *dir, const tables_set **out)
{
    *out = NULL;
    dve_status status = tables_open_named(text, gen, dir, &set);
    return status ? status : tables_pick(dir, set, out);
}
