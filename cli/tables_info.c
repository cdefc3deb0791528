/* SPDX-License-Identifier: Apache-2.0 */
/* dve_info.json: which sets there are, their files and opcodes; which generation they are of. */
#include "json_read.h"
#include "tables.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned three[] = {DVE_TABLE_OPCODE, DVE_TABLE_CONTROL, DVE_TABLE_DATAPATH};
static const unsigned four[] = {DVE_TABLE_OPCODE, DVE_TABLE_CONTROL_FAST, DVE_TABLE_CONTROL_SLOW, DVE_TABLE_DATAPATH};

char *tables_path(const tables_dir *dir, const char *name, char *out, size_t capacity)
{
    int length = snprintf(out, capacity, "%s/%s", dir->path, name);
    return length < 0 || (size_t)length >= capacity ? NULL : out;
}

static void shape(tables_dir *dir, int set, const char *given, const char *allowed)
{
    if (set >= 0)
        dir->set[set].malformed = 1;
    tables_problem_add(dir, DVE_INTEGRITY_RULE_info_shape, set, -1, given, allowed);
}

/* dve_table_keys is one of two lists; the order is theirs. */
static int is_list(json_object *keys, const unsigned *wanted, size_t count)
{
    if (!json_object_is_type(keys, json_type_array) || json_object_array_length(keys) != count)
        return 0;
    for (size_t i = 0; i < count; i++) {
        json_object *key = json_object_array_get_idx(keys, i);
        if (!json_object_is_type(key, json_type_string) ||
            strcmp(json_object_get_string(key), dve_table_key_name(wanted[i])) != 0)
            return 0;
    }
    return 1;
}

/* What dve_table_check says of the range and order of opcodes, for numbers that it cannot take. */
static void judge_far_ops(tables_dir *dir, int number, json_object *ops)
{
    json_object *before = NULL;
    for (size_t i = 0; i < json_object_array_length(ops); i++) {
        char given[80];
        json_object *op = json_object_array_get_idx(ops, i);
        int64_t value = json_object_get_int64(op);
        if (!json_object_is_type(op, json_type_int))
            continue;
        snprintf(given, sizeof given, "opcode %s", json_object_to_json_string(op));
        if (value < 1 || value > 255)
            tables_problem_add(dir, DVE_INTEGRITY_RULE_ops_range, number, -1, given, "1..255");
        if (before && value <= json_object_get_int64(before) &&
            (value < INT64_MAX || json_object_get_uint64(op) <= json_object_get_uint64(before))) {
            snprintf(given + strlen(given), sizeof given - strlen(given), " behind %s", json_object_to_json_string(before));
            tables_problem_add(dir, DVE_INTEGRITY_RULE_ops_order, number, -1, given, "ascending, each once");
        }
        before = op;
    }
}

static void take_ops(tables_dir *dir, int number, json_object *ops)
{
    tables_set *set = &dir->set[number];
    if (!json_object_is_type(ops, json_type_array)) {
        shape(dir, number, "no array \"ops\"", "an array of opcodes");
        return;
    }
    size_t count = json_object_array_length(ops);
    set->ops_given = ops;
    set->ops = calloc(count ? count : 1, sizeof *set->ops);
    for (size_t i = 0; set->ops && i < count; i++) {
        json_object *op = json_object_array_get_idx(ops, i);
        int64_t value = json_object_get_int64(op);
        if (!json_object_is_type(op, json_type_int)) {
            char given[80];
            snprintf(given, sizeof given, "ops[%zu] is %.40s", i, json_object_to_json_string(op));
            shape(dir, number, given, "a whole number");
            continue;
        }
        set->ops_far |= value > INT32_MAX || value < INT32_MIN;
        set->ops[set->ops_count++] = value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
    }
    if (set->ops_far)
        judge_far_ops(dir, number, ops);
}

static void take_set(tables_dir *dir, int number, json_object *object)
{
    tables_set *set = &dir->set[number];
    json_object *member;
    const unsigned *keys = dir->three_keys ? three : four;
    size_t count = dir->three_keys ? sizeof three / sizeof three[0] : sizeof four / sizeof four[0];
    set->name = "";
    if (!json_object_is_type(object, json_type_object)) {
        shape(dir, number, "the set is no object", "an object");
        return;
    }
    if (json_object_object_get_ex(object, "name", &member) && json_object_is_type(member, json_type_string) &&
        !tables_has_controls(json_object_get_string(member)))
        set->name = json_object_get_string(member);
    else
        shape(dir, number, "no string \"name\" that can be printed", "the set's name");
    for (size_t k = 0; k < count; k++) {
        const char *key = dve_table_key_name(keys[k]);
        char given[64];
        if (json_object_object_get_ex(object, key, &member) && json_object_is_type(member, json_type_string)) {
            set->file[keys[k]].name = json_object_get_string(member);
            continue;
        }
        snprintf(given, sizeof given, "no string \"%s\"", key);
        shape(dir, number, given, "the name of a file");
    }
    json_object_object_get_ex(object, "ops", &member);
    take_ops(dir, number, json_object_object_get_ex(object, "ops", &member) ? member : NULL);
}

