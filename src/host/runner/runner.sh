#!/bin/bash
# Carries out one plan on this server, whatever becomes of the connection that ordered it.
#
#   runner start RUN    take a bundle from standard input and start it as a transient unit; prints started,
#                       running or ended. Starting a run that exists attaches to it; an interrupted one continues.
#                       Fails with 75 while the server shuts down.
#   runner cancel RUN NONCE   honour a cancel at the next checkpoint; prints cancelling, or passed when it is too late
#   runner execute RUN  what the unit runs
#
# A run lives in /var/lib/longshore/runs/RUN: the plan, its steps, the journal, and what was reached (state/).
# Secrets live in /run/longshore/RUN (memory) and go with the end of the run. Both directories are root's alone.
#
# A step of root's runs in the unit of the run. Any other runs in a sandboxed unit of its own (steps/N.sandbox), which ends with
# the run's; its output comes through a pipe that is copied here, so that the journal cannot be reached from there.
#
# The journal is the steps' own output, byte for byte, with records between: a line that begins with the character
# RS and the run's nonce. A record begins with a newline of its own, in case the output before it did not end with one.
#
# The plan sets what it is given:
# given: nonce steps no_return output_limit timeout checkpoint goes_on
#
# Each run begins here, and to start a program takes longer than most of what is done: bash does what it can by itself.
set -u
umask 077
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C

stored=/var/lib/longshore
runs=$stored/runs
ids=$stored/ids
volatile=/run/longshore

start() {
  local run=$1 directory=$runs/$1
  if ! receive; then
    echo "The plan did not arrive whole." >&2
    return 65
  fi
  [[ -d $runs && -d $volatile ]] || mkdir -p "$runs" "$volatile" || return 74
  exec 8>"$volatile/$run.starting"
  flock 8
  if [[ -d $directory ]] && ! same_run "$directory"; then
    if is_at_work "$run"; then
      echo "Another Longshore installation is at work on this server." >&2
      return 73
    fi
    rm -rf "$directory"
  fi
  if [[ -d $directory && ! -e $directory/ended ]] && is_at_work "$run"; then
    echo running
    return 0
  fi
  # Asked for last: a run is at its end before its unit is.
  if [[ -e $directory/ended ]]; then
    echo ended
    return 0
  fi
  keep_reserve
  keep_ids
  unpack "$run" "$directory" || return 74
  local limits=()
  mapfile -t limits <"$directory/limits"
  # What is printed counts only with the exit status of systemd-run, which holds the lock to its end.
  echo started
  systemd-run --quiet --no-block --collect --unit="longshore-run-$run" --description="Longshore run $run" \
    --property=KillMode=control-group --property=OOMPolicy=continue "${limits[@]}" "$0" execute "$run" || refused
}

# While the server shuts down, systemd starts nothing any more.
refused() {
  local code=$?
  case $(systemctl is-system-running 2>/dev/null) in
    stopping | unknown | '') return 75 ;;
  esac
  return "$code"
}

# Reads the bundle into `bundle`, content by name: for each file a line with its length and its name, then its bytes. The last
# one is `complete`: a bundle cut off by a dying connection is refused. Nothing is written before it is whole.
receive() {
  local length name content
  declare -gA bundle=()
  while read -r length name; do
    [[ $name != complete ]] || return 0
    [[ $length =~ ^[0-9]{1,12}$ ]] || return 1
    content=
    ((length == 0)) || read -rN "$length" content || return 1
    bundle[$name]=$content
  done
  return 1
}

# The journal is created last: without it, a run's directory is not whole. Its place in memory is created each time.
unpack() {
  local place=$volatile/$1 directory=$2 folders
  [[ ! -e $place ]] || rm -rf "$place"
  folders=("$place/secrets" "$place/facts")
  [[ -e $directory/journal ]] || folders+=("$directory/steps" "$directory/undo" "$directory/state")
  mkdir -p "${folders[@]}" || return
  write_files secrets "$place/secrets" || return
  [[ -e $directory/journal ]] || { write_files run "$directory" && : >"$directory/journal"; }
}

