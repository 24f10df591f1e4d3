import { type Script, sh } from "../sh.ts";
import { oneAtATime } from "./lock.ts";

// Bash functions that steps may use. A step contains only the functions it names, so that it can be read, run and
// checked alone.
const functions: Record<string, Script> = {
  // Returns a result to the control plane.
  fact: sh`
    fact() { printf '%s %s\\n' "$1" "$2" >> "$LONGSHORE_FACTS"; }`,

  in_container: sh`
    in_container() { systemd-detect-virt --quiet --container; }`,

  // Writes only files that differ, and moves them into place: a reader never sees half a file, a second run changes nothing.
  // Compares and creates the file in bash itself: starting a program takes longer than that. `read` succeeds only at a zero
  // byte, which no text has. `set -C` prevents writing to an existing file. The status of each command is checked: inside
  // `$(…)` bash continues after a failed command, and an empty file would replace the old one.
  put_file: sh`
    put_file() { # PATH MODE CONTENT
      local path=$1 mode=$2 content=$3 directory=\${1%/*} present='' temporary
      if [ -f "$path" ] && ! IFS= read -r -d '' present < "$path" && [[ $present == "$content" ]]; then return; fi
      [ -d "$directory" ] || mkdir -p "$directory" || return
      temporary=$directory/.longshore.$SRANDOM
      if make_file "$temporary" "$mode" "$content" && mv -T "$temporary" "$path"; then
        echo "Wrote $path."
      else
        rm -f "$temporary"
        return 1
      fi
    }
    make_file() { # PATH MODE CONTENT
      local mask
      printf -v mask %o $((0777 & ~$2))
      (umask "$mask" && set -C && printf '%s' "$3" > "$1") || return
      # No file is made as one that can be run.
      if (($2 & 0111)); then chmod "$2" "$1"; fi
    }`,

  put_link: sh`
    put_link() { # TARGET PATH
      if [ "$(readlink "$2")" = "$1" ]; then return; fi
      ln -sfn "$1" "$2.longshore-new" && mv -T "$2.longshore-new" "$2" || return
      echo "Linked $2 to $1."
    }`,

  // Enabling makes systemd read all its files again unless that is suppressed. The next boot reads them; until then the
  // unit runs because this script starts it.
  keep_running: sh`
    keep_running() { # UNIT
      systemctl is-enabled --quiet "$1" || systemctl enable --quiet --no-reload "$1"
      if systemctl is-active --quiet "$1"; then return; fi
      systemctl start "$1"
      echo "Started $1."
    }`,

  // A unit is notified about files that are younger than its last start or reload. Comparing times, instead of
  // remembering what this run wrote, also works after a run that was interrupted between writing and reloading.
  apply_changes: sh`
    apply_changes() { # reload|restart UNIT PATH…
      local verb=$1 unit=$2 since
      shift 2
      systemctl is-enabled --quiet "$unit" || systemctl enable --quiet "$unit"
      if ! systemctl is-active --quiet "$unit"; then
        systemctl start "$unit"
        echo "Started $unit."
        return
      fi
      since=$(systemctl show --property=StateChangeTimestamp --value --timestamp=us+utc "$unit")
      if [ -z "$(find "$@" -newermt "$since" 2>/dev/null | head -n 1)" ]; then return; fi
      systemctl "$verb" "$unit"
      echo "Requested $unit to $verb."
    }`,

  // Every port on which this server accepts SSH: the configured one and those it listens on, so that a rule made from
  // them cannot lock out anyone.
  ssh_ports: sh`
    ssh_ports() { # PORT
      {
        echo "$1"
        sshd -T 2>/dev/null | sed -n 's/^port //p'
        systemctl show --property=Listen --value ssh.socket 2>/dev/null | grep -oP ':\\K[0-9]+(?= \\(Stream\\))' || true
      } | sort -nu
    }`,

  // A package call waits up to ten minutes for another one (a fresh machine's own updates) to release the locks.
  apt: sh`
    apt() {
      DEBIAN_FRONTEND=noninteractive DEBIAN_PRIORITY=critical UCF_FORCE_CONFFOLD=1 NEEDRESTART_SUSPEND=1 \\
        APT_LISTCHANGES_FRONTEND=none LC_ALL=C.UTF-8 apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \\
        -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
    }`,

  // Installs missing packages and nothing else: installed packages are not upgraded.
  need_packages: sh`
    need_packages() {
      local package missing=()
      for package; do
        [ "$(dpkg-query -W -f '\${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
      done
      if [ "\${#missing[@]}" = 0 ]; then return; fi
      echo "Installing \${missing[*]}."
      # A package call that a reboot cut off leaves dpkg in a state in which apt does nothing. When another program is at
      # work this is refused, and apt waits for it.
      DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold --configure -a > /dev/null 2>&1 || true
      apt install --no-install-recommends "\${missing[@]}"
    }`,

  php_version: sh`
    php_version() { dpkg-query -W -f '\${Depends}' php-fpm | grep -oP 'php\\K[0-9]+\\.[0-9]+(?=-fpm)' | head -n 1; }`,

  // A file that nginx rejects is reverted at once, so that the running nginx can always be restarted. The former file is
  // kept outside its directory, whose time of change `apply_changes` looks at.
  put_nginx: sh`
    put_nginx() { # PATH CONTENT
      local path=$1
      ${oneAtATime}
      scratch=$(mktemp)
      if [ -e "$path" ]; then cp -p "$path" "$scratch"; else rm "$scratch"; fi
      put_file "$path" 0640 "$2"
      if nginx -t -q; then
        rm -f "$scratch"
        return
      fi
      if [ -e "$scratch" ]; then mv "$scratch" "$path"; else rm "$path"; fi
      fail "nginx rejects the new $path (the reason is above); the former state was put back."
    }`,
};

const needs: Record<string, readonly string[]> = { need_packages: ["apt"], put_nginx: ["put_file"] };

/**
 * A step's script with what it needs around it: the functions it names, `fail SENTENCE`, and a sentence that is printed
 * last when the script fails for any other reason. `scratch`, when the script sets it, is removed at the end.
 */
export function withPrelude(sentence: string, body: Script): Script {
  const used = namesIn(body.script);
  return {
    script: [
      sh`
        umask 022
        said=
        # shellcheck disable=SC2317 # called by scripts that end with it
        fail() { said=yes; printf '%s\\n' "$*" >&2; exit 1; }
        # shellcheck disable=SC2317 # called by the trap
        at_exit() {
          local status=$?
          [ -z "\${scratch-}" ] || rm -rf "$scratch"
          [ "$status" = 0 ] || [ -n "$said" ] || printf '%s\\n' ${sentence} >&2
        }
        trap at_exit EXIT`.script,
      ...Object.entries(functions).flatMap(([name, { script }]) => (used.has(name) ? [script] : [])),
      body.script,
    ].join("\n"),
  };
}

const mentions = Object.keys(functions).map((name) => ({ name, pattern: new RegExp(`\\b${name}\\b(?!-)`) }));

function namesIn(script: string): Set<string> {
  const direct = mentions.flatMap(({ name, pattern }) => (pattern.test(script) ? [name] : []));
  return new Set(direct.flatMap((name) => [name, ...(needs[name] ?? [])]));
}
