/* SPDX-License-Identifier: Apache-2.0 */
/* Writes plans: a step a line, however many there are. */
#include "plan_json.h"
#include "plan_parts.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { LINE = 512 };

/* Text that grows line by line; the first failure stays. */
typedef struct writer {
    dve_outset *set;
    unsigned output;
    char line[LINE];
    size_t length;
    dve_status status;
    dve_error error;
} writer;

__attribute__((format(printf, 2, 3))) static void add(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(w->line + w->length, sizeof w->line - w->length, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof w->line - w->length) {
        w->status = DVE_E_INTERNAL;              /* no member is that long */
        dve_error_set(&w->error, "a line of the plan is too long");
        return;
    }
    w->length += (size_t)n;
}

static void end_line(writer *w)
{
    add(w, "\n");
    if (!w->status)
        w->status = dve_outset_write(w->set, w->output, w->line, w->length, &w->error);
    w->length = 0;
}

static void write_member(writer *w, const dve_plan_step *step, const plan_member *member)
{
    const unsigned char *at = (const unsigned char *)step + member->offset;
    uint32_t u32;
    uint64_t u64;
    dve_place place;
    add(w, ",\"%s\":", member->name);
    switch (member->kind) {
    case PLAN_U64:
        memcpy(&u64, at, sizeof u64);
        add(w, "%" PRIu64, u64);
        break;
    case PLAN_DTYPE: add(w, "\"%s\"", dve_dtype(*at)->name); break;
    case PLAN_OUTPUT: add(w, "\"%s\"", plan_outputs[*at]); break;
    case PLAN_PLACE:
        memcpy(&place, at, sizeof place);
        add(w, "{\"space\":\"%s\",\"partition\":%" PRIu32 ",\"offset\":%" PRIu32 "}", dve_space_name(place.space),
            place.partition, place.offset);
        break;
    default:
        memcpy(&u32, at, sizeof u32);
        if (member->kind == PLAN_FROM && u32 == DVE_PLAN_INPUT)
            add(w, "\"input\"");
        else
            add(w, "%" PRIu32, u32);
    }
}

static void write_settings(writer *w, const dve_settings *settings)
{
    size_t count;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    const char *comma = "";
    add(w, "\"settings\":{");
    for (size_t i = 0; i < count; i++) {
        if (!*rows[i].values)
            continue;
        const char *word = rows[i].values;
        for (unsigned n = settings->value[i]; n; n--)
            word += strcspn(word, " ") + 1;
        add(w, "%s\"%s\":\"%.*s\"", comma, rows[i].id, (int)strcspn(word, " "), word);
        comma = ",";
    }
    add(w, "},");
    end_line(w);
}

static void write_head(writer *w, const dve_topk_options *o)
{
    static const dve_num_config num;
    json_object *marker = cli_json_bits(dve_topk_working_dtype(o), dve_topk_marker(o), &num);
    add(w, "{\"schema\":\"opendve.plan/1\",\"version\":\"%s\",\"gen\":\"%s\",", OPENDVE_VERSION,
        dve_generation(o->gen)->name);
    end_line(w);
    write_settings(w, &o->settings);
    add(w, "\"rows\":%" PRIu64 ",\"columns\":%" PRIu64 ",\"k\":%" PRIu64 ",\"dtype\":\"%s\",\"method\":\"%s\",",
        o->rows, o->columns, o->k, dve_dtype(o->dtype)->name, plan_methods[o->method]);
    add(w, "\"replace\":%s,", json_object_to_json_string_ext(marker, JSON_C_TO_STRING_PLAIN));
    end_line(w);
    json_object_put(marker);
    add(w, "\"steps\":[");
    end_line(w);
}

dve_status cli_plan_write(const dve_plan *plan, dve_outset *set, const cli_plan_files *files)
{
    size_t count, records;
    const dve_plan_step *steps = dve_plan_steps(plan, &count);
    const dve_record *record = dve_plan_records(plan, &records);
    writer w = {.set = set, .output = files->json};
    write_head(&w, dve_plan_options(plan));
    for (size_t i = 0; i < count && !w.status; i++) {
        add(&w, "{\"step\":\"%s\"", plan_actions[steps[i].action]);
        for (unsigned m = 0; m < PLAN_MEMBERS; m++)
            if (plan_members[m].actions >> steps[i].action & 1)
                write_member(&w, &steps[i], &plan_members[m]);
        add(&w, i + 1 < count ? "}," : "}");
        end_line(&w);
    }
    add(&w, "]}");
    end_line(&w);
    if (!w.status)
        w.status = dve_outset_write(set, files->bin, record, records * sizeof *record, &w.error);
    return w.status ? cli_fail(w.status, "%s", w.error.text) : DVE_OK;
}
