/* SPDX-License-Identifier: Apache-2.0 */
/* Values of tables as words, hex digits and ranges. */
#include "tables.h"
#include <inttypes.h>

char *tables_opcode_text(uint8_t opcode, uint8_t gen, char *out, size_t capacity)
{
    snprintf(out, capacity, "0x%02x %s", opcode, opcode ? dve_wire_name((dve_wire_opcode){opcode}, gen) : "idle");
    return out;
}

char *tables_hex(const uint8_t *bytes, size_t count, char *out, size_t capacity)
{
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < count && used + 4 <= capacity; i++)
        used += (size_t)snprintf(out + used, capacity - used, i ? " %02x" : "%02x", bytes[i]);
    return out;
}

char *tables_ranges(const uint8_t bits[32], char *out, size_t capacity)
{
    size_t used = 0;
    *out = '\0';
    for (unsigned first = 0; first < 256; first++) {
        unsigned last = first;
        if (!(bits[first / 8] >> first % 8 & 1))
            continue;
        while (last < 255 && bits[(last + 1) / 8] >> (last + 1) % 8 & 1)
            last++;
        if (used + 16 > capacity)
            return out;
        used += (size_t)snprintf(out + used, capacity - used, first == last ? "%s%u" : "%s%u..%u", used ? ", " : "",
                                 first, last);
        first = last;
    }
    return out;
}

json_object *tables_json_hex(uint64_t value, int digits)
{
    char text[24];
    snprintf(text, sizeof text, "0x%0*" PRIx64, digits, value);
    return json_object_new_string(text);
}

json_object *tables_json_opcode(uint8_t opcode, uint8_t gen)
{
    const dve_opcode_info *info = dve_opcode(opcode);
    json_object *object = json_object_new_object();
    json_object_object_add(object, "opcode", tables_json_hex(opcode, 2));
    json_object_object_add(object, "value", json_object_new_int(opcode));
    json_object_object_add(object, "name", cli_json_text(opcode ? dve_wire_name((dve_wire_opcode){opcode}, gen) : "idle"));
    json_object_object_add(object, "mnemonic", cli_json_text(opcode && info ? info->mnemonic : NULL));
    return object;
}

const char *tables_slot_kind(const dve_table_set *set, uint8_t opcode)
{
    dve_table_entry entry;
    dve_table_entry_at(set, (dve_wire_opcode){opcode}, &entry);
    if (!entry.raw)
        return entry.enabled ? "missing" : "absent";
    return entry.enabled ? "enabled" : opcode ? "resident" : "idle";
}
