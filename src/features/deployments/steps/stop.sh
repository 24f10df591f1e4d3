# shellcheck shell=bash
# `stop SENTENCE` ends the step with a sentence for the reader.
# shellcheck disable=SC2317 # scripts that run commands of users define their own
stop() { printf '%s\n' "$1" >&2; exit 1; }
