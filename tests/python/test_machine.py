# SPDX-License-Identifier: Apache-2.0
"""The machine: memory without copies, what runs report, states, settings, budgets."""
import json
import tempfile
import types
import unittest
import unittest.mock
import warnings
from pathlib import Path

import numpy as np
from support import Case, program

import opendve
from opendve import Machine, nisa

MAX8 = """.dve 1
.tensor x sbuf[0:4]+0x0:fp32[32]
.tensor y sbuf[0:4]+0x80:fp32[8]
max8 src=x dst=y+28[-1:8] num_active_channels=4
"""


class Memory(Case):
    def test_views_are_the_memory(self):
        machine = Machine()
        tile = machine.put(np.arange(24, dtype=np.float32).reshape(2, 3, 4), partition=32, offset=256)
        view = tile[:, 1:, ::-2].view()
        self.assertEqual(view.tolist(), [[[7, 5], [11, 9]], [[19, 17], [23, 21]]])
        view[0, 0, 0] = 99
        self.assertEqual(tile.get()[0, 1, 3], 99)
        self.assertEqual(machine.sbuf[32, 256 + 28:256 + 32].view(np.float32)[0], 99)
        self.assertTrue(np.shares_memory(view, machine.sbuf))
        self.assertTrue(np.shares_memory(machine.psum, machine.block))

    def test_memory_outlives_the_machine(self):
        view = Machine(uninit="zero").put(np.full((3, 5), 7, np.int8)).view()
        blocks = [np.zeros(1 << 24, np.uint8) for _ in range(4)]
        self.assertTrue((view == 7).all())
        self.assertEqual(len(blocks), 4)

    def test_what_is_written_is_known(self):
        machine = Machine()
        tile = machine.tile((2, 16), "uint16")
        tile[:, ::2].put(np.ones((2, 8), np.uint16))
        self.assertEqual((tile.unwritten(), tile[:, ::2].unwritten()), (2 * 8 * 2, 0))
        with self.assertWarnsRegex(opendve.NeverWritten, "32 bytes were never written"):
            tile.get()
        tile.view()[...] = 3
        self.assertEqual(tile.unwritten(), 32)
        tile.mark()
        self.same(tile.get(), np.full((2, 16), 3, np.uint16))
        bits = np.unpackbits(machine.written_map("sbuf")[:3, :8], axis=1, bitorder="little")
        self.assertEqual(bits.sum(1).tolist(), [32, 32, 0])

    def test_data_types(self):
        machine = Machine()
        for kind, dtype in (("bf16", np.uint16), ("fp8_e4m3", np.uint8), ("fp16", np.float16), ("int32", np.int32)):
            values = self.random.integers(0, 99, (3, 7)).astype(dtype)
            tile = machine.put(values, kind)
            self.assertEqual(tile.dtype, kind)
            self.same(tile.get(raw=True), values)
        machine.put(np.arange(6, dtype=">f4").reshape(2, 3), offset=0)
        self.same(machine.get(2, 3), np.arange(6, dtype=np.float32).reshape(2, 3))
        with self.assertRaisesRegex(opendve.UsageError, r"\.astype\(np\.int32\)"):
            machine.put(np.zeros((1, 2), np.int64))
        with self.assertRaisesRegex(opendve.UsageError, "raw bits"):
            machine.put(np.zeros((1, 2), np.float32), "bf16")

    def test_places(self):
        machine = Machine("gen2")
        for call, says in ((lambda: machine.tile((129, 1)), "1..128 partitions"), (lambda: machine.tile((65, 1), partition=64), "from"),
                           (lambda: machine.tile((1, 49153)), "0..196607"), (lambda: machine.tile((1, 0)), "no empty axis"),
                           (lambda: machine.tile((1, 9), space="hbm"), "sbuf or psum"),
                           (lambda: machine.tile((4, 9))[0], "a slice of step 1"),
                           (lambda: machine.tile((4, 9))[:, 3:3], "one element at least"),
                           (lambda: machine.tile((4, 9)).broadcast_to((4, 3)), "length 1"),
                           (lambda: machine.tile((4, 9)).reinterpret("int8"), "4 bytes")):
            with self.assertRaisesRegex(opendve.UsageError, says):
                call()
        with machine.scope():
            first = machine.tile((1, 49000))
        self.assertEqual(machine.tile((1, 49000)).offset, first.offset)

    def test_hidden_state(self):
        machine = Machine()
        data = machine.put(np.array([[3, 1, 2, 9, 9, 4, 0, 5]], np.float32))
        nisa.nc_find_index8(machine.tile((1, 8), "uint32"), data, data)
        self.assertEqual(machine.keys[0].view(np.float32).tolist(), [3, 1, 2, 9, 9, 4, 0, 5])
        self.assertEqual(machine.flops[0].tolist(), list(range(8)))
        nisa.tensor_scalar_reduce(machine.tile((1, 8)), data, "add", 0.0, "add", None)
        self.assertEqual(machine.accumulators.view(np.float32)[:2].tolist(), [33, 0])
        self.assertEqual(machine.shuffle_mask.tolist(), list(range(32)))
        machine.reset()
        self.assertEqual((machine.accumulators[0], machine.sbuf.any(), machine.assumptions), (0, False, ()))


    def test_types_of_ml_dtypes(self):
        """A module of that name with a type of two raw bytes: what is taken, and what is given."""
        raw = np.dtype("V2")
        with unittest.mock.patch.dict("sys.modules", ml_dtypes=types.SimpleNamespace(bfloat16=raw)):
            bits = np.arange(12, dtype=np.uint16).reshape(2, 6)
            tile = Machine().put(bits.view(raw), "bf16")
            self.assertEqual(tile.get().dtype, raw)
            self.same(tile.get().view(np.uint16), bits)
        self.same(tile.get(), bits)