# The bundle's files of one folder.
write_files() {
  local folder=$1 directory=$2 name
  for name in "${!bundle[@]}"; do
    [[ $name != "$folder"/* ]] || printf '%s' "${bundle[$name]}" >"$directory/${name#"$folder"/}" || return
  done
}

# Also one that systemd has queued and not begun yet, as on a busy server.
is_at_work() {
  local shown
  shown=$(systemctl show --property=ActiveState --property=Job "longshore-run-$1.service")
  [[ $shown =~ =(active|[a-z]+ing|[0-9]+) ]]
}

# Every installation counts its runs from one, and counts again after a restore, and a server may have belonged to another before: the nonce, which is
# the plan's first line, decides whether a run that is here is the one that is meant. One that is not whole is none.
same_run() {
  local known=
  [[ -e $1/journal ]] && read -r known <"$1/plan"
  [[ ${bundle[run/plan]%%$'\n'*} == "$known" ]]
}

# A full disk must not swallow the record of that: a little room is kept back, and given up when it is needed.
keep_reserve() {
  [[ -s $stored/reserve ]] || head -c 262144 /dev/zero >"$stored/reserve" || rm -f "$stored/reserve"
}

# The last ids of the records, for which a database that is restored from an older backup asks. Files with lower numbers say less.
keep_ids() {
  local present=("$ids"/[0-9]*) new old=() each
  [[ -d $ids ]] || mkdir -p "$ids"
  write_files ids "$ids"
  ((${#present[@]} > 8)) || return
  for new in "${!bundle[@]}"; do
    [[ $new == ids/* ]] || continue
    for each in "${present[@]}"; do ((${each##*/} >= ${new#ids/})) || old+=("$each"); done
  done
  ((${#old[@]} == 0)) || rm -f "${old[@]}"
}

cancel() {
  local run=$1 nonce=${2-} known='' pid
  if ! cd "$runs/$run" 2>/dev/null || [[ ! -e journal ]] || ! read -r known <plan || [[ $known != *"$nonce"* ]]; then
    echo unknown
    return 0
  fi
  [[ ! -e ended ]] || { echo ended; return 0; }
  decide cancel || { echo passed; return 0; }
  if read -r pid 2>/dev/null <"$volatile/$run/pid"; then knock "$pid"; fi
  echo cancelling
}

# Makes the runner look up from a step. Repeated after a moment: a knock in the instant before it begins to wait for the
# step is not noticed until the step's end.
knock() {
  kill -USR1 "$1" 2>/dev/null
  { sleep 0.2; kill -USR1 "$1"; } >/dev/null 2>&1 </dev/null &
}

# Between a cancel and the run's turn to go only forward, the first one decides: both make the same name, where there is
# none. A link for a cancel, a file for the turn, which bash makes by itself; neither needs room on a full disk.
decide() {
  if [[ $1 == pass ]]; then
    set -o noclobber
    { : >decided; } 2>/dev/null
    set +o noclobber
  else
    ln -sT "$1" decided 2>/dev/null
  fi
  decided "$1"
}

decided() {
  if [[ -L decided ]]; then [[ $(readlink decided) == "$1" ]]; else [[ $1 == pass && -e decided ]]; fi
}

# ---- What the unit runs ---------------------------------------------------------------------------------------------

clock() { now=${EPOCHREALTIME/[.,]/} now=${now%???}; }

# Appends a record to the journal. Notifies followers, unless another record follows at once.
record() {
  if ! printf '\n\x1e%s %s\n' "$nonce" "$*"; then
    : >"$stored/reserve"
    printf '\n\x1e%s %s\n' "$nonce" "$*"
  fi
  [[ $1 != @(step|undo|end)\ * ]] || echo "$run" >>"$volatile/bell"
}

# The processes of this run but for the runner itself, into `others`; fails when there are none.
other_processes() {
  local pid
  others=()
  while read -r pid; do [[ $pid == "$$" ]] || others+=("$pid"); done <"$processes"
  ((${#others[@]}))
}

# Waits without a process of its own, so that `other_processes` can come to nothing.
pause() {
  [[ ${quiet-} ]] || exec {quiet}<> <(:)
  read -rt "$1" -u "$quiet" || true
}

# Ends every other process of the run: asks, then insists. By the clock: rounds take long where there are many to end.
end_processes() {
  local signal=TERM patience
  other_processes || return 0
  clock
  patience=$((now + 700))
  while other_processes; do
    kill -s "$signal" "${others[@]}" 2>/dev/null
    clock
    if ((now < patience)); then
      pause 0.02
    else
      signal=KILL
      pause 0.002
    fi
  done
}

# Past the point of no return nothing is undone. From the start on, when the plan has it there.
passed() { ((no_return < 0)) || [[ -e state/passed ]]; }

cancellable() { ((checkpoint[$1])) && decided cancel; }

# The machine's own environment (a proxy, a certificate authority), as a login would get it.
read_machine_environment() {
  local line
  [[ -r /etc/environment ]] || return 0
  while IFS= read -r line || [[ $line ]]; do
    line=${line#export }
    [[ $line =~ ^([A-Za-z_][A-Za-z0-9_]*)=(\"(.*)\"|\'(.*)\'|(.*))$ && ${BASH_REMATCH[1]} != PATH ]] || continue
    export "${BASH_REMATCH[1]}=${BASH_REMATCH[3]}${BASH_REMATCH[4]}${BASH_REMATCH[5]}"
  done </etc/environment
}

# Copies a sandboxed step's output. What is printed without end would fill the disk: the kernel ends the copy with SIGXFSZ when
# the journal reaches the limit.
copy_output() {
  local code
  ulimit -f $((output_limit >> 10))
  # Without bash's own words on the signal.
  { cat; code=$?; } 2>/dev/null
  ((code == 128 + 25)) || return
  : >state/flooded
  systemctl stop "$unit"
}

# Runs a script in the unit `unit`, under the properties in its `.sandbox` file. Its command has no character that systemd or a
# shell gives a meaning: where systemd reads its units again just now, it reads this one back from a file, with another escaping.
run_sandboxed() {
  local script=$1 seconds=$2 properties limits account
  mapfile -t properties <"${script%.sh}.sandbox"
  mapfile -t limits <limits
  account=${properties[0]#--property=User=}
  # So that programs can open /dev/stdout by its name.
  chown -- "$account" /dev/stdout
  exec systemd-run --quiet --wait --pipe --collect --unit="$unit" --description="Longshore run $run: $script" \
    --property="BindsTo=longshore-run-$run.service" --property="LoadCredential=script:$runs/$run/$script" \
    --property="RuntimeMaxSec=$seconds" --property=KillSignal=SIGKILL --property=OOMPolicy=kill \
    "${limits[@]}" "${properties[@]}" /bin/bash "/run/credentials/$unit/script"
}

# Starts a script: `child` is the process to wait for, `unit` and `copier` are set for a sandboxed one.
start_script() {
  local script=$1 seconds=$2 pipe
  unit='' copier=''
  if [[ -e ${script%.sh}.sandbox ]]; then
    unit=longshore-run-$run-${script//[!0-9]/}.service
    exec {pipe}> >(copy_output)
    copier=$!
    run_sandboxed "$script" "$seconds" >&"$pipe" 2>&1 &
    child=$!
    exec {pipe}>&-
  else
    timeout --kill-after=5 "$seconds" bash "$runs/$run/$script" &
    child=$!
  fi
}

# A process outside of the unit may have been handed the pipe: after the unit's end the copier has a moment for what is in it.
finish_output() {
  local tries
  [[ $copier ]] || return 0
  for ((tries = 0; tries < 100; tries++)); do
    kill -0 "$copier" 2>/dev/null || return 0
    pause 0.005
  done
  kill -KILL "$copier" 2>/dev/null
}

# Asks, then insists. What a script leaves behind at its own end is killed by systemd without a question (KillSignal).
end_script() {
  local tries
  if [[ $unit ]]; then
    systemctl kill --signal=TERM "$unit" 2>/dev/null
    for ((tries = 0; tries < 70; tries++)); do
      kill -0 "$child" 2>/dev/null || break
      pause 0.01
    done
    systemctl stop "$unit" 2>/dev/null
  fi
  end_processes
}

# Runs a step's script; `status` is what it ended with, `stopped` is set when a cancel ended it.
run_script() {
  local position=$1 child unit copier
  start_script "steps/$position.sh" "${timeout[position]}"
  stopped=0
  while :; do
    # Without bash's own words on a step that a signal ended.
    { wait "$child"; status=$?; } 2>/dev/null
    # A knock ends `wait` early; the step may still be at work. Asked again, `wait` returns how it ended.
    ((knocked)) || break
    knocked=0
    if cancellable "$position"; then
      stopped=1
      end_script
    fi
  done
  finish_output
  end_processes
}

report_facts() {
  local line
  while IFS= read -r line || [[ $line ]]; do record "fact $line"; done <"$volatile/$run/facts/$1"
}

run_step() {
  local position=$1 began
  clock
  began=$now
  record "step $position $now"
  : >"state/$position.began"
  [[ ! -e state/flooded ]] || rm -f state/flooded
  : >"$volatile/$run/facts/$position"
  run_script "$position"
  report_facts "$position"
  clock
  ((status == 0 || now - began < timeout[position] * 1000)) ||
    echo "The step took longer than ${timeout[position]} seconds and was ended."
  if [[ -e state/flooded ]]; then
    echo "The step was ended: the log is longer than $((output_limit >> 20)) MB."
    status=1
  fi
  # The disk may be too full for the failed command to report it itself.
  ((status == 0)) || full_disk_said
  clock
  record "done $position $status $((now - began)) $now"
}

undo_step() {
  local child unit copier code
  start_script "undo/$1.sh" 300
  # A knock that comes late ends `wait`, and must not end what puts back.
  while :; do
    { wait "$child"; code=$?; } 2>/dev/null
    ((knocked)) || break
    knocked=0
  done
  finish_output
  end_processes
  return "$code"
}

full_disk_said() {
  local free
  free=$(df --output=avail -k "$stored" /srv 2>/dev/null | tail -n +2 | sort -n | head -n 1)
  [[ ! $free || $free -gt 1024 ]] && return
  : >"$stored/reserve"
  echo "The server's disk is full."
}

# Puts back what the steps changed, last first. It can be repeated.
undo_steps() {
  local position code
  for ((position = steps - 1; position >= 0; position--)); do
    [[ -e state/$position.began && -e undo/$position.sh ]] || continue
    clock
    record "undo $position $now"
    undo_step "$position"
    code=$?
    clock
    record "undone $position $code $now"
  done
}

give_up() {
  outcome=$1
  ln -sfT "$outcome" state/outcome
  undo_steps
}

# A cancel that was accepted is what a run ends with, also when a step failed meanwhile.
give_up_for() {
  if decided cancel; then give_up cancelled; else give_up "$1"; fi
}

# The first step of those that lead to the point of no return without a checkpoint: a cancel comes before it or never.
find_turn() {
  turn=$((no_return + 1))
  while ((turn > 0 && !checkpoint[turn - 1])); do ((turn--)); done
}

go_forward() {
  local position
  find_turn
  if ((turn == 0)) && ! decide pass; then give_up cancelled; return; fi
  for ((position = 0; position < steps; position++)); do
    [[ ! -e state/$position.settled ]] || continue
    if cancellable "$position"; then give_up cancelled; return; fi
    run_step "$position"
    if ((stopped)); then give_up cancelled; return; fi
    if ((status != 0 && !goes_on[position])); then
      # A plan that only goes forward has nothing to put back.
      if ((no_return < 0)); then outcome=failed; return; fi
      if ! passed; then give_up_for failed; return; fi
    fi
    if ((position + 1 == turn)) && ! decide pass; then give_up cancelled; return; fi
    : >"state/$position.settled"
    ((position != no_return)) || : >state/passed
  done
}

# Once at a time: systemd has no two units of one name.
execute() {
  run=$1
  cd "$runs/$run" || exit 1
  # shellcheck source=/dev/null
  source ./plan
  exec >>journal 2>&1 </dev/null
  find_cgroup
  [[ -d state ]] || mkdir state
  read_machine_environment
  echo $$ >"$volatile/$run/pid"
  knocked=0
  trap knocked=1 USR1
  # A shutdown is an interruption, not a failure of the step it hits: report nothing, continue after the boot.
  trap 'exit 143' TERM
  outcome=succeeded
  clock
  if [[ -e state/began ]]; then
    record "resume $now"
    systemctl stop "longshore-run-$run-*.service"
  else
    record "run $now"
  fi
  if [[ -L state/outcome ]]; then
    give_up "$(readlink state/outcome)"
  elif [[ -e state/began ]] && ! passed; then
    echo "The server was interrupted while this ran; what it had changed is put back."
    give_up_for failed
  else
    : >state/began
    go_forward
  fi
  finish
}

finish() {
  end_processes
  clock
  record "end $outcome $now"
  # The journal's last word, whatever cleanup prints while others' runs come and go.
  exec >/dev/null 2>&1
  : >ended
  rm -rf "${volatile:?}/$run" "$volatile/$run.starting"
  remove_old_runs
}

# Once a day: to look for them takes longer than a short run.
remove_old_runs() {
  local today looked='' old
  printf -v today '%(%F)T' -1
  [[ ! -e $stored/looked ]] || read -r looked <"$stored/looked"
  [[ $looked != "$today" ]] || return
  mapfile -td '' old < <(find "$runs" -mindepth 2 -maxdepth 2 -name ended -mtime +7 -printf '%h\0')
  rm -rf "${old[@]}"
  echo "$today" >"$stored/looked"
}

# The list of the run's processes, into `processes`: in systemd's own hierarchy, on unified and on older mixed set-ups.
find_cgroup() {
  local id controllers path root members
  while IFS=: read -r id controllers path; do
    [[ $controllers == name=systemd || ($id == 0 && ! $controllers) ]] || continue
    for root in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
      processes=$root$path/cgroup.procs
      { mapfile -t members <"$processes"; } 2>/dev/null || continue
      [[ " ${members[*]} " != *" $$ "* ]] || return
    done
  done </proc/self/cgroup
}

case ${1-} in
  start | execute) "$1" "${2:?}" ;;
  cancel) cancel "${2:?}" "${3-}" ;;
  *)
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "$0" >&2
    exit 64
    ;;
esac
