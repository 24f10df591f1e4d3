import { serverPaths } from "../layout.ts";
import { lines, type Script, sh } from "../sh.ts";
import type { Distribution } from "./distribution.ts";

/**
 * Packages are installed for the system that actually runs here; when it differs from the declared one, the step fails and
 * names both. Fact `operating_system` is the name for display.
 */
export const checkOperatingSystem = (found: Distribution, declared: Distribution): Script => sh`
  # shellcheck source=/dev/null
  . /etc/os-release
  fact operating_system "$PRETTY_NAME"
  echo "This server runs $PRETTY_NAME."
  [ "$ID $VERSION_ID" = ${`${found.id} ${found.version}`} ] ||
    fail ${`The setup was made for ${found.id} ${found.version}, but this server now runs`} "$PRETTY_NAME."
  [ "$ID $VERSION_ID" = ${`${declared.id} ${declared.version}`} ] ||
    fail ${`${declared.id} ${declared.version} was declared, but this server is set up as what it runs:`} "$PRETTY_NAME."`;

export const checkArchitecture: Script = sh`
  architecture=$(uname -m)
  case $architecture in
    x86_64 | aarch64) echo "The processor is $architecture with $(nproc) cores." ;;
    *) fail "Processors of the kind $architecture are not supported: use x86_64 or aarch64." ;;
  esac`;

export const checkMemory: Script = sh`
  memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
  [ "$memory" -ge 450 ] || fail "$memory MB of memory are too few: a server needs 512 MB, and 1 GB to build projects."
  echo "$memory MB of memory."`;

export const checkDisk: Script = sh`
  free=$(df --output=avail --block-size=M / | tail -n 1 | tr -dc 0-9)
  [ "$free" -ge 3000 ] || fail "Only $free MB are free on /; the setup needs 3 GB."
  echo "$free MB are free on /."`;

export const checkPrivileges: Script = sh`
  [ "$(id -u)" = 0 ] || fail "The setup must run as root."
  [ -d /run/systemd/system ] || fail "systemd does not run this server; nothing can be kept running on it."
  echo "The setup runs as root, on systemd $(systemctl --version | sed -n '1s/^systemd \\([0-9]*\\).*/\\1/p')."`;

/** A clock that is wrong by hours invalidates package signatures and certificates. */
export const checkClock: Script = sh`
  built=$(stat -c %Y /usr/lib/os-release)
  [ "$(date +%s)" -ge "$built" ] || fail "The clock says $(date -u +%F), which is before this system was made: set it first."
  echo "It is $(date -u '+%F %T') UTC."`;

/**
 * Projects that another installation of Longshore left on the server, with numbers that this installation has not used yet: a new
 * project would take over the files, the user and the site of the one with its number. Fact `highest_project` is the highest
 * number in use; numbers above 9,999 are left out, since a server must not use up the numbers of the installation.
 */
export const findFormerProjects = (lastProjectId: number): Script => sh`
  found=() highest=0
  for directory in ${serverPaths.projects}/[1-9]*; do
    number=\${directory##*/}
    [[ -d $directory && $number =~ ^[1-9][0-9]{0,3}$ ]] || continue
    if ((number > highest)); then highest=$number; fi
    if ((number > ${lastProjectId})); then found+=("$number"); fi
  done
  if ((\${#found[@]} == 0)); then
    echo "No other installation of Longshore left projects here."
    exit
  fi
  fact highest_project "$highest"
  fail ${`Another installation of Longshore left projects in ${serverPaths.projects}:`} "\${found[*]}. They stay as they are, and new projects get higher numbers. Remove what is not needed any more."`;

/** The machine's first boot may still be installing packages and writing keys. */
export const waitForFirstBoot: Script = sh`
  if ! command -v cloud-init > /dev/null; then
    echo "There is no cloud-init to wait for."
    exit
  fi
  timeout 600 cloud-init status --wait > /dev/null || [ $? != 124 ] || fail "cloud-init is still at work after ten minutes."
  echo "cloud-init is at its end."`;

/** Ubuntu's smallest systems have no time zones until their package is installed. */
export const setTimeZone = (zone: string): Script => sh`
  need_packages tzdata
  file=/usr/share/zoneinfo/${zone}
  if [ ! -f "$file" ] || [ "$(head -c 4 "$file")" != TZif ]; then
    fail ${`This server does not know the time zone ${zone}; it keeps`} "$(readlink -f /etc/localtime)."
  fi
  put_link "$file" /etc/localtime
  put_file /etc/timezone 0644 ${`${zone}\n`}
  echo ${`The time zone is ${zone}.`}`;

