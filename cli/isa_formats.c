/* SPDX-License-Identifier: Apache-2.0 */
/* Formats with a ruler: one letter a field over the 64 bytes. */
#include "isa.h"
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

char cli_isa_letter(const dve_field_info *field, unsigned number)
{
    return field->kind == DVE_KIND_ZERO ? '0' : number < sizeof letters - 1 ? letters[number] : '?';
}

/* Bytes that several fields share show the first one; the list below says which bits are whose. */
void cli_isa_ruler(const dve_field_info *fields, unsigned count)
{
    char line[DVE_RECORD_BYTES + 1];
    memset(line, '.', DVE_RECORD_BYTES);
    line[DVE_RECORD_BYTES] = '\0';
    for (unsigned i = 0; i < count; i++)
        for (unsigned b = fields[i].byte; b < fields[i].byte + (fields[i].bit + fields[i].width + 7u) / 8; b++)
            if (b < DVE_RECORD_BYTES && line[b] == '.')
                line[b] = cli_isa_letter(&fields[i], i);
    printf("    byte  0       8       16      24      32      40      48      56\n"
           "          |.......|.......|.......|.......|.......|.......|.......|.......\n"
           "          %s\n", line);
}

static void print_field(const dve_field_info *field, unsigned number)
{
    unsigned bits = field->bit + field->width, last = field->byte + (bits + 7u) / 8 - 1;
    char where[40];
    if (bits % 8 || field->bit)
        snprintf(where, sizeof where, "%u bits %u..%u", field->byte, field->bit, bits - 1);
    else if (last > field->byte)
        snprintf(where, sizeof where, "%u..%u", field->byte, last);
    else
        snprintf(where, sizeof where, "%u", field->byte);
    printf("    %c     %-12s  %-20s  %-8s  %s%s%s\n", cli_isa_letter(field, number), where,
           field->name, cli_isa_kind(field->kind), field->meaning, *field->unit ? ", " : "", field->unit);
}

static void print_opcodes(const isa_view *view, uint8_t format)
{
    size_t count;
    unsigned column = 0;
    const dve_opcode_info *rows = dve_isa_opcodes(&count);
    if (format == DVE_FORMAT_RAW) {
        puts("    opcodes: every one whose format is not described");
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (dve_opcode_has_format(rows[i].value, format) && cli_isa_shown(view, rows[i].gens))
            printf("%s%s (0x%02x)", column++ ? ", " : "    opcodes: ", rows[i].name, rows[i].value);
    if (column)
        putchar('\n');
}

static void print_operands(const dve_format_info *format)
{
    size_t rows;
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    const dve_field_info *fields = dve_isa_fields(&rows);
    for (unsigned i = 0; i < format->operands; i++)
        printf("    operand: %s, %u-D, %s, data type in %s%s\n", operand[i].name, operand[i].dims,
               operand[i].access == DVE_ACCESS_WRITE ? "written" : "read", fields[operand[i].dtype_field].name,
               operand[i].form == DVE_OPERAND_MEMORY     ? ", through an index list from gen4 on"
               : operand[i].form == DVE_OPERAND_INDIRECT ? ", through an index list"
                                                         : "");
}

dve_status cli_isa_text_formats(const isa_view *view)
{
    size_t count, rows;
    const dve_format_info *formats = dve_isa_formats(&count);
    for (size_t f = 0; f < count; f++) {
        if (!cli_isa_format_shown(view, (uint8_t)f))
            continue;
        const dve_field_info *fields = dve_isa_fields(&rows) + formats[f].first_field;
        printf("%s%s: %s [%s]\n", f ? "\n" : "", formats[f].name, formats[f].meaning, formats[f].source);
        print_opcodes(view, (uint8_t)f);
        print_operands(&formats[f]);
        cli_isa_ruler(fields, formats[f].fields);
        for (unsigned i = 0; i < formats[f].fields; i++)
            print_field(&fields[i], i);
    }
    return DVE_OK;
}
