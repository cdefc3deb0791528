/* SPDX-License-Identifier: Apache-2.0 */
/* The machine around the instructions: configs and memory, what it refuses and that a refusal changes
 * nothing, waits and updates, budgets, registers, observers, reset. */
#include "machines.h"
#include "ops/ops.h"
#include "random.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dve_machine_config defaults(void)
{
    dve_machine_config config;
    dve_machine_defaults(&config);
    return config;
}

static dve_record base(uint8_t opcode)
{
    dve_record record;
    record_base(opcode, &record);
    return record;
}

/* ---- Configs and memory ---- */

static void bad_configs(void **state)
{
    (void)state;
    dve_machine_config config = defaults();
    dve_machine *m;
    size_t size = dve_machine_size(&config);
    uint8_t *memory = calloc(1, size + 64);
    assert_non_null(memory);
    uint8_t *aligned = memory + (64 - (uintptr_t)memory % 64) % 64;
    assert_int_equal(config.gen, 3);
    assert_int_equal(dve_machine_init(NULL, size, &config, &m), DVE_E_USAGE);
    assert_null(m);
    assert_int_equal(dve_machine_init(aligned, size - 1, &config, &m), DVE_E_USAGE);
    assert_int_equal(dve_machine_init(aligned + 8, size, &config, &m), DVE_E_USAGE);
    assert_int_equal(dve_machine_init(aligned, size, NULL, &m), DVE_E_USAGE);
    for (unsigned gen = 0; gen < 256; gen++) {
        config.gen = (uint8_t)gen;
        int served = gen >= DVE_GEN_FIRST && gen <= DVE_GEN_LAST;
        assert_int_equal(dve_machine_size(&config) != 0, served);
        if (!served)
            assert_int_equal(dve_machine_init(aligned, size, &config, &m), DVE_E_USAGE);
    }
    config = defaults();
    config.size--;
    assert_int_equal(dve_machine_size(&config), 0);
    assert_int_equal(dve_machine_init(aligned, size, &config, &m), DVE_E_USAGE);
    assert_null(dve_machine_new(&config));
    assert_null(m);
    config.size++;
    assert_int_equal(dve_machine_init(aligned, size, &config, &m), DVE_OK);
    assert_ptr_equal(m, aligned);
    assert_memory_equal(dve_machine_get_config(m), &config, offsetof(dve_machine_config, ops));
    free(memory);
    assert_int_equal(dve_machine_size(NULL), 0);
    dve_machine_free(NULL);
}

static size_t active_bytes(uint8_t gen)
{
    const dve_generation_info *g = dve_generation(gen);
    return (size_t)DVE_LANES * (g->sbuf_active + g->psum_active);
}

static void size_bound(void **state)
{
    (void)state;
    for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
        dve_machine_config config = defaults();
        config.gen = gen;
        size_t active = active_bytes(gen), size = dve_machine_size(&config);
        assert_true(size >= active + active / 8);
        assert_true(size <= active + active / 4 + active / 8);   /* memory, a quarter, and a bit a byte */
        uint32_t sbuf_bytes, psum_bytes;
        dve_machine *m = dve_machine_new(&config);
        assert_non_null(dve_machine_bytes(m, DVE_SPACE_SBUF, 127, &sbuf_bytes));
        assert_non_null(dve_machine_bytes(m, DVE_SPACE_PSUM, 127, &psum_bytes));
        assert_true(sbuf_bytes == dve_generation(gen)->sbuf_active && psum_bytes == 16384);
        dve_machine_free(m);
    }
}

static long resident_pages(void)
{
    long whole, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return -1;
    int read = fscanf(file, "%ld %ld", &whole, &resident);
    fclose(file);
    return read == 2 ? resident : -1;
}

/* Pages that nothing touches are never committed. */
static void lazily_committed(void **state)
{
    (void)state;
    long before = resident_pages();
    if (before < 0) {
        print_message("SKIPPED lazily_committed: no /proc/self/statm here to read the resident set from\n");
        skip();
    }
    watched w;
    watch(&w, NULL);
    dve_record record = base(0x6c);
    SET(&record, S4D2_BN_num_active_channels, 4);
    assert_int_equal(run(&w, &record), DVE_OK);
    dve_machine_config config = *dve_machine_get_config(w.m);
    long grown = (resident_pages() - before) * sysconf(_SC_PAGESIZE);
    assert_true(grown < (long)(dve_machine_size(&config) / 20));
    unwatch(&w);
}