/** Every system has C.UTF-8; a language that is already set stays. */
export const setLocale: Script = sh`
  if grep -qsiE '^(LANG|LC_ALL)=.*utf-?8' /etc/default/locale /etc/locale.conf; then
    echo "The locale is a UTF-8 one."
    exit
  fi
  file=/etc/default/locale
  # Newer systems make this a link to /etc/locale.conf.
  if [ -L "$file" ]; then file=$(readlink -m "$file"); fi
  put_file "$file" 0644 ${"LANG=C.UTF-8\n"}
  echo "The locale is C.UTF-8."`;

/** A name that does not resolve makes sudo and mail slow. The owner chooses the name itself. */
export const checkHostName: Script = sh`
  name=$(hostname)
  if ! getent hosts "$name" > /dev/null; then
    printf '127.0.1.1 %s\\n' "$name" >> /etc/hosts
    echo "Added $name to /etc/hosts, because it did not resolve."
  fi
  echo "The server keeps its name $name."`;

/** As much swap as memory, 2 GB at most, on machines with less than 4 GB of memory. */
export const addSwap: Script = sh`
  if in_container; then
    echo "Skipped: a container shares its host's swap."
    exit
  fi
  if [ "$(wc -l < /proc/swaps)" -gt 1 ]; then
    echo "There is swap already."
    exit
  fi
  memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
  if [ "$memory" -ge 3900 ]; then
    echo "Not needed with $memory MB of memory."
    exit
  fi
  size=$((memory < 2048 ? memory : 2048))
  free=$(df --output=avail --block-size=M / | tail -n 1 | tr -dc 0-9)
  [ "$free" -ge $((size * 3)) ] || fail "There is no room for $size MB of swap: only $free MB are free."
  if [ ! -e /swapfile ]; then
    rm -f /swapfile.new
    fallocate -l "\${size}M" /swapfile.new || fail "This file system cannot hold a swap file."
    chmod 600 /swapfile.new
    mkswap -q /swapfile.new
    mv -T /swapfile.new /swapfile
  fi
  swapon /swapfile || fail "The kernel does not take /swapfile as swap."
  grep -q '^/swapfile ' /etc/fstab || echo '/swapfile none swap sw 0 0' >> /etc/fstab
  echo "Added $size MB of swap."`;

// `-` before parameters that some kernels do not have; `*` for each interface, because an interface's own value may count
// beside that of `all`. Not included: log_martians, which lets strangers fill the log; rp_filter 1, which drops packets
// that come back another way; unprivileged_userns_clone, which browsers and builds need.
const kernel = `# Longshore: longer queues of connections.
net.core.somaxconn = 4096
net.ipv4.tcp_max_syn_backlog = 4096
vm.swappiness = 10
fs.inotify.max_user_watches = 524288

# No program follows, or opens for writing, what another account put into /tmp.
fs.protected_hardlinks = 1
fs.protected_symlinks = 1
fs.protected_fifos = 2
fs.protected_regular = 2
fs.suid_dumpable = 0

# What helps to attack the kernel or another process needs root.
kernel.dmesg_restrict = 1
kernel.kptr_restrict = 1
-kernel.unprivileged_bpf_disabled = 1
-kernel.yama.ptrace_scope = 1
-dev.tty.ldisc_autoload = 0

# Routes are the server's own.
net.ipv4.conf.*.rp_filter = 2
net.ipv4.conf.*.accept_redirects = 0
net.ipv4.conf.*.send_redirects = 0
net.ipv4.conf.*.accept_source_route = 0
-net.ipv6.conf.*.accept_redirects = 0
-net.ipv6.conf.*.accept_source_route = 0
net.ipv4.tcp_syncookies = 1

# With 1, a port whose process is gone is silent for a minute to who asks from a port that was just used: nginx would wait.
net.ipv4.tcp_rfc1337 = 0
`;

// A socket of such a family makes the kernel load the module, for any account. Rarely used modules have had many
// vulnerabilities.
const unusedProtocols = ["dccp", "sctp", "rds", "tipc", "ax25", "netrom", "rose", "x25", "can"];

const modules = `# Longshore: protocols that no web application speaks.
${unusedProtocols.map((name) => `install ${name} /bin/false\n`).join("")}`;

