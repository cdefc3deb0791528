/* SPDX-License-Identifier: Apache-2.0 */
/* The records of a beam search: all of them, made by lowering before the first one runs. They hold no word that
 * was found, only places, so that they serve every prompt; what a step finds stays in SBUF for the next.
 *
 * A beam is a lane while its words are scored: lane b of ROW holds ln P of every word after beam b. Beams are
 * compared on lane 0. All elements are 4 bytes: fp32, or uint32 for words, positions and beams. */
#ifndef BEAM_SEARCH_PROGRAM_H
#define BEAM_SEARCH_PROGRAM_H

#include <opendve/opendve.h>

#include "question.h"

enum {
    LANES = 32,                     /* one quadrant of partitions */
    MOST_VOCABULARY = 16384         /* what one search takes */
};

/* Places, in elements from the start of a partition: TILE(name, elements, what it holds). `kept` is the width in
 * whole eights; positions of a merged row are beam * kept + rank. */
#define TILES                                                                            \
    TILE(ROW, MOST_VOCABULARY, "a beam's row of the model; the host writes it")          \
    TILE(BEST, 32, "the best ln P of a beam, descending")                                \
    TILE(WORDS, 64, "their words; a transpose reads 31 elements more than there are")    \
    TILE(TOTALS, 64, "BEST plus the beam's score")                                       \
    TILE(MERGED, 32 * 32, "lane 0: the totals of all beams, one after the other")        \
    TILE(MERGED_WORDS, 32 * 32, "lane 0: their words")                                   \
    TILE(BEAM_OF, 32 * 32, "lane 0: the beam of each position")                          \
    TILE(NUMBERS, 32, "lane 0: 0, 1, 2 ... in fp32")                                     \
    TILE(WINNERS, 32, "lane 0: the best totals, descending")                             \
    TILE(POSITIONS, 32, "lane 0: where they stand in MERGED")                            \
    TILE(NEW_WORDS, 32, "lane 0: their words; the host reads them for the next rows")    \
    TILE(FROM, 32, "every lane: the beams that they go on from")                         \
    TILE(COMPARED, 32, "lane 0: NEW_WORDS in fp32")                                      \
    TILE(NOW_ENDED, 32, "lane 0: 1 where the new word is the end")                       \
    TILE(SCORE, 32, "element 0: the beam's score")                                       \
    TILE(ENDED, 32, "element 0: 1 if the beam has ended")                                \
    TILE(HISTORY, 32, "lane t: word t of every beam")

enum tile {
#define TILE(name, elements, text) TILE_##name,
    TILES
#undef TILE
    TILE_COUNT
};
/* Byte offset of a tile in its partition; of TILE_COUNT, where all end. */
uint32_t tile_offset(uint32_t tile);

/* What records do, in order: STAGE(NAME, text). */
#define STAGES                                                         \
    STAGE(SETUP, "set up, once")                                       \
    STAGE(BAR, "bar the end while sentences are too short")            \
    STAGE(SEARCH, "best words of every beam, side by side")            \
    STAGE(KEEP, "leave ended beams as they are")                       \
    STAGE(ADD, "add the score of the beam")                            \
    STAGE(MERGE, "all candidates into one row")                        \
    STAGE(CHOOSE, "best of all candidates")                            \
    STAGE(RECOVER, "positions to beams and words")                     \
    STAGE(STATE, "score and end of every new beam, to its lane")       \
    STAGE(FOLLOW, "the words so far, by beam, and the new ones")

enum stage {
#define STAGE(name, text) STAGE_##name,
    STAGES
#undef STAGE
    STAGE_COUNT
};
extern const char *const stage_text[STAGE_COUNT];

struct program {
    dve_record *records;
    uint8_t *stage;                /* of each record */
    uint32_t count, room;
    dve_assumption_set assumptions; /* that their bytes rest on */
    uint32_t step[MOST_WORDS + 1]; /* records of step t: from step[t] up to step[t + 1]; before step[0]: the set-up */
};

/* For rows of `vocabulary` words, more than `width` in whole eights and at most MOST_VOCABULARY. Returns an exit
 * code, having said why; program_free is right in either case. */
int program_make(struct program *p, const struct question *q, uint32_t vocabulary, uint8_t gen);
void program_free(struct program *p);

#endif
