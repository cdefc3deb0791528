# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the `run` scripts of the examples share; they set `root`, and `text` to the user's text or nothing.

die() { # CODE MESSAGE
    printf 'run: %s\n' "$2" >&2
    exit "$1"
}

say() {
    printf '==> %s\n' "$*" >&2
}

install_needs() {
    local needs=(gcc:gcc file:/usr/include/stdio.h:libc6-dev cmake:cmake ninja:ninja-build
        file:/usr/include/json-c/json.h:libjson-c-dev file:/usr/include/sha2.h:libmd-dev file:/usr/include/zlib.h:zlib1g-dev)
    [[ -n $text ]] || needs+=(bible:bible-kjv file:/usr/lib/bible.data:bible-kjv-text)
    "$root/scripts/need" "${needs[@]}"
}

build() { # TARGET...
    say 'building (cmake --preset release)'
    (cd "$root" && cmake --preset release --log-level=WARNING && cmake --build --preset release --target "$@") >&2 ||
        die 1 "the build failed"
}

# The package holds the text compressed for its own program, which prints all of it as one verse a
# line, with the place ("Ge1:1 ") in front. -p, for it would prefer a bible.data of this directory.
king_james() { # FILE
    bible -f -p /usr/lib gen1:1-rev22:21 </dev/null | LC_ALL=C sed 's/^[^ ]* //' >"$1"
    local verses
    verses=$(wc -l <"$1")
    ((verses == 31102)) || die 3 "the program bible printed $verses verses, not 31102; name a text with --text"
}

# Sets `work`: the directory to keep, or one that goes away.
make_work() { # KEEP
    if [[ -n $1 ]]; then
        mkdir -p -- "$1" || die 5 "cannot make the directory $1"
        work=$(cd -- "$1" && pwd)
    else
        work=$(mktemp -d)
        trap 'rm -rf -- "$work"' EXIT
    fi
}

# Sets `text` to a file that exists, in a form that no program takes for an option.
find_text() {
    if [[ -z $text ]]; then
        text=$work/text.txt
        king_james "$text"
    fi
    [[ $text != -* ]] || text=./$text
}
