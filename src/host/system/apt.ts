import { type Script, sh } from "../sh.ts";

const settings = `// Longshore: other package calls on this server wait for each other, and downloads are retried.
DPkg::Lock::Timeout "600";
Acquire::Retries "3";
`;

/** Settings for every later package call, including those made by other programs. */
export const configureApt: Script = sh`
  put_file /etc/apt/apt.conf.d/90longshore 0644 ${settings}
  echo "Package calls wait for locks and repeat failed downloads."`;

/** Ubuntu has half of the packages (composer, fail2ban, php-redis) in its universe component. */
export const enableUniverse: Script = sh`
  if grep -rqsE '^(deb|Components:).*\\buniverse\\b' /etc/apt/sources.list /etc/apt/sources.list.d; then
    echo "The universe component is enabled."
    exit
  fi
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # From where the server gets its other packages: a mirror near it, or the only one it can reach.
  mirror=$(grep -rhsoE 'https?://[^] ]+/ubuntu(-ports)?/?' /etc/apt/sources.list /etc/apt/sources.list.d | sed -n 1p)
  [ -n "$mirror" ] || fail "The server's apt sources name no Ubuntu mirror, so the universe component cannot be added."
  put_file /etc/apt/sources.list.d/longshore-universe.list 0644 \\
    "deb $mirror $codename universe
  deb $mirror $codename-updates universe
  deb $mirror $codename-security universe
  "
  echo "Enabled the universe component."`;

/** Finishes an interrupted installation; does nothing otherwise. */
export const finishInterruptedInstallation: Script = sh`
  for ((waited = 0; waited < 600; waited += 2)); do
    if message=$(DEBIAN_FRONTEND=noninteractive dpkg --configure --force-confdef --force-confold -a 2>&1); then break; fi
    [[ $message == *lock* ]] || { printf '%s\\n' "$message"; fail "dpkg cannot finish an interrupted installation."; }
    sleep 2
  done
  echo "No package is left half installed."`;

/**
 * Reads the package lists. `DPkg::Lock::Timeout` does not cover their lock, so this script waits for it (ten minutes).
 */
export const updatePackageLists: Script = sh`
  output=$(mktemp)
  scratch=$output
  deadline=$((SECONDS + 600))
  until apt -o APT::Update::Error-Mode=any update 2>&1 | tee "$output"; do
    grep -q 'Could not get lock' "$output" || fail "The package lists could not be read; apt's own words are above."
    ((SECONDS < deadline)) || fail "Another program held the package lists for ten minutes."
    sleep 2
  done
  echo "The package lists are those of today."`;

/** Installs every package in one call, which takes a third of the time of one call per package. */
export const installPackages = (packages: readonly string[]): Script => sh`
  need_packages ${packages}
  echo "Every package is installed."`;

const periodic = `// Longshore: package lists and security updates every day.
APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
APT::Periodic::AutocleanInterval "7";
`;

// The distribution's own file lists the security archive as the only origin; this one sets how, not what.
const unattended = `// Longshore: security updates are installed without a person and without a reboot.
Unattended-Upgrade::Automatic-Reboot "false";
Unattended-Upgrade::Remove-Unused-Kernel-Packages "true";
Unattended-Upgrade::Remove-Unused-Dependencies "false";
Unattended-Upgrade::MinimalSteps "true";
`;

/** Security updates every day, without prompts and without reboots. */
export const configureAutomaticUpdates: Script = sh`
  put_file /etc/apt/apt.conf.d/60longshore-unattended-upgrades 0644 ${unattended}
  put_file /etc/apt/apt.conf.d/61longshore-periodic 0644 ${periodic}
  for timer in apt-daily.timer apt-daily-upgrade.timer; do
    # Masking is a decision of the server's owner.
    if [ "$(systemctl is-enabled "$timer" || true)" = masked ]; then
      echo "Skipped: $timer is masked on this server, so updates stay its owner's business."
      exit
    fi
    systemctl enable --quiet --now "$timer"
  done
  grep -q 'Unattended-Upgrade::\\(Origins-Pattern\\|Allowed-Origins\\)::.*[Ss]ecurity' <<< "$(apt-config dump)" ||
    fail "unattended-upgrades names no security archive in /etc/apt/apt.conf.d/50unattended-upgrades."
  echo "Security updates are installed every day."`;
