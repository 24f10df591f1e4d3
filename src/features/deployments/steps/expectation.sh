# shellcheck shell=bash
# given: expected_statuses
# `is_expected` succeeds if `status` is an accepted status of a release: one of `expected_statuses`, or any below 500 without them.
is_expected() {
  if [[ $expected_statuses ]]; then [[ $status && " $expected_statuses " = *" $status "* ]]; else [[ $status && $status -lt 500 ]]; fi
}