static void check_names(tables_dir *dir)
{
    int has_default = 0;
    for (size_t i = 0; i < dir->sets; i++) {
        has_default |= strcmp(dir->set[i].name, "default") == 0;
        for (size_t j = 0; *dir->set[i].name && j < i; j++)
            if (strcmp(dir->set[i].name, dir->set[j].name) == 0) {
                tables_problem_add(dir, DVE_INTEGRITY_RULE_set_unique, (int)i, -1, dir->set[i].name, "another name");
                break;
            }
    }
    if (!has_default)
        tables_problem_add(dir, DVE_INTEGRITY_RULE_default_set, -1, -1, "no set of that name", "default");
}

static dve_status take_sets(tables_dir *dir)
{
    json_object *list;
    if (!json_object_object_get_ex(dir->info, "tables", &list) || !json_object_is_type(list, json_type_array) ||
        json_object_array_length(list) == 0) {
        shape(dir, -1, "no array \"tables\" with a set", "an array of sets");
        return DVE_OK;
    }
    size_t sets = json_object_array_length(list);
    dir->set = calloc(sets, sizeof *dir->set);
    if (!dir->set)
        return cli_fail(DVE_E_INTERNAL, "not enough memory");
    dir->sets = sets;
    for (size_t i = 0; i < sets; i++)
        take_set(dir, (int)i, json_object_array_get_idx(list, i));
    check_names(dir);
    return DVE_OK;
}

/* The generation that the directory's own name tells: dve_bin_gen4. 0 if it tells none. */
static uint8_t of_name(const char *path)
{
    char here[4096];
    uint8_t gen = 0;
    if (strcmp(path, ".") == 0 || strcmp(path, "./") == 0)
        path = getcwd(here, sizeof here) ? here : "";
    size_t end = strlen(path), start;
    while (end && path[end - 1] == '/')
        end--;
    for (start = end; start && path[start - 1] != '/'; start--)
        ;
    for (size_t i = start; i + 4 <= end; i++)
        if (strncmp(path + i, "gen", 3) == 0 && path[i + 3] >= '2' && path[i + 3] <= '9')
            gen = (uint8_t)(path[i + 3] - '0');
    return gen;
}

static int has_gen4_marks(const tables_dir *dir)
{
    for (size_t i = 0; i < dir->sets; i++) {
        if (strcmp(dir->set[i].name, "saturate") == 0)
            return 1;
        for (size_t n = 0; n < dir->set[i].ops_count; n++)
            if (dir->set[i].ops[n] == DVE_OPCODE_QUANTIZE_MX)
                return 1;
    }
    return 0;
}

/* R40. Three keys are gen2's alone. */
static dve_status choose_gen(tables_dir *dir, uint8_t gen)
{
    if (dir->one_of_two && gen != 5 && (gen == 2) != dir->three_keys)
        gen = 0;
    if (gen == 5 || (gen && (gen == 2) != dir->three_keys))
        return cli_fail(DVE_E_USAGE, "option --gen: %s was given, %.200s has sets of %s tables, as %s",
                        dve_generation(gen)->name, dir->path, dir->three_keys ? "three" : "four",
                        dir->three_keys ? "gen2 has" : "gen3 and gen4 have");
    uint8_t named = of_name(dir->path);
    dir->gen = 2;
    dir->gen_from = "three tables a set";
    if (dir->three_keys)
        return DVE_OK;
    if (gen) {
        dir->gen = gen;
        dir->gen_from = "--gen";
    } else if (named == 3 || named == 4) {
        dir->gen = named;
        dir->gen_from = "the directory's name";
    } else if (has_gen4_marks(dir)) {
        dir->gen = 4;
        dir->gen_from = "opcode 227 or a set named saturate";
    } else {
        dir->gen = 3;
        dir->gen_from = "four tables a set, without opcode 227 and saturate";
    }
    return DVE_OK;
}

dve_status tables_read_info(tables_dir *out, uint8_t gen)
{
    char path[4096];
    json_object *keys = NULL;
    if (!tables_path(out, "dve_info.json", path, sizeof path))
        return cli_fail(DVE_E_USAGE, "%.200s...: the path is too long", out->path);
    out->info = cli_json_read_regular(path);
    if (!out->info)
        return DVE_E_INPUT;
    if (!json_object_is_type(out->info, json_type_object))
        return cli_fail(DVE_E_INPUT, "%.200s: $ is no object with dve_table_keys and tables", path);
    json_object_object_get_ex(out->info, "dve_table_keys", &keys);
    out->three_keys = is_list(keys, three, sizeof three / sizeof three[0]);
    if (!out->three_keys && !is_list(keys, four, sizeof four / sizeof four[0])) {
        char given[160];
        snprintf(given, sizeof given, "dve_table_keys is %.120s", keys ? json_object_to_json_string(keys) : "absent");
        shape(out, -1, given, "opcode, control (gen2) or control_fast and control_slow (later), datapath, each with _table");
        out->gen = gen ? gen : DVE_GEN_DEFAULT;
        out->gen_from = gen ? "--gen" : "the program's default";
        return DVE_OK;
    }
    dve_status status = take_sets(out);
    return status ? status : choose_gen(out, gen);
}