/* ---- Refusals ---- */

typedef struct refusal_case {
    dve_refusal reason;
    dve_status status;
    dve_record record;
} refusal_case;

static const dve_record EMPTY;

/* A record of each reason but budgets, for gen3. */
static size_t refusals(refusal_case *out)
{
    size_t n = 0;
    static const uint8_t opcodes[] = {0x9f, 0x43, 0x41, 0x42, 0x02, 0x21, 0x24, 0x7e, 0xc1, 0xa0, 0xa4, 0xb5};
    for (size_t i = 0; i < LENGTH(opcodes); i++) {
        uint8_t opcode = opcodes[i];
        dve_refusal reason = opcode >= 0xa0 && opcode <= 0xb7         ? DVE_REFUSED_CONTROL
                             : dve_opcode(opcode)->engine[1] == 'D' ? DVE_REFUSED_NOT_EXECUTED
                                                                     : DVE_REFUSED_ENGINE;
        out[n++] = (refusal_case){reason, DVE_E_FINDING, base(opcode)};
    }
    refusal_case plain = {DVE_REFUSED_ILLEGAL, DVE_E_FINDING, base(0x6c)};
    out[n] = plain;
    SET(&out[n++].record, S4D2_BN_dst_num0, 7);
    out[n] = plain;
    SET(&out[n++].record, S4D2_BN_src_step0, 0x8000);    /* out of the partition */
    out[n] = (refusal_case){DVE_REFUSED_ILLEGAL, DVE_E_FINDING, EMPTY};
    n++;
    plain.reason = DVE_REFUSED_WAIT;
    out[n] = plain;
    SET(&out[n].record, S4D2_BN_update_mode, DVE_UPDATE_MODE_SEM_INC_COMPLETE);
    SET(&out[n++].record, S4D2_BN_wait_mode, DVE_WAIT_MODE_EVT_SET_THEN_CLEAR);
    plain.reason = DVE_REFUSED_REGISTER;
    out[n] = plain;
    SET(&out[n].record, S4D2_BN_semaphore_value, 64);
    SET(&out[n++].record, S4D2_BN_update_mode, DVE_UPDATE_MODE_SEM_ADD_REG_READ);
    plain.reason = DVE_REFUSED_SHAPE_REGISTER;
    out[n] = plain;
    SET(&out[n++].record, S4D2_BN_src_start_addr, 0x40000003);
    out[n] = plain;
    SET(&out[n++].record, S4D2_BN_dst_start_addr, 0xc0000003);
    plain.reason = DVE_REFUSED_ILLEGAL;
    out[n] = plain;
    SET(&out[n++].record, S4D2_BN_dst_start_addr, 0x80000007);    /* the register holds 1: not aligned */
    return n;
}

static void prepare(watched *w, const dve_machine_config *config)
{
    watch(w, config);
    test_random r = {7};
    for (uint32_t p = 0; p < 3; p++)
        for (uint32_t i = 0; i < 0x20040; i += 4)
            put_words(w, p, i, 4, &(uint32_t){random_bits(&r)}, 1);
    dve_machine_registers(w->m)[7] = 1;
    dve_machine_semaphores(w->m)[0] = 5;
}

/* A refused record leaves memory, written map, hidden state, semaphores, events, registers and numbering, the
 * whole block, as it was, and is not observed. */
static void refused_without_a_trace(watched *w, const refusal_case *c)
{
    dve_machine_config config = *dve_machine_get_config(w->m);
    size_t size = dve_machine_size(&config);
    uint64_t number = dve_machine_next_record(w->m);
    uint8_t *before = malloc(size);
    assert_non_null(before);
    memcpy(before, (const void *)w->m, size);
    dve_status status = run(w, &c->record);
    if (status != c->status || w->stop.reason != c->reason)
        fail_msg("status %d reason %d, wanted %d %d\n  %s", status, w->stop.reason, c->status, c->reason,
                 record_text(&c->record));
    assert_true(w->hazards == 0 && w->steps == 0 && w->stop.record == number);
    assert_int_equal(memcmp(before, (const void *)w->m, size), 0);
    free(before);
}

static void refused_records_change_nothing(void **state)
{
    (void)state;
    refusal_case cases[32];
    size_t count = refusals(cases);
    watched w;
    prepare(&w, NULL);
    for (size_t i = 0; i < count; i++)
        refused_without_a_trace(&w, &cases[i]);
    unwatch(&w);
}