class Runs(Case):
    def scores(self):
        return self.random.normal(size=(4, 32)).astype(np.float32)

    def test_a_program(self):
        code = opendve.assemble(MAX8)
        machine, x = Machine(code.gen), self.scores()
        tensors = machine.tensors(code)
        tensors["x"].put(x)
        run = machine.run(code)
        self.same(tensors["y"].get(), np.sort(x, axis=1)[:, :-9:-1])
        step, = run.steps
        self.assertEqual((step.name, step.elements, step.record, step.skipped), ("Max8", 32, 0, False))
        self.assertEqual((run.cycles, run.stats["Max8"].records, run.hazards), (step.cycles, 1, ()))
        self.assertAlmostEqual(run.ns, run.cycles / 0.96)
        self.assertIn("cost", run.assumptions)
        self.assertIn("search_special_values", run.assumptions)
        self.assertIs(machine.last, run)

    def test_as_the_program(self):
        x = self.scores()
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder)
            (at / "p.dve").write_text(MAX8)
            np.save(at / "x.npy", x)
            code = opendve.assemble(MAX8)
            program("asm", at / "p.dve", "-o", at / "p.bin")
            self.assertEqual(code.bytes, (at / "p.bin").read_bytes())
            self.assertEqual(opendve.disassemble(code), program("disasm", at / "p.bin"))
            program("exec", at / "p.bin", "--put", f"sbuf[0]@0={at}/x.npy", "--trace", at / "t.json", "--state-out", at / "s")
            machine = Machine()
            machine.tensors(code)["x"].put(x)
            run = machine.run(code)
            self.assertEqual(json.loads(json.dumps(run.trace())), json.loads((at / "t.json").read_text()))
            self.assertEqual(machine.state(), (at / "s").read_bytes())
            wrong = opendve.Records([code[0].replace(num_active_channels=200, reserved0=3, wait_mode=9)])
            (at / "w.bin").write_bytes(wrong.bytes)
            told = json.loads(program("check", at / "w.bin", "--json", status=1))["records"][0]["broken"]
            mine = opendve.check(wrong)[0].broken
            self.assertGreater(len(mine), 2)
            self.assertEqual([(b.rule, b.field, b.byte, b.value, b.allowed, b.severity, b.source) for b in mine],
                             [tuple(b[n] for n in ("rule", "field", "byte", "value", "allowed", "severity", "source"))
                              for b in told])

    def test_refused_records(self):
        code = opendve.assemble(MAX8)
        machine = Machine(uninit="zero")
        with self.assertRaises(opendve.Refused) as caught:
            machine.run(code + code[0].replace(num_active_channels=129, src_num0=7) + code)
        error = caught.exception
        self.assertEqual([b.rule for b in error.broken], ["max8_src_count", "s4d2_bn_channels"])
        self.assertEqual((error.operation, error.operand, error.given, error.rule),
                         ("Max8", "src", "7 elements", "max8_src_count"))
        self.assertEqual(len(error.run.steps), 1)    # what ran before; nothing after it

    def test_budgets_waits_and_control(self):
        code = opendve.assemble(MAX8)
        with self.assertRaises(opendve.BudgetExceeded) as caught:
            Machine(max_records=1, uninit="zero").run(code + code)
        self.assertEqual((caught.exception.rule, caught.exception.allowed), ("max-records", "at most 1"))
        with self.assertRaises(opendve.BudgetExceeded):
            Machine(max_elements=31, uninit="zero").run(code)
        waiting = opendve.assemble(MAX8.rstrip() + " wait_mode=sem_ge_imm wait_idx=4 semaphore_value=9\n")
        with self.assertRaises(opendve.Refused) as caught:
            Machine(uninit="zero").run(waiting)
        self.assertEqual(caught.exception.rule, "wait")
        machine = Machine(uninit="zero")
        machine.semaphores[4] = 9
        self.assertEqual(len(machine.run(waiting).steps), 1)
        self.assertEqual(len(Machine(uninit="zero", waits="ignore").run(waiting).steps), 1)

    def test_hazards(self):
        run = Machine().run(opendve.assemble(MAX8))
        hazard, = run.hazards
        self.assertEqual((hazard.kind, hazard.record, hazard.operand, hazard.count, hazard.partition),
                         ("never-written", 0, "src", 512, 0))
        self.assertEqual(str(hazard), "record 0, never-written: src reads 512 bytes that nothing wrote, first sbuf[0]@0x0")
        self.assertEqual(Machine(uninit="zero").run(opendve.assemble(MAX8)).hazards, ())

    def test_without_observation(self):
        run = Machine().run(opendve.assemble(MAX8), observe=False)
        self.assertEqual((len(run.steps), len(run.hazards)), (0, 1))

    def test_threads_do_not_matter(self):
        x = self.random.normal(size=(128, 500)).astype(np.float32)
        results = []
        for threads in (1, 2, 0):
            machine = Machine(threads=threads)
            data, out = machine.put(x), machine.tile((128, 500))
            nisa.tensor_scalar_cumulative(out, data, "add", "add", 0.1)
            results.append(out.get())
        self.same(results[0], results[1])
        self.same(results[0], results[2])

    def test_levels_of_vector_instructions_do_not_matter(self):
        x = self.random.normal(size=(64, 700)).astype(np.float32)
        results = []
        for options in ({}, {"simd": "scalar"}, {"unfused": True}):
            machine, best = Machine(**options), np.empty((64, 8), np.float32)
            nisa.max8(best, x, machine=machine)
            results.append(best)
        self.same(results[0], results[1])
        self.same(results[0], results[2])
        with self.assertRaisesRegex(opendve.UsageError, "simd is 'mmx', allowed best or scalar"):
            Machine(simd="mmx")
        with unittest.mock.patch.dict("os.environ", OPENDVE_SIMD="scalar"):
            self.assertEqual(Machine()._config.simd, Machine(simd="scalar")._config.simd)
            self.assertNotEqual(Machine()._config.simd, 0)

    def test_settings_change_results(self):
        x = np.array([[300, 1000, 240, 464]], np.float32)
        bits = {}
        for name in ("ieee", "fn"):
            machine = Machine(e4m3=name)
            out = machine.tile((1, 4), "fp8_e4m3")
            nisa.tensor_copy(out, machine.put(x))
            bits[name] = out.get(raw=True).tolist()
            self.assertEqual(machine.settings["e4m3"], name)
        self.assertEqual(bits, {"ieee": [[0x78, 0x78, 0x77, 0x78]], "fn": [[0x79, 0x7f, 0x77, 0x7e]]})