const kernelFile = "/etc/sysctl.d/60-longshore.conf";

/**
 * systemd-sysctl skips parameters that this kernel does not have and those that a container may not set: a container
 * can only set those of its network.
 */
export const setKernelParameters: Script = sh`
  put_file ${kernelFile} 0644 ${kernel}
  put_file /etc/modprobe.d/60-longshore.conf 0644 ${modules}
  /usr/lib/systemd/systemd-sysctl ${kernelFile}
  if in_container; then
    echo "The container's network is set; for the rest it shares its host's kernel."
  else
    echo "The kernel takes longer queues of connections, and keeps accounts apart."
  fi`;

const noCoreDumps = `# Longshore
* hard core 0
root hard core 0
`;

const noStoredDumps = `# Longshore
[Coredump]
Storage=none
ProcessSizeMax=0
`;

/** A core dump would contain the secrets in a process's memory. */
export const disableCoreDumps: Script = sh`
  put_file /etc/security/limits.d/60-longshore.conf 0644 ${noCoreDumps}
  put_file /etc/systemd/coredump.conf.d/60-longshore.conf 0644 ${noStoredDumps}
  echo "A process that crashes leaves no copy of its memory."`;

export const synchronizeClock: Script = sh`
  if in_container; then
    echo "Skipped: a container has its host's clock."
    exit
  fi
  for unit in chrony ntpsec ntp systemd-timesyncd; do
    if systemctl is-active --quiet "$unit"; then
      echo "$unit keeps the clock."
      exit
    fi
  done
  need_packages systemd-timesyncd
  keep_running systemd-timesyncd.service
  echo "systemd-timesyncd keeps the clock."`;

const journal = `# Longshore
[Journal]
Storage=persistent
SystemMaxUse=500M
MaxRetentionSec=1month
`;

/** The journal's namespace (`LogNamespace=`) for the output of projects. */
export const projectJournal = "longshore";

// Separate from the system's journal: a project that prints a lot can only displace the logs of other projects. The
// rate limit applies to each unit.
const projectJournalSettings = `# Longshore: what projects print
[Journal]
Storage=persistent
SystemMaxUse=1G
MaxRetentionSec=1month
LineMax=16K
RateLimitIntervalSec=30s
RateLimitBurst=5000
`;

const projectJournalFile = `/etc/systemd/journald@${projectJournal}.conf`;
const projectJournalUnit = `systemd-journald@${projectJournal}.service`;

/** Limits the system's log and the projects' log, whose journal systemd starts with the first unit that writes to it. */
export const limitJournal: Script = sh`
  put_file /etc/systemd/journald.conf.d/60-longshore.conf 0644 ${journal}
  apply_changes restart systemd-journald.service /etc/systemd/journald.conf.d/60-longshore.conf
  put_file ${projectJournalFile} 0644 ${projectJournalSettings}
  if systemctl is-active --quiet ${projectJournalUnit}; then
    apply_changes restart ${projectJournalUnit} ${projectJournalFile}
  fi
  echo "The system's log keeps 500 MB and a month at most, that of projects 1 GB and a month."`;

// A signal makes nginx reopen its files, which drops no request; a reload would. Other programs open theirs for each
// line they write. A process that had a file open continues in the renamed one, which is compressed a day later.
const rotation = `# Longshore: logs of projects
/srv/longshore/projects/*/logs/*.log {
    daily
    rotate 14
    maxsize 100M
    missingok
    notifempty
    create
    compress
    delaycompress
    sharedscripts
    postrotate
        [ ! -s /run/nginx.pid ] || kill -USR1 "$(cat /run/nginx.pid)"
    endscript
}
`;

export const rotateLogs: Script = sh`
  need_packages logrotate
  # shellcheck disable=SC2016 # logrotate runs it later
  put_file /etc/logrotate.d/longshore 0644 ${rotation}
  logrotate --debug /etc/logrotate.d/longshore > /dev/null 2>&1 || fail "logrotate rejects /etc/logrotate.d/longshore."
  keep_running logrotate.timer
  echo "Logs of projects are kept for 14 days."`;

export const startCron: Script = sh`
  need_packages cron
  # The daemon reads the time zone at its start.
  apply_changes restart cron.service /etc/timezone
  echo "cron runs."`;

