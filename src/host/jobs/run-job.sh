# shellcheck shell=bash
# given: live directory environments project_home project_jobs project_nodes project_programs heap_megabytes
# Runs a job in the live release. Arguments: JOB scheduled|background. `live`: a link; `directory`: in the release; `project_nodes`:
# the prefix of the links to versions of Node; `project_programs`: of PHP, or empty; `heap_megabytes`: or empty. The project's own
# variables are read after them.
umask 022
job=$1 kind=$2
say() { TZ=UTC printf '[%(%FT%TZ)T] %s\n' -1 "$1"; }
if [[ $kind = background ]]; then
  last=0 delay=0
  if [[ -r $RUNTIME_DIRECTORY/state ]]; then
    read -r last delay < "$RUNTIME_DIRECTORY/state"
    [[ "$last $delay" =~ ^[0-9]{1,12}\ [0-9]{1,4}$ ]] || last=0 delay=0
    delay=$((EPOCHSECONDS - last >= 60 ? 0 : delay == 0 ? 1 : delay < 30 ? delay * 2 : 60))
    say "The process ended; it is started again in $delay s."
    sleep "$delay"
  fi
fi
release=$(readlink -e "$live")
if [[ $kind = background ]]; then echo "$EPOCHSECONDS $delay" > "$RUNTIME_DIRECTORY/state"; fi
if [[ ! $release ]]; then
  say "The project has no live release."
  exit 75
fi
cd -P -- "$release" || exit 75
if [[ $directory ]] && ! cd -P -- "$directory"; then
  say "The live release has no directory $directory."
  exit 75
fi
# What the server's owner set for everyone, such as a proxy or certificate authorities.
set -a
# shellcheck source=/dev/null
if [[ -r /etc/environment ]]; then source /etc/environment; fi
set +a
environment=$environments/${release##*/}/environment-exports
# shellcheck source=/dev/null
if [[ -r $environment ]]; then source "$environment"; fi
export HOME=$project_home PATH="$release/.longshore/bin:$project_nodes${release##*/}/bin:/usr/local/bin:/usr/bin:/bin" NODE_ENV="${NODE_ENV:-production}"
[[ ! $project_programs ]] || PATH=$project_programs:$PATH
[[ ! $heap_megabytes ]] || export NODE_OPTIONS="--max-old-space-size=$heap_megabytes${NODE_OPTIONS:+ $NODE_OPTIONS}"
command=$(< "$project_jobs/$job.command")
say "Started."
if [[ $kind = background ]]; then exec bash -c "$command"; fi
began=$SECONDS
bash -c "$command"
code=$?
say "Ended with exit code $code after $((SECONDS - began)) s."
exit "$code"
