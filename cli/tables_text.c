/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the text reports of `opendve tables`. */
#include "tables.h"
#include "table.h"
#include <inttypes.h>
#include <string.h>

void tables_text_head(const tables_dir *dir)
{
    printf("%s: %s (%s), %zu set%s\n", dir->path, dve_generation(dir->gen)->name, dir->gen_from, dir->sets,
           dir->sets == 1 ? "" : "s");
}

const char *tables_roster_word(const dve_roster_info *roster, const tables_set *set)
{
    if (!roster)
        return "no published set has this name";
    if (!roster->known)
        return !roster->count ? "unpublished" : roster->count == set->ops_count ? "unpublished, the count agrees"
                                                                                : "unpublished, the count differs";
    if (roster->known != set->ops_count)
        return "differs from the published one";
    for (size_t i = 0; i < set->ops_count; i++)
        if (set->ops[i] != roster->opcode[i])
            return "differs from the published one";
    return "as published";
}

int tables_census_matches(const tables_set *set, const dve_table_census *census)
{
    return strcmp(set->name, "default") == 0 && dve_table_census_matches(set->set.gen, census) != 0;
}

/* What the runtime takes as the set's identity, parameter memory included: 256 fp32, 1 / (i + 1). */
char *tables_runtime_hash(const tables_set *set, char *out)
{
    uint8_t digest[DVE_SHA256_BYTES];
    dve_sha256_sum *sum = dve_sha256_begin();
    if (!sum)
        return NULL;
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++)
        if (set->set.table[key])
            dve_sha256_add(sum, set->set.table[key], dve_table_of(set->set.gen, key)->bytes);
    for (unsigned i = 0; i < 256; i++) {
        float value = 1.0f / (float)(i + 1);
        uint32_t bits;
        uint8_t bytes[4];
        memcpy(&bits, &value, sizeof bits);
        for (unsigned b = 0; b < 4; b++)
            bytes[b] = (uint8_t)(bits >> 8 * b);
        dve_sha256_add(sum, bytes, sizeof bytes);
    }
    dve_sha256_end(sum, digest);
    return dve_digest_hex(digest, sizeof digest, out);
}

char *tables_slow_group(const uint8_t *bytes, unsigned group, char *out, size_t capacity)
{
    uint64_t head = 0;
    size_t used = 0;
    for (unsigned i = 0; i < 6; i++)
        head |= (uint64_t)bytes[i] << 8 * i;
    for (unsigned i = 0; group == 0 && i < 4; i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%03" PRIx64, i ? " " : "", head >> 12 * i & 0xfff);
    for (unsigned i = 0; group == 1 && i < 8; i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%u", i ? " " : "", (unsigned)(head >> 6 * i & 0x3f));
    for (unsigned i = 8; group == 2 && i > 0; i--)
        used += (size_t)snprintf(out + used, capacity - used, "%u", bytes[6] >> (i - 1) & 1u);
    return out;
}

static void slow_groups(const uint8_t *bytes)
{
    char steps[64], lanes[64], mask[16];
    printf("    four steps of 12 bits: %s\n    or eight lanes of 6:    %s, byte 6 as a mask %s\n",
           tables_slow_group(bytes, 0, steps, sizeof steps), tables_slow_group(bytes, 1, lanes, sizeof lanes),
           tables_slow_group(bytes, 2, mask, sizeof mask));
}

void tables_text_row(const dve_table_set *set, unsigned key, uint64_t row)
{
    size_t count;
    char text[64];
    const dve_table_field *field = dve_table_control_fields(&count);
    const uint8_t *bytes = dve_table_row(set, key, row);
    printf("%s row %" PRIu64 ": ", dve_table_key_name(key), row);
    if (!bytes) {
        printf("outside the table\n");
        return;
    }
    printf("%s%s\n", tables_hex(bytes, 16, text, sizeof text), dve_table_row_used(set, key, row) ? "" : " (unused)");
    for (size_t i = 0; i < count; i++)
        if (field[i].key == key)
            printf("    %-16s %-18s %s [%s %c]\n", field[i].name,
                   tables_hex(bytes + field[i].at, field[i].width, text, sizeof text), field[i].meaning,
                   field[i].source, field[i].conf);
    if (key == DVE_TABLE_CONTROL_SLOW)
        slow_groups(bytes);
}

dve_status tables_text_block(uint8_t gen, const dve_table_block *block)
{
    static const char *const gen2[] = {">lane", "word", "class", ">VALID", ">MODE", ">STAGE", ">OPA", ">OPB", ">MUX", NULL};
    static const char *const later[] = {">lane", "word", "class", ">VALID", ">MODE", ">STAGE", "below VALID",
                                        "above STAGE", NULL};
    cli_table table;
    cli_table_begin(&table, gen == 2 ? gen2 : later);
    for (unsigned l = 0; l < DVE_TABLE_LANES; l++) {
        const dve_table_lane *lane = &block->lane[l];
        cli_table_add(&table, "%u", l);
        cli_table_add(&table, "0x%0*" PRIx64, gen == 2 ? 8 : 16, lane->word);
        cli_table_add(&table, "%s", dve_lane_class_name(lane->kind));
        cli_table_add(&table, "%u", lane->valid);
        cli_table_add(&table, "%u", lane->mode);
        cli_table_add(&table, "%u", lane->stage);
        if (gen == 2) {
            cli_table_add(&table, "0x%02x", lane->opa);
            cli_table_add(&table, "%u", lane->opb);
            cli_table_add(&table, "0x%03x", lane->mux);
        } else {
            cli_table_add(&table, "0x%" PRIx64, lane->low);
            cli_table_add(&table, "0x%" PRIx64, lane->high);
        }
    }
    return cli_table_end(&table, stdout) ? DVE_OK : cli_fail(DVE_E_INTERNAL, "not enough memory");
}
