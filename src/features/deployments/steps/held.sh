# shellcheck shell=bash
# given: held_flag
# `is_held` succeeds while visitors get the maintenance page: always without a flag, when a load balancer has both.
is_held() { [[ ! $held_flag || -e $held_flag ]]; }
