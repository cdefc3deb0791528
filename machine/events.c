/* SPDX-License-Identifier: Apache-2.0 */
/* Waits and updates (R34): 256 unsigned semaphores that wrap, 256 event bits. Records run one after the
 * other here, so a wait that does not hold when its turn comes will never hold. */
#include "machine.h"

/* Frame fields. */
static uint32_t field(const dve_insn *insn, unsigned slot)
{
    return insn->value[slot];
}

static int event_bit(const dve_machine *m, uint32_t index)
{
    return m->event[index / 8] >> index % 8 & 1;
}

static void set_event(dve_machine *m, uint32_t index, int on)
{
    uint8_t bit = (uint8_t)(1u << index % 8);
    m->event[index / 8] = (uint8_t)(on ? m->event[index / 8] | bit : m->event[index / 8] & ~bit);
}

/* The immediate, or the register that it names where the mode's top bit says so. */
static uint32_t operand_value(const dve_machine *m, const dve_insn *insn, uint32_t mode)
{
    uint32_t value = field(insn, DVE_SLOT_RAW_semaphore_value);
    return mode & 0x80 ? m->reg[value % DVE_ADDR_REGISTERS] : value;
}

static int holds(const dve_machine *m, uint32_t mode, uint32_t index, uint32_t wanted)
{
    uint32_t have = m->semaphore[index];
    switch (mode) {
    case DVE_WAIT_MODE_NONE: return 1;
    case DVE_WAIT_MODE_SEM_EQ_IMM: case DVE_WAIT_MODE_SEM_EQ_REG: return have == wanted;
    case DVE_WAIT_MODE_SEM_LT_IMM: case DVE_WAIT_MODE_SEM_LT_REG: return have < wanted;
    case DVE_WAIT_MODE_SEM_LE_IMM: case DVE_WAIT_MODE_SEM_LE_REG: return have <= wanted;
    case DVE_WAIT_MODE_SEM_GT_IMM: case DVE_WAIT_MODE_SEM_GT_REG: return have > wanted;
    case DVE_WAIT_MODE_SEM_GE_IMM: case DVE_WAIT_MODE_SEM_GE_REG: return have >= wanted;
    case DVE_WAIT_MODE_EVT_SET: case DVE_WAIT_MODE_EVT_SET_THEN_CLEAR: return event_bit(m, index);
    default: return !event_bit(m, index);        /* EVT_CLEAR, EVT_CLEAR_THEN_SET */
    }
}

static int about_events(uint32_t wait_mode)
{
    return wait_mode >= DVE_WAIT_MODE_EVT_SET && wait_mode <= DVE_WAIT_MODE_EVT_CLEAR_THEN_SET;
}

dve_status dve_wait(dve_machine *m, const dve_insn *insn, dve_stop *stop)
{
    uint32_t wait = field(insn, DVE_SLOT_RAW_wait_mode), update = field(insn, DVE_SLOT_RAW_update_mode);
    uint32_t index = field(insn, DVE_SLOT_RAW_wait_idx);
    uint32_t number = field(insn, DVE_SLOT_RAW_semaphore_value);
    if (((wait | update) & 0x80) && number >= DVE_ADDR_REGISTERS) {
        stop->reason = DVE_REFUSED_REGISTER;
        stop->given = number;
        stop->limit = DVE_ADDR_REGISTERS - 1;
        return DVE_E_FINDING;
    }
    uint32_t wanted = operand_value(m, insn, wait);
    if (m->config.ignore_waits || holds(m, wait, index, wanted))
        return DVE_OK;
    stop->reason = DVE_REFUSED_WAIT;
    stop->wait_mode = (uint8_t)wait;
    stop->index = (uint8_t)index;
    stop->found = about_events(wait) ? (uint32_t)event_bit(m, index) : m->semaphore[index];
    stop->wanted = about_events(wait) ? wait <= DVE_WAIT_MODE_EVT_SET_THEN_CLEAR : wanted;
    return DVE_E_FINDING;
}

static void update(dve_machine *m, uint32_t mode, uint32_t index, uint32_t value)
{
    uint32_t *semaphore = &m->semaphore[index];
    switch (mode & 0x6f) {                       /* READ and COMPLETE (0x10), IMM and REG (0x80) alike */
    case DVE_UPDATE_MODE_EVT_SET_READ: set_event(m, index, 1); break;
    case DVE_UPDATE_MODE_EVT_CLR_READ: set_event(m, index, 0); break;
    case DVE_UPDATE_MODE_SEM_INC_READ: ++*semaphore; break;
    case DVE_UPDATE_MODE_SEM_DEC_READ: --*semaphore; break;
    case DVE_UPDATE_MODE_SEM_ADD_IMM_READ: *semaphore += value; break;
    case DVE_UPDATE_MODE_SEM_SUB_IMM_READ: *semaphore -= value; break;
    case DVE_UPDATE_MODE_SEM_WR_IMM_READ: *semaphore = value; break;
    default: break;
    }
}

void dve_complete(dve_machine *m, const dve_insn *insn)
{
    uint32_t wait = field(insn, DVE_SLOT_RAW_wait_mode), mode = field(insn, DVE_SLOT_RAW_update_mode);
    uint32_t index = field(insn, DVE_SLOT_RAW_wait_idx);
    if (wait == DVE_WAIT_MODE_EVT_SET_THEN_CLEAR)
        set_event(m, index, 0);
    if (wait == DVE_WAIT_MODE_EVT_CLEAR_THEN_SET)
        set_event(m, index, 1);
    update(m, mode, field(insn, DVE_SLOT_RAW_update_idx), operand_value(m, insn, mode));
    if (wait || mode)
        m->assumptions |= (dve_assumption_set)1 << DVE_ASSUMPTION_event_bits;
}
