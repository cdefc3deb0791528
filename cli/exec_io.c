/* SPDX-License-Identifier: Apache-2.0 */
/* The machine of exec, what goes into it and what comes out. */
#include "exec.h"
#include "io/npy.h"
#include "io/state.h"
#include "outputs.h"
#include "plan_json.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

dve_status exec_machine(exec *e)
{
    dve_error error;
    e->machine = dve_machine_new(&e->config);
    if (!e->machine)
        return cli_fail(DVE_E_INTERNAL, "not enough memory for the machine");
    const char *path = cli_value(e->a, "state-in");
    dve_status status = path ? dve_state_read(path, e->machine, &e->earlier, &error) : DVE_OK;
    if (status)
        return cli_fail(status, "%s", error.text);
    e->base = dve_machine_next_record(e->machine);
    exec_observe(e);
    return DVE_OK;
}

/* I=V pairs that exec_arguments has judged. */
static void set_cells(const exec *e, const char *name, uint32_t *cell)
{
    const char *text;
    for (unsigned n = 0; (text = cli_value_at(e->a, name, n)); n++) {
        char *end;
        unsigned long index = strtoul(text, &end, text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10);
        const char *value = end + 1;
        cell[index] = (uint32_t)strtoul(value, NULL, value[0] == '0' && (value[1] | 0x20) == 'x' ? 16 : 10);
    }
}

static dve_status put_rows(exec *e, const cli_place *put, const dve_array *array)
{
    uint64_t bytes = array->columns * array->itemsize;
    uint32_t size = put->dtype ? dve_num_size(put->dtype) : array->itemsize, active;
    if (array->rows == 0 || array->columns == 0)
        return cli_fail(DVE_E_INPUT, "%.200s: the array is empty, there is nothing to put", put->path);
    if (put->elements && (array->rows != put->partitions || array->columns != put->elements))
        return cli_fail(DVE_E_USAGE,
                        "option --%s: %.200s: the array has %" PRIu64 " rows of %" PRIu64 ", the tensor has %u "
                        "partitions of %" PRIu64, put->option, put->text, array->rows, array->columns, put->partitions,
                        put->elements);
    if (size != array->itemsize)
        return cli_fail(DVE_E_USAGE,
                        "option --%s: %.200s: elements of %s have %u bytes, those of the array (%s) have %u",
                        put->option, put->text, dve_dtype(put->dtype)->name, size, dve_array_kind_name(array->kind),
                        array->itemsize);
    dve_status status = cli_place_inside(put->option, put, array->rows, bytes, e->config.gen);
    for (uint64_t r = 0; !status && r < array->rows; r++) {
        dve_place place = put->place;
        place.partition += (uint32_t)r;
        memcpy(dve_machine_bytes(e->machine, place.space, place.partition, &active) + place.offset,
               array->data + r * bytes, (size_t)bytes);
        dve_machine_mark(e->machine, &place, (uint32_t)bytes);
    }
    return status;
}

dve_status exec_inputs(exec *e)
{
    set_cells(e, "sem", dve_machine_semaphores(e->machine));
    set_cells(e, "reg", dve_machine_registers(e->machine));
    for (unsigned i = 0; i < e->puts; i++) {
        dve_error error;
        dve_array array;
        const dve_npy_options reading = {.convert = cli_flag(e->a, "convert") != 0};
        dve_status status = dve_npy_read(e->put[i].path, &reading, &array, &error);
        if (status)
            return cli_fail(status, "%s", error.text);
        status = put_rows(e, &e->put[i], &array);
        dve_array_free(&array);
        if (status)
            return status;
    }
    return DVE_OK;
}