static void budgets_change_nothing(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config = defaults();
    config.max_records = 1;
    config.max_elements = 16;
    prepare(&w, &config);
    refusal_case c = {DVE_REFUSED_ELEMENTS, DVE_E_BUDGET, base(0x6c)};
    SET(&c.record, S4D2_BN_src_num0, 17);
    refused_without_a_trace(&w, &c);
    SET(&c.record, S4D2_BN_src_num0, 16);
    assert_int_equal(run(&w, &c.record), DVE_OK);
    c.reason = DVE_REFUSED_RECORDS;
    refused_without_a_trace(&w, &c);
    unwatch(&w);
}

/* Nothing after a refused record runs; the stop says which and holds it decoded. */
static void a_refusal_ends_the_run(void **state)
{
    (void)state;
    watched w;
    prepare(&w, NULL);
    dve_record records[4] = {base(0x6c), base(0x6d), base(0x6c), base(0x6d)};
    SET(&records[2], S4D2_BN_in_dtype, DVE_DTYPE_FP32R);
    dve_machine_set_next_record(w.m, 100);
    assert_int_equal(run_all(&w, records, 4), DVE_E_FINDING);
    assert_int_equal(w.steps, 2);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
    assert_true(w.stop.record == 102 && dve_machine_next_record(w.m) == 102);
    assert_int_equal(dve_insn_opcode(&w.stop.insn), 0x6c);
    assert_int_equal(w.stop.broken, 1);
    assert_int_equal(w.stop.diags[0].rule, DVE_RULE_s4d2_bn_in_dtype);
    assert_int_equal(run_all(&w, records, 2), DVE_OK);
    assert_int_equal(w.stop.reason, DVE_REFUSED_NOT);
    assert_true(dve_machine_next_record(w.m) == 104);
    assert_int_equal(run_all(&w, records, 0), DVE_OK);
    assert_int_equal(w.stop.reason, DVE_REFUSED_NOT);
    unwatch(&w);
}

static void operand_of_a_refusal(void **state)
{
    (void)state;
    watched w;
    prepare(&w, NULL);
    dve_record record = base(0x6c);
    SET(&record, S4D2_BN_dst_start_addr, 0x40000000);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_string_equal(w.stop.operand, "dst");
    SET(&record, S4D2_BN_dst_start_addr, 0x80000007);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_string_equal(w.stop.operand, "dst");
    assert_int_equal(w.stop.broken, 1);
    assert_int_equal(w.stop.diags[0].rule, DVE_RULE_addr_aligned);
    assert_int_equal(w.stop.diags[0].value, 1);
    unwatch(&w);
}

/* Legal records of another engine are refused as such, on each generation as its roster says. */
static int executes(uint8_t opcode)
{
    const dve_op *op = dve_op_table;
    while (dve_op_runs(op) && op->opcode != opcode)
        op++;
    return dve_op_runs(op);
}

static void other_engines(void **state)
{
    (void)state;
    for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
        watched w;
        dve_machine_config config = defaults();
        config.gen = gen;
        watch(&w, &config);
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            dve_record record = base((uint8_t)opcode);
            if (!dve_opcode_present((uint8_t)opcode, gen) || executes((uint8_t)opcode))
                continue;
            int control = opcode >= 0xa0 && opcode <= 0xb7;
            int dve = strcmp(dve_opcode_engine((uint8_t)opcode, gen), "DVE") == 0;
            if (opcode == 0xf0 || dve_opcode((uint8_t)opcode)->format == DVE_FORMAT_RAW || record.byte[34]) {
                assert_int_equal(run(&w, &record), DVE_E_FINDING);
                assert_int_equal(w.stop.reason, control ? DVE_REFUSED_CONTROL
                                                : dve   ? DVE_REFUSED_NOT_EXECUTED
                                                        : DVE_REFUSED_ENGINE);
            }
        }
        unwatch(&w);
    }
}

/* ---- Waits and updates ---- */

typedef struct wait_case {
    uint8_t mode;
    uint32_t semaphore;          /* or event 0/1 */
    uint32_t value;
    int holds, event_after;      /* event_after -1: the mode is about semaphores */
} wait_case;