class States(Case):
    def test_there_and_back(self):
        machine = Machine("gen4", fp8_overflow="saturate")
        data = machine.put(self.random.normal(size=(7, 40)).astype(np.float32))
        nisa.tensor_scalar_reduce(machine.tile((7, 40)), data, "add", 0.5, "maximum", None)
        machine.registers[3] = 77
        state = machine.state()
        other = Machine.from_state(state, fp8_overflow="saturate")
        self.assertEqual((other.gen, other.state()), ("gen4", state))
        self.assertEqual(other.registers[3], 77)
        self.same(other.accumulators, machine.accumulators)
        self.assertIn("accumulator_family", other.assumptions)
        self.assertGreaterEqual(other.tile((1, 1)).offset, 2 * 160)      # behind what the state holds
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s"
            machine.save_state(path)
            self.assertEqual(path.read_bytes(), state)
            self.assertEqual(list(Path(folder).iterdir()), [path])
            self.assertEqual(Machine.from_state(path, fp8_overflow="saturate").state(), state)

    def test_what_is_refused(self):
        state = Machine().state()
        self.assertEqual(Machine.from_state(state).state(), state)
        for data, config, kind, says in ((state[:-1], {}, opendve.InputError, "checksum|too early"),
                                         (b"no state", {}, opendve.InputError, "no state|too early|begin"),
                                         (state, {"gen": 4}, opendve.UsageError, "gen3"),
                                         (state, {"e4m3": "fn"}, opendve.UsageError, "e4m3=ieee")):
            with self.assertRaisesRegex(kind, says):
                Machine.from_state(data, **config)


