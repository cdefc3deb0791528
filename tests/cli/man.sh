#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Manual pages and shell completion, made by the program. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

missing() { printf 'SKIPPED: %s, for there is no %s (Debian package %s)\n' "$1" "$2" "$3"; }
mapfile -t commands < <("$program" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
holds test "${#commands[@]}" -ge 6

# One page a command and one for the program; nothing a page refers to is missing.
mkdir -p man1
run 0 help --man
quiet
cp .out man1/opendve.1
for command in "${commands[@]}"; do
    run 0 help --man "$command"
    quiet
    cp .out "man1/opendve-$command.1"
    holds grep -q "^.Nm opendve-$command\$" .out
    holds grep -q '^.Sh EXIT STATUS$' .out
    holds grep -qF ".It Cm $command" man1/opendve.1
    # Every option of the help stands on the page, and there is more than the summary.
    for option in $("$program" help "$command" | grep -o '^  \(-., \)\?--[a-z0-9-]*' | grep -o -- '--[a-z0-9-]*'); do
        holds grep -q -- "Fl Fl ${option#--}\( \|\$\)" .out
    done
    holds test "$(sed -n '/^.Sh DESCRIPTION/,/^.Pp/p' .out | wc -w)" -ge 14
done
if command -v mandoc >/dev/null; then
    for page in man1/*; do
        mandoc -T lint "$page" >.lint
        while read -r line; do
            # mandoc looks for other pages where manuals are installed; here they lie beside.
            name=$(sed -n 's/.*referenced manual not found: Xr \(opendve[a-z-]*\) 1.*/\1/p' <<<"$line")
            [[ -n $name && -e man1/$name.1 ]] || bad "$line"
        done <.lint
        holds mandoc -T utf8 "$page" >/dev/null
    done
else
    missing 'the pages are not judged' mandoc mandoc
fi
run 2 help --man chek
says 'did you mean check?'

# Completion: the same table in three languages.
run 2 help --completion csh
says 'allowed are bash, zsh and fish'
run 2 help --completion bash exec
run 0 help --completion bash
quiet
cp .out completion.bash
run 0 help --completion zsh
holds test "$(head -1 .out)" = '#compdef opendve'
cp .out _opendve
run 0 help --completion fish
cp .out completion.fish
for command in "${commands[@]}"; do
    holds grep -q "^    $command)" completion.bash
    holds grep -q "^    $command)" _opendve
    holds grep -q "seen_subcommand_from $command'" completion.fish
done

# What bash answers to WORD... when the last one is to be completed.
complete_words() {
    env -i bash --norc --noprofile -c 'source ./completion.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_opendve && printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | paste -sd' '
}
answers() { # EXPECTED WORD...
    local expected=$1 got
    shift
    got=$(complete_words "$@")
    if [[ $got == "$expected" ]]; then good; else bad "completing \"$*\": \"$got\", wanted \"$expected\""; fi
}
holds test "$(bash --norc -c 'source ./completion.bash; complete -p opendve')" = 'complete -o default -F _opendve opendve'
answers 'topk' opendve to
answers 'exec explain' opendve ex
answers 'gen2 gen3 gen4 gen5' opendve check --gen ''
answers 'gen4' opendve check --gen gen4
answers 'e4m3=ieee e4m3=fn' opendve exec --assume e4m3
answers '--max-errors' opendve check --max
answers 'max8' opendve explain max8
answers 'formats fields' opendve isa f
answers 'check' opendve help ch
answers 'bash zsh fish' opendve help --completion ''
answers '' opendve topk sc
answers '' opendve nonsense --ge
holds bash -n completion.bash
if command -v zsh >/dev/null; then holds zsh -n _opendve; else missing 'zsh completion is not judged' zsh zsh; fi
if command -v fish >/dev/null; then holds fish -n completion.fish; else missing 'fish completion is not judged' fish fish; fi

summary