static const wait_case waits[] = {
    {DVE_WAIT_MODE_NONE, 1, 2, 1, -1},
    {DVE_WAIT_MODE_SEM_EQ_IMM, 7, 7, 1, -1},          {DVE_WAIT_MODE_SEM_EQ_IMM, 7, 8, 0, -1},
    {DVE_WAIT_MODE_SEM_LT_IMM, 6, 7, 1, -1},          {DVE_WAIT_MODE_SEM_LT_IMM, 7, 7, 0, -1},
    {DVE_WAIT_MODE_SEM_LE_IMM, 7, 7, 1, -1},          {DVE_WAIT_MODE_SEM_LE_IMM, 8, 7, 0, -1},
    {DVE_WAIT_MODE_SEM_GT_IMM, 8, 7, 1, -1},          {DVE_WAIT_MODE_SEM_GT_IMM, 7, 7, 0, -1},
    {DVE_WAIT_MODE_SEM_GE_IMM, 7, 7, 1, -1},          {DVE_WAIT_MODE_SEM_GE_IMM, 6, 7, 0, -1},
    {DVE_WAIT_MODE_SEM_GT_IMM, 0x80000000, 1, 1, -1}, {DVE_WAIT_MODE_SEM_LT_IMM, 0xffffffff, 0, 0, -1},
    {DVE_WAIT_MODE_EVT_SET, 1, 0, 1, 1},              {DVE_WAIT_MODE_EVT_SET, 0, 0, 0, 0},
    {DVE_WAIT_MODE_EVT_SET_THEN_CLEAR, 1, 0, 1, 0},   {DVE_WAIT_MODE_EVT_SET_THEN_CLEAR, 0, 0, 0, 0},
    {DVE_WAIT_MODE_EVT_CLEAR, 0, 0, 1, 0},            {DVE_WAIT_MODE_EVT_CLEAR, 1, 0, 0, 1},
    {DVE_WAIT_MODE_EVT_CLEAR_THEN_SET, 0, 0, 1, 1},   {DVE_WAIT_MODE_EVT_CLEAR_THEN_SET, 1, 0, 0, 1},
};

static int event(watched *w, uint32_t index)
{
    return dve_machine_events(w->m)[index / 8] >> index % 8 & 1;
}

static void try_wait(watched *w, const wait_case *c, uint8_t index, int from_register)
{
    dve_record record = base(0x6d);
    int semaphores = c->event_after < 0;
    if (c->mode == DVE_WAIT_MODE_NONE && from_register)
        return;
    if (from_register && !semaphores)
        return;
    memset(dve_machine_events(w->m), c->semaphore ? 0 : 0xff, DVE_SEMAPHORES / 8);    /* all others the opposite */
    for (unsigned s = 0; s < DVE_SEMAPHORES; s++)
        dve_machine_semaphores(w->m)[s] = c->semaphore + 77;
    dve_machine_semaphores(w->m)[index] = c->semaphore;
    if (!semaphores)
        dve_machine_events(w->m)[index / 8] ^= (uint8_t)(1u << index % 8);
    dve_machine_registers(w->m)[63] = c->value;
    SET(&record, S2_BN_wait_mode, (uint32_t)c->mode | (from_register ? 0x80u : 0));
    SET(&record, S2_BN_wait_idx, index);
    SET(&record, S2_BN_semaphore_value, from_register ? 63 : c->value);
    assert_int_equal(run(w, &record), c->holds ? DVE_OK : DVE_E_FINDING);
    assert_int_equal(dve_machine_semaphores(w->m)[index], c->semaphore);
    if (!semaphores)
        assert_int_equal(event(w, index), c->event_after);
    if (c->holds)
        return;
    assert_int_equal(w->stop.reason, DVE_REFUSED_WAIT);
    assert_int_equal(w->stop.wait_mode, c->mode | (from_register ? 0x80 : 0));
    assert_int_equal(w->stop.index, index);
    assert_int_equal(w->stop.found, c->semaphore);
    assert_int_equal(w->stop.wanted, semaphores ? c->value : !c->semaphore);
}

static void wait_modes(void **state)
{
    (void)state;
    static const uint8_t indices[] = {0, 1, 7, 8, 130, 255};
    watched w;
    watch(&w, NULL);
    for (size_t i = 0; i < LENGTH(waits); i++)
        for (size_t k = 0; k < LENGTH(indices); k++) {
            try_wait(&w, &waits[i], indices[k], 0);
            try_wait(&w, &waits[i], indices[k], 1);
        }
    unwatch(&w);
}