class Texts(Case):
    def test_every_record_reads_back(self):
        data = self.random.integers(0, 256, 64 * 300, dtype=np.uint8).tobytes()
        for gen in ("gen2", "gen3", "gen4", "gen5"):
            self.assertEqual(opendve.assemble(opendve.disassemble(data, gen)).bytes, data)

    def test_mistakes_are_reported_together(self):
        with self.assertRaises(opendve.AssemblyError) as caught:
            opendve.assemble(".dve 1\nmax9 src=x\n.gen gen3\nmax8 src=x dst=y\n")
        self.assertGreater(len(caught.exception.errors), 1)
        self.assertEqual([e[0] for e in caught.exception.errors][:2], [2, 3])
        self.assertIn("2:1: ", str(caught.exception))
        with self.assertRaises(opendve.AssemblyError):
            opendve.assemble("max8")
        with self.assertRaises(opendve.AssemblyError):
            opendve.assemble(".dve 1\n.gen gen2\n", gen=3)

    def test_fields(self):
        record = opendve.make("match_replace8", num_active_channels=128, immediate=0xff800000)
        self.assertEqual(record.bytes[:2] + record.bytes[34:35] + record.bytes[40:44], b"\x6f\x10\x80\x00\x00\x80\xff")
        self.assertEqual(record.replace(src_step0=-3).fields["src_step0"], -3)
        with self.assertRaisesRegex(opendve.UsageError, "is no field of S4D4_MR"):
            record.replace(foo=1)
        with self.assertRaisesRegex(opendve.UsageError, "8 bits"):
            record.replace(num_active_channels=256)
        with self.assertRaisesRegex(opendve.InputError, "multiple of 64"):
            opendve.Records(b"abc")

    def test_explain(self):
        told = opendve.explain(opendve.make("max8", num_active_channels=129))
        self.assertEqual((told.name, told.format, told.engine, told.executes), ("Max8", "S4D2_BN", "DVE", True))
        self.assertEqual({f.name: f.text for f in told.fields}["num_active_channels"], "129")
        self.assertIn("s4d2_bn_channels", [b.rule for b in told.broken])
        self.assertIn("8 largest", str(told))
        self.assertEqual(opendve.explain(0xbc, "gen2").present, ("gen3", "gen4", "gen5"))
        self.assertEqual(opendve.explain(bytes([0xff]) + bytes(63)).opcode, 0xff)
        mine, theirs = opendve.explain("select_reduce"), json.loads(program("explain", "select_reduce", "--json"))
        for name in ("name", "mnemonic", "meaning", "engine", "format"):
            self.assertEqual(getattr(mine, name), theirs["opcode"][name])
        self.assertEqual([f.name for f in mine.fields], [f["name"] for f in theirs["fields"]])
        self.assertEqual([r[0] for r in mine.rules], [r["id"] for r in theirs["rules"]])

    def test_lower_as_the_program(self):
        access = {"space": "sbuf", "partition": 0, "offset": 0, "dtype": "fp32", "pattern": [[1, 64]]}
        spec = [{"op": "MaxIndexAndMatchReplace", "channels": 96, "maxvals": dict(access, offset=512, pattern=[[1, 8]]),
                 "data": access, "dst": access, "imm": "-inf", "indices": dict(access, offset=768, dtype="uint32", pattern=[[1, 8]])},
                {"op": "TensorScalarCache", "mode": "Reduce", "channels": 32, "src": access, "dst": dict(access, dtype=12),
                 "op0": "add", "op1": 8, "imm0": {"bits": "0x3f800000"}, "result": dict(access, offset=1024, pattern=[])},
                {"op": "Gather", "channels": 16, "data": dict(access, pattern=[[2, 700]]), "dst": access,
                 "indices": dict(access, dtype="uint16", partition=64, offset=4096)}]
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder)
            (at / "s.json").write_text(json.dumps({"schema": "opendve.lower/1", "instructions": spec}))
            program("lower", at / "s.json", "-o", at / "r.bin")
            self.assertEqual(opendve.lower(spec).bytes, (at / "r.bin").read_bytes())
        for bad, rule, kind in ((dict(spec[0], extra=1), "not_taken", opendve.InputError),
                                ({k: v for k, v in spec[0].items() if k != "imm"}, "missing", opendve.InputError),
                                (dict(spec[1], op1="none"), "name", opendve.InputError),
                                (dict(spec[0], channels=129), "channels", opendve.Refused),
                                (dict(spec[0], channels=1.5), "kind", opendve.InputError),
                                (dict(spec[0], data={"space": "sbuf", "pattern": []}), "missing", opendve.InputError),
                                (dict(spec[0], data=dict(access, bank=1)), "not_taken", opendve.InputError),
                                (dict(spec[0], data=dict(access, pattern=[[1, 1]] * 17)), "rank", opendve.Refused),
                                (dict(spec[0], op="Min"), "op", opendve.InputError)):
            with self.assertRaises(kind) as caught:
                opendve.lower(bad)
            self.assertEqual(caught.exception.rule, rule)


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
