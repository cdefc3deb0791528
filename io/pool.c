/* SPDX-License-Identifier: Apache-2.0 */
/* A fixed pool: each run hands every thread one contiguous part of the range, the caller takes the last. */
#include <opendve/host.h>
#include <pthread.h>
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
    unsigned busy;               /* workers that have not finished the current run */
    unsigned long run;           /* number of the current run; 0 before the first */
    int closing;
    uint32_t count;
    void (*body)(void *argument, uint32_t begin, uint32_t end);
    void *argument;
    worker workers[];
};

/* Part `number` of 0..count-1. */
static void part(const struct dve_pool *pool, unsigned number)
{
    uint32_t begin = (uint32_t)((uint64_t)pool->count * number / pool->threads);
    uint32_t end = (uint32_t)((uint64_t)pool->count * (number + 1) / pool->threads);
    if (begin < end)
        pool->body(pool->argument, begin, end);
}

static void *work(void *argument)
{
    worker *self = argument;
    struct dve_pool *pool = self->pool;
    unsigned long seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->run == seen && !pool->closing)
            pthread_cond_wait(&pool->start, &pool->lock);
        if (pool->closing)
            break;
        seen = pool->run;
        pthread_mutex_unlock(&pool->lock);
        part(pool, self->number);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

dve_pool *dve_pool_new(unsigned threads)
{
    if (threads == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        threads = processors > 0 ? (unsigned)processors : 1;
    }
    if (threads > DVE_LANES)
        threads = DVE_LANES;
    struct dve_pool *pool = calloc(1, sizeof *pool + threads * sizeof pool->workers[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = 1;
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
    pool->closing = 1;
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
    pthread_mutex_lock(&pool->lock);
    pool->count = count;
    pool->body = body;
    pool->argument = argument;
    pool->busy = pool->threads - 1;
    pool->run++;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    part(pool, pool->threads - 1);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