dve_status exec_outset(exec *e)
{
    dve_error error;
    dve_status status = e->outputs ? DVE_OK : dve_outset_new(&e->outputs, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

static dve_status open_output(exec *e, const char *option, const char *path, unsigned *index)
{
    dve_error error;
    dve_status status = path ? cli_open_output(e->outputs, option, path, index, &error) : DVE_OK;
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

/* What no output may replace. The table set was spared as it was read. */
static dve_status spare_inputs(exec *e)
{
    dve_error error;
    const char *plan = cli_value(e->a, "plan");
    dve_status status = cli_spare(e->outputs, e->a, NULL, e->program ? e->a->operand[0] : e->records, &error);
    if (!status && plan)
        status = cli_plan_spare(e->outputs, e->a, plan, &error);
    if (!status)
        status = cli_spare(e->outputs, e->a, "in", cli_value(e->a, "in"), &error);
    for (unsigned i = 0; !status && i < e->puts; i++)
        status = cli_spare(e->outputs, e->a, e->put[i].option, e->put[i].path, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

/* A state file alone may be carried on in place: it is read before the run, and written once that ended well. */
static dve_status open_state(exec *e)
{
    dve_error error;
    dve_status status = open_output(e, "state-out", cli_value(e->a, "state-out"), &e->state_output);
    if (!status && cli_spare(e->outputs, e->a, "state-in", cli_value(e->a, "state-in"), &error))
        status = cli_fail(DVE_E_INTERNAL, "%s", error.text);
    return status;
}

/* Outputs are opened before the run: what cannot be written is known before the work. */
dve_status exec_open_outputs(exec *e)
{
    const char *trace = cli_value(e->a, "trace");
    dve_status status = exec_outset(e);
    if (!status)
        status = spare_inputs(e);
    if (!status)
        status = open_state(e);
    for (unsigned i = 0; !status && i < e->gets; i++)
        status = open_output(e, "get", e->get[i].path, &e->get_output[i]);
    if (!status)
        status = open_output(e, "trace", trace, &e->trace_output);
    if (!status && trace)
        cli_trace_begin(&e->trace, e->outputs, e->trace_output, e->config.gen);
    return status;
}

static uint32_t kind_of(uint8_t dtype)
{
    switch (dtype) {
    case DVE_DTYPE_FP32: return DVE_ARRAY_F32;
    case DVE_DTYPE_FP16: return DVE_ARRAY_F16;
    case DVE_DTYPE_INT8: return DVE_ARRAY_I8;
    case DVE_DTYPE_INT16: return DVE_ARRAY_I16;
    case DVE_DTYPE_INT32: return DVE_ARRAY_I32;
    default:                                     /* unsigned, and bits of floats that arrays lack */
        return dve_num_size(dtype) == 4 ? DVE_ARRAY_U32 : dve_num_size(dtype) == 2 ? DVE_ARRAY_U16 : DVE_ARRAY_U8;
    }
}

/* Bytes of a get that nothing wrote are zero, and a hazard. */
static void judge_get(exec *e, const cli_place *get, uint32_t bytes)
{
    dve_hazard hazard = {.kind = DVE_HAZARD_NEVER_WRITTEN, .record = UINT64_MAX, .operand = "get",
                         .space = get->place.space};
    for (uint32_t p = 0; p < get->partitions; p++) {
        dve_place place = get->place;
        uint32_t first;
        place.partition += p;
        uint64_t count = dve_machine_unwritten(e->machine, &place, bytes, &first);
        if (count && !hazard.count) {
            hazard.partition = place.partition;
            hazard.byte = first;
        }
        hazard.count += count;
    }
    if (hazard.count)
        exec_hazard(e, &hazard);
}

static dve_status write_get(exec *e, unsigned number, dve_error *error)
{
    const cli_place *get = &e->get[number];
    uint8_t header[DVE_NPY_HEADER_BYTES];
    size_t length;
    uint32_t bytes = (uint32_t)get->elements * dve_num_size(get->dtype), active;
    if (!e->config.uninit_zero)
        judge_get(e, get, bytes);
    dve_status status = dve_npy_header(kind_of(get->dtype), get->partitions, get->elements, header, sizeof header,
                                       &length);
    if (status) {
        dve_error_set(error, "%.200s: no header for such an array", get->path);
        return status;
    }
    status = dve_outset_write(e->outputs, e->get_output[number], header, length, error);
    for (uint32_t p = 0; !status && p < get->partitions; p++) {
        const uint8_t *row = dve_machine_bytes(e->machine, get->place.space, get->place.partition + p, &active);
        status = dve_outset_write(e->outputs, e->get_output[number], row + get->place.offset, bytes, error);
    }
    return status;
}

dve_status exec_write_outputs(exec *e)
{
    dve_error error;
    dve_status status = DVE_OK;
    for (unsigned i = 0; !status && i < e->gets; i++)
        status = write_get(e, i, &error);
    if (!status && e->state_output != EXEC_NO_OUTPUT)
        status = dve_state_write(e->machine, exec_gate_assumptions(e, e->earlier | dve_machine_assumptions(e->machine)), e->outputs,
                                 e->state_output, &error);
    if (!status && e->trace_output != EXEC_NO_OUTPUT)
        status = cli_trace_end(&e->trace, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

void exec_free(exec *e)
{
    dve_outset_free(e->outputs);
    dve_machine_free(e->machine);
    dve_pool_free(e->pool);
}
