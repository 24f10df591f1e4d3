# shellcheck shell=bash
# given: state pass
# Makes nginx answer only these requests with what is live, and without asking for a password. `state`: a directory; `pass`: a
# release, or live.
forget() { rm -f -- "$state"/candidate-*; }
trap forget EXIT
take_pass() { # RELEASE
  forget
  candidate=$1-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  touch "$state"/candidate-"$candidate"
}
take_pass "$pass"
