/* SPDX-License-Identifier: Apache-2.0 */
/* A fixed pool: each run hands every thread one contiguous part of the range in a few pieces, the caller takes the last
 * part. Who has done its own takes pieces from the ends of others' parts: a thread that the system has not let run yet
 * keeps nobody waiting, and has nothing left to do when it comes.
 *
 * Records follow each other closely, and waking a thread takes longer than many a record: who waits looks for a
 * while before it sleeps. */
#include <opendve/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { PIECES = 4 };             /* of each thread's part */

typedef struct worker {
    atomic_ullong left;          /* of its part: number of the run, first piece, end; in a line of the caches of its own */
    struct dve_pool *pool;
    pthread_t thread;
    unsigned number;
    char apart[64];
} worker;

struct dve_pool {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    unsigned threads;            /* the caller included */
    unsigned looks;              /* before sleeping */
    unsigned sleeping;           /* workers that do; under the lock, as is the next */
    int waiting;                 /* the caller sleeps */
    atomic_uint unfinished;      /* pieces of the current run */
    atomic_uint run;             /* number of the current run; 0 before the first */
    atomic_int closing;
    uint32_t count, pieces;
    void (*body)(void *argument, uint32_t begin, uint32_t end);
    void *argument;
    worker workers[];            /* the last is the caller */
};

static void pause_a_little(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* The n-th of so many equal parts of a range. */
static uint32_t cut(uint32_t range, uint32_t n, uint32_t parts)
{
    return (uint32_t)((uint64_t)range * n / parts);
}

static unsigned long long left_of(unsigned run, uint32_t begin, uint32_t end)
{
    return (unsigned long long)run << 32 | begin << 16 | end;
}

/* Takes a piece of a part, the first or the last; 0 if none is left. Once a piece is taken, its run is the current one. */
static int take(worker *from, int first, uint32_t *piece)
{
    unsigned long long left = atomic_load(&from->left), less;
    do {
        uint32_t begin = (uint32_t)left >> 16, end = (uint32_t)left & 0xffff;
        if (begin >= end)
            return 0;
        *piece = first ? begin : end - 1;
        less = first ? left_of((unsigned)(left >> 32), begin + 1, end) : left - 1;
    } while (!atomic_compare_exchange_weak(&from->left, &left, less));
    return 1;
}

/* Pieces of the own part, then of others'. Answers whether it finished the last of the run. */
static int work_on(struct dve_pool *pool, unsigned number)
{
    int last = 0;
    for (unsigned i = 0; i < pool->threads; i++) {
        worker *from = &pool->workers[(number + i) % pool->threads];
        for (uint32_t piece; take(from, i == 0, &piece);) {
            pool->body(pool->argument, cut(pool->count, piece, pool->pieces), cut(pool->count, piece + 1, pool->pieces));
            last = atomic_fetch_sub(&pool->unfinished, 1) == 1;
        }
    }
    return last;
}

/* Until there is another run than `seen`, or none will come. */
static void await_run(struct dve_pool *pool, unsigned seen)
{
    for (unsigned i = 0; i < pool->looks; i++) {
        if (atomic_load(&pool->run) != seen || atomic_load(&pool->closing))
            return;
        pause_a_little();
    }
    pthread_mutex_lock(&pool->lock);
    pool->sleeping++;
    while (atomic_load(&pool->run) == seen && !atomic_load(&pool->closing))
        pthread_cond_wait(&pool->start, &pool->lock);
    pool->sleeping--;
    pthread_mutex_unlock(&pool->lock);
}

static void *work(void *argument)
{
    worker *self = argument;
    struct dve_pool *pool = self->pool;
    unsigned seen = 0;
    for (;;) {
        await_run(pool, seen);
        if (atomic_load(&pool->run) == seen)
            return NULL;
        seen = atomic_load(&pool->run);
        if (!work_on(pool, self->number))
            continue;
        pthread_mutex_lock(&pool->lock);
        if (pool->waiting)
            pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

dve_pool *dve_pool_new(unsigned threads)
{
    enum { LOOKS = 2000 };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (threads == 0)
        threads = processors > 0 ? (unsigned)processors : 1;
    if (threads > DVE_LANES)
        threads = DVE_LANES;
    struct dve_pool *pool = calloc(1, sizeof *pool + threads * sizeof pool->workers[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = 1;
    pool->looks = (unsigned long)processors >= threads ? LOOKS : 0;      /* else the others need this core */
    for (unsigned i = 0; i + 1 < threads; i++) {
        pool->workers[i].pool = pool;
        pool->workers[i].number = i;
        if (pthread_create(&pool->workers[i].thread, NULL, work, &pool->workers[i]) != 0)
            break;                               /* fewer threads do as well */
        pool->threads++;
    }
    return pool;
}

void dve_pool_free(dve_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->closing, 1);
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i + 1 < pool->threads; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->start);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void dve_pool_run(void *context, uint32_t count, void (*body)(void *argument, uint32_t begin, uint32_t end),
                  void *argument)
{
    struct dve_pool *pool = context;
    if (pool->threads == 1) {
        if (count)
            body(argument, 0, count);
        return;
    }
    if (!count)
        return;
    unsigned threads = pool->threads, run = atomic_load(&pool->run) + 1;
    pool->count = count;
    pool->pieces = count < threads * PIECES ? count : threads * PIECES;
    pool->body = body;
    pool->argument = argument;
    atomic_store(&pool->unfinished, pool->pieces);
    for (unsigned i = 0; i < threads; i++)
        atomic_store(&pool->workers[i].left, left_of(run, cut(pool->pieces, i, threads),
                                                     cut(pool->pieces, i + 1, threads)));
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->run, run);
    if (pool->sleeping)
        pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    if (work_on(pool, threads - 1))
        return;
    for (unsigned i = 0; i < pool->looks && atomic_load(&pool->unfinished); i++)
        pause_a_little();
    if (!atomic_load(&pool->unfinished))
        return;
    pthread_mutex_lock(&pool->lock);
    pool->waiting = 1;
    while (atomic_load(&pool->unfinished))
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->waiting = 0;
    pthread_mutex_unlock(&pool->lock);
}
