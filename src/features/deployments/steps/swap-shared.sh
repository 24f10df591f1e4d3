# shellcheck shell=bash
# given: swap_program
# `swap_shared` exchanges a path of a release with the shared one.
swap_shared() { perl -e "$swap_program" -- "$@"; } # LIVE SHARED