static void every_wait_mode_is_tried(void **state)
{
    (void)state;
    size_t count;
    const dve_enum_info *rows = dve_isa_enums(&count);
    for (size_t i = 0; i < count; i++) {
        int tried = strcmp(rows[i].set, "WAIT_MODE") != 0;
        for (size_t k = 0; k < LENGTH(waits); k++)
            tried |= waits[k].mode == (rows[i].value & 0x7f);
        assert_true(tried);
    }
}

static const struct {
    uint8_t mode;
    uint32_t before, value, after;           /* events: 0 or 1 */
    int about_event;
} updates[] = {
    {DVE_UPDATE_MODE_NONE, 9, 4, 9, 0},
    {DVE_UPDATE_MODE_EVT_SET_READ, 0, 0, 1, 1},
    {DVE_UPDATE_MODE_EVT_SET_READ, 1, 0, 1, 1},
    {DVE_UPDATE_MODE_EVT_CLR_READ, 1, 0, 0, 1},
    {DVE_UPDATE_MODE_EVT_CLR_READ, 0, 0, 0, 1},
    {DVE_UPDATE_MODE_SEM_INC_READ, 9, 4, 10, 0},
    {DVE_UPDATE_MODE_SEM_INC_READ, 0xffffffff, 4, 0, 0},
    {DVE_UPDATE_MODE_SEM_DEC_READ, 9, 4, 8, 0},
    {DVE_UPDATE_MODE_SEM_DEC_READ, 0, 4, 0xffffffff, 0},
    {DVE_UPDATE_MODE_SEM_ADD_IMM_READ, 9, 4, 13, 0},
    {DVE_UPDATE_MODE_SEM_ADD_IMM_READ, 0xfffffffe, 4, 2, 0},
    {DVE_UPDATE_MODE_SEM_SUB_IMM_READ, 9, 4, 5, 0},
    {DVE_UPDATE_MODE_SEM_SUB_IMM_READ, 3, 4, 0xffffffff, 0},
    {DVE_UPDATE_MODE_SEM_WR_IMM_READ, 9, 4, 4, 0},
};

static void try_update(watched *w, size_t row, uint8_t variant)
{
    int takes_register = updates[row].mode >= DVE_UPDATE_MODE_SEM_ADD_IMM_READ;
    if ((variant & 0x80 && !takes_register) || (variant && updates[row].mode == DVE_UPDATE_MODE_NONE))
        return;
    dve_record record = base(0x6d);
    dve_machine_semaphores(w->m)[200] = updates[row].before;
    dve_machine_semaphores(w->m)[199] = dve_machine_semaphores(w->m)[201] = 0x5a5a;
    memset(dve_machine_events(w->m), updates[row].before ? 0xff : 0, DVE_SEMAPHORES / 8);
    dve_machine_registers(w->m)[17] = updates[row].value;
    SET(&record, S2_BN_update_mode, updates[row].mode | (uint32_t)variant);
    SET(&record, S2_BN_update_idx, 200);
    SET(&record, S2_BN_semaphore_value, variant & 0x80 ? 17 : updates[row].value);
    assert_int_equal(run(w, &record), DVE_OK);
    if (updates[row].about_event) {
        assert_int_equal(event(w, 200), updates[row].after);
        assert_int_equal(event(w, 199), updates[row].before);
    } else {
        assert_int_equal(dve_machine_semaphores(w->m)[200], updates[row].after);
        assert_int_equal(event(w, 200), updates[row].before != 0);
    }
    assert_int_equal(dve_machine_semaphores(w->m)[199], 0x5a5a);
    assert_int_equal(dve_machine_semaphores(w->m)[201], 0x5a5a);
}

static void update_modes(void **state)
{
    (void)state;
    size_t count;
    const dve_enum_info *rows = dve_isa_enums(&count);
    watched w;
    watch(&w, NULL);
    for (size_t row = 0; row < LENGTH(updates); row++) {
        try_update(&w, row, 0);
        try_update(&w, row, 0x10);
        try_update(&w, row, 0x80);
        try_update(&w, row, 0x90);
    }
    for (size_t i = 0; i < count; i++) {         /* every member was tried */
        int tried = strcmp(rows[i].set, "UPDATE_MODE") != 0;
        for (size_t k = 0; k < LENGTH(updates); k++)
            tried |= updates[k].mode == (rows[i].value & 0x6f);
        assert_true(tried);
    }
    unwatch(&w);
}

