#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Help, versions, and how the command line is read. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# No command is wrong usage; asking for help is not.
run 2
says 'opendve COMMAND'
holds test ! -s .out
for words in help --help -h; do
    run 0 $words
    quiet
    holds grep -q '^example: opendve' .out
    for command in topk exec check isa help; do prints "  $command "; done
done

# Every command's help shows an example first and each option with its value.
for command in topk exec check isa help; do
    run 0 help $command
    quiet
    holds test "$(head -c 17 .out)" = 'example: opendve '
    cp .out help.txt
    run 0 $command --help
    same .out help.txt
    run 0 $command -h
    same .out help.txt
done
run 0 exec --help
for option in put get state-in state-out sem reg waits skip-control stats trace strict uninit max-records max-elements \
    threads get-on-error plan in values indices gen json assume; do prints "--$option"; done
run 0 help --help
holds test "$(grep -c -- --gen .out)" = 0

run 0 --version
quiet
holds grep -Eq '^opendve [0-9]+\.[0-9]+\.[0-9]+$' .out

# Mistyped names get a hint, and nothing else runs.
run 2 chek
says 'did you mean check?'
run 2 help chek
says 'did you mean check?'
run 2 nonsense-and-nothing-like-it
says 'opendve help'
holds test "$(grep -c 'did you mean' .err)" = 0
run 2 --json check
says 'the command comes first'
run 2 help one two
run 2 check --max-error 3 x
says 'did you mean --max-errors?'
run 2 check -q x
says '-q'
run 2 check --json=yes x
says 'takes no value'
run 2 check --max-errors
says 'needs a value'
run 2 check
says 'takes one file'
run 2 check a b
says 'takes one file'
run 2 check --max-errors 1x a
says '"1x"'
for number in -1 '' 0x 1e3 ' 1' 18446744073709551616 0x10000000000000000 ٣; do
    run 2 check --max-errors "$number" a
    says 'allowed is a decimal number or hex with 0x'
done

# Options stand anywhere, in both forms; -- ends them.
: >empty.bin
cp empty.bin -- --json
run 0 check empty.bin --json
prints '"schema":"opendve.check/1"'
run 0 check --json empty.bin --max-errors=5
prints '"schema":"opendve.check/1"'
run 0 check --max-errors 0x5 --json -- empty.bin
prints '"schema":"opendve.check/1"'
run 0 check -- --json
prints '0 records'

# Generations, their aliases, and settings.
for name in gen2:sunda gen2:trn1 gen2:inf2 gen2:nc-v2 gen2:core_v2 gen3:cayman gen3:trn2 gen3:nc-v3 gen3:core_v3 \
    gen4:mariana gen4:trn3 gen4:nc-v4 gen4:core_v4 gen5:maverick gen5:nc-v5; do
    run 0 check empty.bin --json --gen "${name#*:}"
    json "d['gen'] == '${name%:*}'"
done
run 0 check empty.bin --json
json "d['gen'] == 'gen3'"
for name in gen1 gen6 GEN3 '' 'sunda trn1' 3; do
    run 2 check empty.bin --gen "$name"
    says 'gen2, gen3, gen4, gen5'
done
run 0 check empty.bin --assume e4m3=fn --assume fp8_overflow=saturate
run 2 check empty.bin --assume e4m3
says 'NAME=VALUE'
run 2 check empty.bin --assume e4m3=other
says 'allowed is one of: ieee fn'
run 2 check empty.bin --assume e4m3=
run 2 check empty.bin --assume e4m2=fn
says 'did you mean e4m3?'
run 2 check empty.bin --assume int_from_nan=x
says 'one reading only'

# What cannot be printed is exit 5; a reader that went away is no news.
"$program" help >/dev/full 2>.err
holds test $? = 5
says 'stdout: cannot write'
"$program" help >&- 2>.err
holds test $? = 5
says 'stdout: cannot write'
broken_pipe 5 help
broken_pipe 5 isa opcodes
broken_pipe 5 isa opcodes --json
for stream in 0 1 2; do
    eval "\"\$program\" check empty.bin $stream>&-" >.out 2>.err
    holds test $? -le 5
done
# A locale changes nothing.
LC_ALL=de_DE.UTF-8 "$program" isa rules >german 2>/dev/null
run 0 isa rules
same german .out

summary