// Users of crontab and at; the groups are those as which the programs read their lists.
const schedulers = { "/etc/cron.allow": "crontab", "/etc/at.allow": "daemon" };

/**
 * Only root and the accounts that the server's owner listed may have crontabs. Projects may not, even when listed: processes
 * that cron starts for them run outside their limits, and keep running while the projects are stopped or moved.
 */
export const restrictCron: Script = lines(
  ...Object.entries(schedulers).map(
    ([file, group]) => sh`
      names=$({ echo root; grep -vE '^(root|project-[0-9]+)? *$' ${file} 2> /dev/null; } || true)
      put_file ${file} 0640 "$names"$'\\n'
      chown ${`root:${group}`} ${file}
      chmod 0640 ${file}`,
  ),
  sh`
    for crontab in /var/spool/cron/crontabs/project-*; do
      [ -e "$crontab" ] || continue
      rm -f "$crontab"
      echo "Removed the crontab of \${crontab##*/}: jobs of projects belong to Longshore."
    done
    echo "Only root, and accounts in /etc/cron.allow and /etc/at.allow, schedule jobs of their own."`,
);

export const deployUser = "deploy";

/** An account without a password and without administrator rights, for people and tools that upload files. */
export const createDeployUser: Script = sh`
  if ! id ${deployUser} > /dev/null 2>&1; then
    useradd --create-home --shell /bin/bash --comment "Longshore deployments" ${deployUser}
    echo "Created the account."
  fi
  home=$(getent passwd ${deployUser} | cut -d : -f 6)
  install -d -m 0700 -o ${deployUser} -g ${deployUser} "$home/.ssh"
  echo ${`The account ${deployUser} has no password and no administrator's rights.`}`;

// /run is empty after a boot: created here, its directory has the right mode before another program can create it.
const directories = `# Longshore
d ${serverPaths.secrets} 0700 root root
d /var/lib/longshore 0711 root root
d ${serverPaths.runs} 0700 root root
`;

/**
 * Projects enter their own directory by name; only root lists the others. Only root can read what runs of the platform
 * keep; nginx enters /var/lib/longshore for the responses to certificate authorities.
 */
export const createDirectories: Script = sh`
  install -d -m 0755 /opt/longshore /opt/longshore/node /etc/longshore /srv/longshore ${serverPaths.libraries}
  install -d -m 0711 ${serverPaths.projects}
  put_file /etc/tmpfiles.d/longshore.conf 0644 ${directories}
  systemd-tmpfiles --create /etc/tmpfiles.d/longshore.conf
  echo "Projects live in /srv/longshore/projects."`;

/** Verifies that a tool starts, and prints its version. */
export const verifyTools = (packages: readonly string[]): Script => sh`
  need_packages ${packages}
  curl --version > /dev/null || fail "curl does not start."
  echo ${`These tools are there: ${packages.join(", ")}.`}`;

export const verifyGit: Script = sh`
  need_packages git
  git --version`;

export const verifyBuildTools: Script = sh`
  need_packages build-essential python3
  echo "Compiler: $(cc --version | head -n 1)"`;

/** Every unit runs and is enabled for reboots. */
export const verifyServices = (units: readonly string[]): Script => sh`
  down=()
  for unit in ${units}; do
    systemctl is-active --quiet "$unit" && systemctl is-enabled --quiet "$unit" || down+=("$unit")
  done
  [ "\${#down[@]}" = 0 ] || fail "These services do not run or do not start with the server: \${down[*]}."
  echo "Every service runs and starts with the server."`;

/** Reports whether a restart is due; Longshore never restarts a server without being asked. */
export const checkReboot: Script = sh`
  if [ -e /run/reboot-required ] || [ -e /var/run/reboot-required ]; then
    echo "An update takes effect with the next reboot."
  else
    echo "No reboot is needed."
  fi`;

/** The versions that currently run here, one line for each component. */
export const summarize: Script = sh`
  # shellcheck source=/dev/null
  echo "$(. /etc/os-release && echo "$PRETTY_NAME"), $(uname -m), up since $(uptime -s)"
  for program in nginx php node mariadbd psql redis-server; do
    command -v "$program" > /dev/null || continue
    case $program in
      nginx) nginx -v 2>&1 ;;
      *) "$program" --version 2> /dev/null | head -n 1 ;;
    esac
  done
  df --output=avail,target --human-readable / | tail -n 1 | sed 's/^ *\\([^ ]*\\).*/\\1 free on the disk/'`;