/* A wait's side effect and the update come after the work, and the wait is judged before it. */
static void signals_between_records(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    dve_record records[3] = {base(0x6d), base(0x6d), base(0x6d)};
    SET(&records[0], S2_BN_update_mode, DVE_UPDATE_MODE_SEM_ADD_IMM_COMPLETE);
    SET(&records[0], S2_BN_update_idx, 3);
    SET(&records[0], S2_BN_semaphore_value, 2);
    SET(&records[1], S2_BN_wait_mode, DVE_WAIT_MODE_SEM_EQ_IMM);
    SET(&records[1], S2_BN_wait_idx, 3);
    SET(&records[1], S2_BN_semaphore_value, 2);
    SET(&records[1], S2_BN_update_mode, DVE_UPDATE_MODE_SEM_SUB_IMM_COMPLETE);
    SET(&records[1], S2_BN_update_idx, 3);
    SET(&records[2], S2_BN_wait_mode, DVE_WAIT_MODE_SEM_GT_IMM);
    SET(&records[2], S2_BN_wait_idx, 3);
    assert_int_equal(run_all(&w, records, 3), DVE_E_FINDING);
    assert_true(w.stop.record == 2 && w.stop.reason == DVE_REFUSED_WAIT && w.stop.found == 0);
    assert_true(dve_machine_assumptions(w.m) >> DVE_ASSUMPTION_event_bits & 1);
    unwatch(&w);
}

static void ignored_waits(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config = defaults();
    config.ignore_waits = 1;
    watch(&w, &config);
    dve_record record = base(0x6d);
    SET(&record, S2_BN_wait_mode, DVE_WAIT_MODE_EVT_CLEAR_THEN_SET);
    SET(&record, S2_BN_wait_idx, 9);
    dve_machine_events(w.m)[1] = 2;              /* set, so that the wait would never end */
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(event(&w, 9), 1);
    SET(&record, S2_BN_wait_mode, DVE_WAIT_MODE_EVT_SET_THEN_CLEAR);
    SET(&record, S2_BN_wait_idx, 10);
    SET(&record, S2_BN_update_mode, DVE_UPDATE_MODE_SEM_INC_READ);
    assert_int_equal(run(&w, &record), DVE_OK);  /* the side effect and the update happen */
    assert_int_equal(event(&w, 10), 0);
    assert_int_equal(dve_machine_semaphores(w.m)[0], 1);
    SET(&record, S2_BN_wait_mode, DVE_WAIT_MODE_SEM_EQ_REG);
    SET(&record, S2_BN_semaphore_value, 64);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_REGISTER);
    assert_true(w.stop.given == 64 && w.stop.limit == 63);
    unwatch(&w);
}

/* ---- Budgets, control records ---- */

static void record_budget(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config = defaults();
    config.max_records = 3;
    config.skip_control = 1;
    watch(&w, &config);
    dve_record records[7] = {base(0x6d), base(0xa4), base(0x6d), base(0xa0), base(0xa1), base(0x6d), base(0x6d)};
    assert_int_equal(run_all(&w, records, 7), DVE_E_BUDGET);
    assert_int_equal(w.stop.reason, DVE_REFUSED_RECORDS);
    assert_true(w.stop.given == 4 && w.stop.limit == 3 && w.stop.record == 6);
    assert_int_equal(w.steps, 6);
    dve_machine_set_next_record(w.m, 0);         /* starts the budget anew */
    assert_int_equal(run_all(&w, records, 6), DVE_OK);
    unwatch(&w);
}

static void element_budget(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config = defaults();
    config.max_elements = 15;
    watch(&w, &config);
    dve_record record = base(0x6c);
    assert_int_equal(run(&w, &record), DVE_E_BUDGET);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ELEMENTS);
    assert_true(w.stop.given == 16 && w.stop.limit == 15);
    SET(&record, S4D2_BN_src_num0, 15);
    assert_int_equal(run(&w, &record), DVE_OK);
    unwatch(&w);
}

static void control_records(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config = defaults();
    config.skip_control = 1;
    watch(&w, &config);
    dve_record record = base(0xa0);
    SET(&record, RAW_wait_mode, DVE_WAIT_MODE_EVT_SET);
    SET(&record, RAW_update_mode, DVE_UPDATE_MODE_SEM_INC_READ);
    assert_int_equal(run(&w, &record), DVE_OK);  /* judged and counted; its events are not performed */
    assert_true(w.steps == 1 && w.step[0].skipped && w.step[0].cycles == 0 && w.step[0].elements == 0);
    assert_int_equal(dve_machine_semaphores(w.m)[0], 0);
    assert_true(dve_machine_next_record(w.m) == 1);
    SET(&record, RAW_inst_word_len, 15);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
    record = base(0x9f);                         /* EngineNop is no control record; gen3's sequencer runs it */
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ENGINE);
    unwatch(&w);
}

