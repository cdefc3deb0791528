/* SPDX-License-Identifier: Apache-2.0 */
/* Signals wait while files exist that no list shows to the handler yet, and while renames run. */
#ifndef DVE_IO_SIGNALS_H
#define DVE_IO_SIGNALS_H

#include <pthread.h>
#include <signal.h>

static inline void dve_hold_signals(sigset_t *old)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, old);
}

static inline void dve_release_signals(const sigset_t *old)
{
    (void)pthread_sigmask(SIG_SETMASK, old, NULL);
}

#endif
