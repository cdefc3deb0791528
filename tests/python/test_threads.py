# SPDX-License-Identifier: Apache-2.0
"""Several threads, one machine each; one machine in two threads is refused; nothing is kept after use."""
import gc
import threading
import time
import tracemalloc
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from support import Case

import opendve
from opendve import Machine, nisa


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


class Threads(Case):
    def test_one_machine_each(self):
        def work(seed):
            x = np.random.default_rng(seed).normal(size=(64, 300)).astype(np.float32)
            best, out = np.empty((64, 8), np.float32), []
            for _ in range(5):
                nisa.max8(best, x)
                nisa.nc_match_replace8(x, x, best, -np.inf)
                out.append(best.copy())
            values, indices = opendve.topk(x, 5)
            return np.concatenate(out, 1), values, indices

        def wanted(seed):
            x = np.random.default_rng(seed).normal(size=(64, 300)).astype(np.float32)
            rest = np.where(x >= np.sort(x, 1)[:, -40:-39], -np.inf, x).astype(np.float32)
            order = np.argsort(-rest, 1, kind="stable")[:, :5]
            return np.sort(x, 1)[:, :-41:-1], np.take_along_axis(rest, order, 1), order

        with ThreadPoolExecutor(6) as pool:
            for seed, got in enumerate(pool.map(work, range(24))):
                for mine, theirs in zip(got, wanted(seed)):
                    self.assertTrue(np.array_equal(mine, theirs))

    def test_the_interpreter_goes_on(self):
        """Another thread counts while the library works: the lock of the interpreter is free meanwhile."""
        x = np.random.default_rng(0).normal(size=(128, 16384)).astype(np.float32)
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.0005)

        opendve.topk(x, 8, threads=1)
        counter = threading.Thread(target=count)
        counter.start()
        before = counted[0]
        opendve.topk(x, 4096, threads=1)             # long: one call of the library
        during = counted[0] - before
        done.set()
        counter.join()
        self.assertGreater(during, 5)                # with the lock held it would be 0, or 1 at either end

    def test_one_machine_in_two_threads(self):
        machine = Machine()
        data = machine.put(np.zeros((128, 16384), np.float32))
        record = opendve.lower({"op": "TensorCopy", "channels": 128, "src": data.access(), "dst": data.access()})
        refusals, end = [], time.monotonic() + 60

        def use(records):
            while not refusals and time.monotonic() < end:
                try:
                    machine.run(records)
                except opendve.UsageError as error:
                    refusals.append(error.rule)

        workers = [threading.Thread(target=use, args=(record.bytes * 50,)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(set(refusals), {"threads"})
        machine.run(record)                          # and is free again


class Leaks(Case):
    def grows(self, work, rounds):
        """Bytes of the process and objects of the interpreter that `rounds` more calls leave behind."""
        for _ in range(20):
            work()
        gc.collect()
        tracemalloc.start()
        work()
        gc.collect()
        traced, pages = tracemalloc.get_traced_memory()[0], resident()
        for _ in range(rounds):
            work()
        gc.collect()
        result = tracemalloc.get_traced_memory()[0] - traced, resident() - pages
        tracemalloc.stop()
        return result

    def test_calls(self):
        x = self.random.normal(size=(16, 64)).astype(np.float32)
        best = np.empty((16, 8), np.float32)

        def work():
            nisa.max8(best, x)
            opendve.topk(x, 9, hazards=True)
            with self.assertRaises(opendve.Refused):
                nisa.max8(best, x[:, :7])

        objects, pages = self.grows(work, 300)
        self.assertLess(objects, 100_000)
        self.assertLess(pages, 4 << 20)

    def test_machines_are_freed(self):
        def work():
            machine = Machine(threads=2)
            machine.run(b"")
            machine.put(np.ones((128, 4096), np.float32))        # 2 MiB, plus pages
            Machine.from_state(machine.state())

        gc.disable()                                 # by reference counts alone: there is no cycle
        try:
            objects, pages = self.grows(work, 30)
        finally:
            gc.enable()
        self.assertLess(objects, 1 << 20)
        self.assertLess(pages, 16 << 20)


if __name__ == "__main__":
    unittest.main()
