import { serverPaths } from "../layout.ts";
import { applyChanges, fact, keepRunning, needPackages, putFile } from "../runner/functions.ts";
import { functionOf, scriptsBeside, textsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";
import type { Distribution } from "./distribution.ts";

const script = scriptsBeside(import.meta.url);
const text = textsBeside(import.meta.url);

const inContainer = functionOf(new URL("in-container.sh", import.meta.url), "in_container");

/**
 * Packages are installed for the system that actually runs here; when it differs from the declared one, the step fails and
 * names both. Fact `operating_system` is the name for display.
 */
export const checkOperatingSystem = (found: Distribution, declared: Distribution): Script => sh`
  # shellcheck source=/dev/null
  . /etc/os-release
  ${fact} operating_system "$PRETTY_NAME"
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

/** What the records have of projects: those of the server, and the highest number that one ever had. */
export interface KnownProjects {
  ids: readonly number[];
  last: number;
}

/**
 * Projects that another installation of Longshore left on the server, or this one before a restore: reported once. Fact
 * `highest_project` is the highest number in use; numbers above 9,999 are left out, since a server must not use up the numbers of
 * the installation. `prefix`: for tests.
 */
export const findFormerProjects = ({ ids, last }: KnownProjects, prefix = ""): Script =>
  script("find-former-projects.sh", {
    projects: `${prefix}${serverPaths.projects}`,
    marks: `${prefix}${serverPaths.projectMarks}`,
    reported: `${prefix}${serverPaths.reportedProjects}`,
    known_projects: ids,
    last_project: last,
  });

/** The machine's first boot may still be installing packages and writing keys. */
export const waitForFirstBoot: Script = sh`
  if ! command -v cloud-init > /dev/null; then
    echo "There is no cloud-init to wait for."
    exit
  fi
  timeout 600 cloud-init status --wait > /dev/null || [ $? != 124 ] || fail "cloud-init is still at work after ten minutes."
  echo "cloud-init is at its end."`;

/** Ubuntu's smallest systems have no time zones until their package is installed. */
export const setTimeZone = (zone: string): Script => script("set-time-zone.sh", { zone });

/** Every system has C.UTF-8; a language that is already set stays. */
export const setLocale: Script = script("set-locale.sh");

/** A name that does not resolve makes sudo and mail slow. The owner chooses the name itself. */
export const checkHostName: Script = sh`
  name=$(hostname)
  if ! getent hosts "$name" > /dev/null; then
    printf '127.0.1.1 %s\\n' "$name" >> /etc/hosts
    echo "Added $name to /etc/hosts, because it did not resolve."
  fi
  echo "The server keeps its name $name."`;

/** As much swap as memory, 2 GB at most, on machines with less than 4 GB of memory. */
export const addSwap: Script = script("add-swap.sh");

// `-` before parameters that some kernels do not have; `*` for each interface, because an interface's own value may count
// beside that of `all`. Not included: log_martians, which lets strangers fill the log; rp_filter 1, which drops packets
// that come back another way; unprivileged_userns_clone, which browsers and builds need.
const kernel = text("sysctl.conf");

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
  ${putFile} ${kernelFile} 0644 ${kernel}
  ${putFile} /etc/modprobe.d/60-longshore.conf 0644 ${modules}
  /usr/lib/systemd/systemd-sysctl ${kernelFile}
  if ${inContainer}; then
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
  ${putFile} /etc/security/limits.d/60-longshore.conf 0644 ${noCoreDumps}
  ${putFile} /etc/systemd/coredump.conf.d/60-longshore.conf 0644 ${noStoredDumps}
  echo "A process that crashes leaves no copy of its memory."`;

export const synchronizeClock: Script = script("synchronize-clock.sh");

const journal = text("journald.conf");

/** The journal's namespace (`LogNamespace=`) for the output of projects. */
export const projectJournal = "longshore";

// Separate from the system's journal: a project that prints a lot can only displace the logs of other projects. The
// rate limit applies to each unit.
const projectJournalSettings = text("projects-journald.conf");

const projectJournalFile = `/etc/systemd/journald@${projectJournal}.conf`;
const projectJournalUnit = `systemd-journald@${projectJournal}.service`;

/** Limits the system's log and the projects' log, whose journal systemd starts with the first unit that writes to it. */
export const limitJournal: Script = sh`
  ${putFile} /etc/systemd/journald.conf.d/60-longshore.conf 0644 ${journal}
  ${applyChanges} restart systemd-journald.service /etc/systemd/journald.conf.d/60-longshore.conf
  ${putFile} ${projectJournalFile} 0644 ${projectJournalSettings}
  if systemctl is-active --quiet ${projectJournalUnit}; then
    ${applyChanges} restart ${projectJournalUnit} ${projectJournalFile}
  fi
  echo "The system's log keeps 500 MB and a month at most, that of projects 1 GB and a month."`;

// A signal makes nginx reopen its files, which drops no request; a reload would. Other programs open theirs for each
// line they write. A process that had a file open continues in the renamed one, which is compressed a day later.
const rotation = text("logrotate.conf");

export const rotateLogs: Script = sh`
  ${needPackages} logrotate
  # shellcheck disable=SC2016 # logrotate runs it later
  ${putFile} /etc/logrotate.d/longshore 0644 ${rotation}
  logrotate --debug /etc/logrotate.d/longshore > /dev/null 2>&1 || fail "logrotate rejects /etc/logrotate.d/longshore."
  ${keepRunning} logrotate.timer
  echo "Logs of projects are kept for 14 days."`;

export const startCron: Script = sh`
  ${needPackages} cron
  # The daemon reads the time zone at its start.
  ${applyChanges} restart cron.service /etc/timezone
  echo "cron runs."`;

/**
 * Only root and the accounts that the server's owner listed may have crontabs. Projects may not, even when listed: processes
 * that cron starts for them run outside their limits, and keep running while the projects are stopped or moved.
 */
export const restrictCron: Script = script("restrict-cron.sh");

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
  ${putFile} /etc/tmpfiles.d/longshore.conf 0644 ${directories}
  systemd-tmpfiles --create /etc/tmpfiles.d/longshore.conf
  echo "Projects live in /srv/longshore/projects."`;

/** Verifies that a tool starts, and prints its version. */
export const verifyTools = (packages: readonly string[]): Script => sh`
  ${needPackages} ${packages}
  curl --version > /dev/null || fail "curl does not start."
  echo ${`These tools are there: ${packages.join(", ")}.`}`;

export const verifyGit: Script = sh`
  ${needPackages} git
  git --version`;

export const verifyBuildTools: Script = sh`
  ${needPackages} build-essential python3
  echo "Compiler: $(cc --version | head -n 1)"`;

/** Every unit runs and is enabled for reboots. */
export const verifyServices = (units: readonly string[]): Script => script("verify-services.sh", { units });

/** Reports whether a restart is due; Longshore never restarts a server without being asked. */
export const checkReboot: Script = sh`
  if [ -e /run/reboot-required ] || [ -e /var/run/reboot-required ]; then
    echo "An update takes effect with the next reboot."
  else
    echo "No reboot is needed."
  fi`;

/** The versions that currently run here, one line for each component. */
export const summarize: Script = script("summarize.sh");