/* ---- Registers ---- */

static void addresses_from_registers(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        int rule;                                /* -1: runs */
    } rows[] = {
        {0x20000, -1},
        {0x20002, DVE_RULE_addr_aligned},
        {0x40000, DVE_RULE_start_partition},
        {0x2000000, -1},
        {0x2003fe4, DVE_RULE_walk_in_partition},
        {0x2004000, DVE_RULE_start_active},
        {0x2400000, DVE_RULE_addr_window},
        {0x37fe0, -1},
        {0x37fe4, DVE_RULE_walk_in_partition},
        {0x38000, DVE_RULE_start_active},
        {0x80000001, DVE_RULE_addr_marker},
    };
    watched w;
    prepare(&w, NULL);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        dve_record record = base(0x6c);
        SET(&record, S4D2_BN_dst_start_addr, 0x8000003f);
        dve_machine_registers(w.m)[63] = rows[i].word;
        assert_int_equal(run(&w, &record), rows[i].rule < 0 ? DVE_OK : DVE_E_FINDING);
        if (rows[i].rule < 0)
            continue;
        assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
        assert_true(w.stop.broken >= 1);
        assert_int_equal(w.stop.diags[0].rule, rows[i].rule);
    }
    dve_record record = base(0x6c), direct = base(0x6c);
    dve_machine_registers(w.m)[0] = 0x100;
    SET(&record, S4D2_BN_src_start_addr, 0x80000000);
    SET(&direct, S4D2_BN_src_start_addr, 0x100);
    SET(&direct, S4D2_BN_dst_start_addr, 0x21000);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(run(&w, &direct), DVE_OK);
    for (uint32_t n = 0; n < 32; n += 4)
        assert_int_equal(get_word(&w, 1, 0x20000 + n, 4), get_word(&w, 1, 0x21000 + n, 4));
    unwatch(&w);
}

/* ---- Observers, steps, reset ---- */

static void steps_say_what_ran(void **state)
{
    (void)state;
    watched w;
    prepare(&w, NULL);
    dve_record records[2] = {base(0x6c), base(0x6d)};
    SET(&records[0], S4D2_BN_num_active_channels, 2);
    SET(&records[0], S4D2_BN_in_dtype, DVE_DTYPE_FP8_E4M3);
    SET(&records[0], S4D2_BN_out_dtype, DVE_DTYPE_FP32R);
    SET(&records[0], S4D2_BN_src_num0, 100);
    SET(&records[1], S2_BN_num_active_channels, 2);
    assert_int_equal(run_all(&w, records, 2), DVE_OK);
    assert_string_equal(w.order, "ss");
    assert_true(w.step[0].record == 0 && w.step[1].record == 1 && !w.step[0].skipped);
    assert_true(w.step[0].elements == 100 && w.step[1].elements == 8);
    assert_true(w.step[0].cycles == dve_cost_cycles(0x6c, 3, 100) && w.step[0].cycles == 164);
    assert_true(w.step[1].cycles == dve_cost_cycles(0x6d, 3, 8) && w.step[1].cycles == 194);
    assert_true(w.step[0].assumptions == (dve_assumptions_of_opcode(0x6c) |
                                          dve_assumptions_of_dtype(DVE_DTYPE_FP8_E4M3, DVE_ACCESS_READ) |
                                          dve_assumptions_of_dtype(DVE_DTYPE_FP32R, DVE_ACCESS_WRITE)));
    assert_true(dve_machine_assumptions(w.m) == (w.step[0].assumptions | w.step[1].assumptions));
    dve_machine_set_observer(w.m, &(dve_observer){NULL, NULL, NULL});
    assert_int_equal(run_all(&w, records, 2), DVE_OK);
    assert_int_equal(w.steps, 0);
    unwatch(&w);
}

/* Every gen5 result says that it rests on gen4's map. */
static void gen5_says_so(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config = defaults();
    config.gen = 5;
    watch(&w, &config);
    dve_record record = base(0x6d);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(w.step[0].assumptions >> DVE_ASSUMPTION_gen5_as_gen4 & 1);
    unwatch(&w);
}

