import { needPackages, putFile } from "../runner/functions.ts";
import { scriptsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

const settings = `// Longshore: other package calls on this server wait for each other, and downloads are retried.
DPkg::Lock::Timeout "600";
Acquire::Retries "3";
`;

/** Settings for every later package call, including those made by other programs. */
export const configureApt: Script = sh`
  ${putFile} /etc/apt/apt.conf.d/90longshore 0644 ${settings}
  echo "Package calls wait for locks and repeat failed downloads."`;

/** Ubuntu has half of the packages (composer, fail2ban, php-redis) in its universe component. */
export const enableUniverse: Script = script("enable-universe.sh");

/** Finishes an interrupted installation; does nothing otherwise. */
export const finishInterruptedInstallation: Script = sh`
  for ((waited = 0; waited < 600; waited += 2)); do
    if message=$(DEBIAN_FRONTEND=noninteractive dpkg --configure --force-confdef --force-confold -a 2>&1); then break; fi
    [[ $message == *lock* ]] || { printf '%s\\n' "$message"; fail "dpkg cannot finish an interrupted installation."; }
    sleep 2
  done
  echo "No package is left half installed."`;

/**
 * Reads the package lists if one of the packages is missing. `DPkg::Lock::Timeout` does not cover their lock, so this script waits
 * for it (ten minutes).
 */
export const updatePackageLists = (packages: readonly string[]): Script =>
  script("update-package-lists.sh", { packages });

/** Installs every package in one call, which takes a third of the time of one call per package. */
export const installPackages = (packages: readonly string[]): Script => sh`
  ${needPackages} ${packages}
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
export const configureAutomaticUpdates: Script = script("configure-updates.sh", {
  settings: unattended,
  periods: periodic,
});
