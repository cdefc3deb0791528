/* SPDX-License-Identifier: Apache-2.0 */
/* A fixed pool: each run hands every thread one contiguous part of the range, the caller takes the last.
 *
 * Records follow each other closely, and waking a thread takes longer than many a record: who waits looks for a
 * while before it sleeps. */
#include <opendve/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct worker {
    struct dve_pool *pool;
    pthread_t thread;
    unsigned number;
} worker;

struct dve_pool {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    unsigned threads;            /* the caller included */
    unsigned looks;              /* before sleeping */
    unsigned sleeping;           /* workers that do; under the lock, as is the next */
    int waiting;                 /* the caller sleeps */
    atomic_uint busy;            /* workers that have not finished the current run */
    atomic_ulong run;            /* number of the current run; 0 before the first */
    atomic_int closing;
    uint32_t count;
    void (*body)(void *argument, uint32_t begin, uint32_t end);
    void *argument;
    worker workers[];
};

static void pause_a_little(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Part `number` of 0..count-1. */
static void part(const struct dve_pool *pool, unsigned number)
{
    uint32_t begin = (uint32_t)((uint64_t)pool->count * number / pool->threads);
    uint32_t end = (uint32_t)((uint64_t)pool->count * (number + 1) / pool->threads);
    if (begin < end)
        pool->body(pool->argument, begin, end);
}

/* Until there is another run than `seen`, or none will come. */
static void await_run(struct dve_pool *pool, unsigned long seen)
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
    unsigned long seen = 0;
    for (;;) {
        await_run(pool, seen);
        if (atomic_load(&pool->run) == seen)
            return NULL;
        seen = atomic_load(&pool->run);
        part(pool, self->number);
        if (atomic_fetch_sub(&pool->busy, 1) != 1)
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
        pool->workers[i] = (worker){.pool = pool, .number = i};
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
    pool->count = count;
    pool->body = body;
    pool->argument = argument;
    atomic_store(&pool->busy, pool->threads - 1);
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->run, 1);
    if (pool->sleeping)
        pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    part(pool, pool->threads - 1);
    for (unsigned i = 0; i < pool->looks && atomic_load(&pool->busy); i++)
        pause_a_little();
    if (!atomic_load(&pool->busy))
        return;
    pthread_mutex_lock(&pool->lock);
    pool->waiting = 1;
    while (atomic_load(&pool->busy))
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->waiting = 0;
    pthread_mutex_unlock(&pool->lock);
}