static void impossible_settings(void **state)
{
    (void)state;
    dve_machine_config config = defaults();
    config.settings.value[DVE_ASSUMPTION_fp32r_bits] = 2;
    assert_true(dve_machine_size(&config) > 0);
    config.settings.value[DVE_ASSUMPTION_fp32r_bits] = 3;
    assert_int_equal(dve_machine_size(&config), 0);
    assert_null(dve_machine_new(&config));
    config.settings.value[DVE_ASSUMPTION_fp32r_bits] = 0;
    config.settings.value[DVE_ASSUMPTION_cost] = 1;
    assert_null(dve_machine_new(&config));
}

/* A reset machine is as a new one. */
static void reset(void **state)
{
    (void)state;
    for (uint8_t zero = 0; zero < 2; zero++) {
        watched w;
        dve_machine_config config = defaults();
        config.uninit_zero = zero;
        prepare(&w, &config);
        dve_record records[3] = {base(0x6d), base(0x6e), base(0x6c)};
        SET(&records[0], S2_BN_update_mode, DVE_UPDATE_MODE_SEM_INC_READ);
        SET(&records[1], S4D2_BN_update_mode, DVE_UPDATE_MODE_EVT_SET_READ);
        assert_int_equal(run_all(&w, records, 3), DVE_OK);
        dve_machine_reset(w.m);
        uint32_t first;
        dve_place place = {DVE_SPACE_SBUF, 1, 0x20000};
        assert_true(dve_machine_unwritten(w.m, &place, 64, &first) == 64);
        assert_true(dve_machine_next_record(w.m) == 0 && dve_machine_assumptions(w.m) == 0);
        assert_int_equal(dve_machine_semaphores(w.m)[0], 0);
        assert_int_equal(dve_machine_events(w.m)[0], 0);
        assert_int_equal(dve_machine_registers(w.m)[7], 0);
        for (uint32_t l = 0; l < DVE_LANES; l++) {
            const dve_lane_state *lane = dve_machine_lane(w.m, l);
            assert_true(lane->key[0] == 0x7fc00000 && lane->flop[7] == UINT32_MAX && lane->matched == 0);
            assert_int_equal(lane->accumulator, 0);
        }
        assert_int_equal(dve_machine_producer(w.m, DVE_STATE_KEYS)->channels, 0);
        assert_int_equal(get_word(&w, 1, 0x20000, 4), 0);
        assert_int_equal(run(&w, &records[1]), DVE_OK);
        assert_int_equal(w.hazards, zero ? 1 : 2);
        unwatch(&w);
    }
}

static void access_outside(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    assert_non_null(dve_machine_lane(w.m, 127));
    assert_null(dve_machine_lane(w.m, 128));
    assert_non_null(dve_machine_producer(w.m, DVE_STATE_ACCUMULATOR));
    assert_null(dve_machine_producer(w.m, 0));
    assert_null(dve_machine_producer(w.m, DVE_STATE_KEYS | DVE_STATE_FLOPS));
    assert_non_null(dve_machine_producer(w.m, DVE_STATE_POOL_BUFFER));
    assert_null(dve_machine_producer(w.m, 1 << DVE_STATE_PARTS));
    assert_non_null(dve_machine_pool_bytes(w.m, 127));
    assert_null(dve_machine_pool_bytes(w.m, 128));
    unwatch(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_configs),
        cmocka_unit_test(size_bound),
        cmocka_unit_test(lazily_committed),
        cmocka_unit_test(refused_records_change_nothing),
        cmocka_unit_test(budgets_change_nothing),
        cmocka_unit_test(a_refusal_ends_the_run),
        cmocka_unit_test(operand_of_a_refusal),
        cmocka_unit_test(other_engines),
        cmocka_unit_test(wait_modes),
        cmocka_unit_test(every_wait_mode_is_tried),
        cmocka_unit_test(update_modes),
        cmocka_unit_test(signals_between_records),
        cmocka_unit_test(ignored_waits),
        cmocka_unit_test(record_budget),
        cmocka_unit_test(element_budget),
        cmocka_unit_test(control_records),
        cmocka_unit_test(addresses_from_registers),
        cmocka_unit_test(steps_say_what_ran),
        cmocka_unit_test(gen5_says_so),
        cmocka_unit_test(reset),
        cmocka_unit_test(impossible_settings),
        cmocka_unit_test(access_outside),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
