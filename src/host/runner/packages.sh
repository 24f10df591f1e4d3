# shellcheck shell=bash
# Functions that install packages.

# A package call waits up to ten minutes for another one (a fresh machine's own updates) to release the locks.
apt() {
  DEBIAN_FRONTEND=noninteractive DEBIAN_PRIORITY=critical UCF_FORCE_CONFFOLD=1 NEEDRESTART_SUSPEND=1 \
    APT_LISTCHANGES_FRONTEND=none LC_ALL=C.UTF-8 apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \
    -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
}

# Prints those of the packages that are not installed.
missing_packages() {
  local package known
  # It prints the packages that dpkg knows, and fails when there are others.
  known=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2> /dev/null) || true
  for package; do
    [[ $'\n'$known$'\n' == *$'\n'"$package installed"$'\n'* ]] || printf '%s\n' "$package"
  done
}

# Installs missing packages and nothing else: installed packages are not upgraded.
need_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" = 0 ]; then return; fi
  echo "Installing ${missing[*]}."
  # A package call that a reboot cut off leaves dpkg in a state in which apt does nothing. When another program is at
  # work this is refused, and apt waits for it.
  DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold --configure -a > /dev/null 2>&1 || true
  if ! apt install --no-install-recommends "${missing[@]}"; then
    # The lists may be older than the archive, which then no longer has the versions that they name.
    apt update || true
    apt install --no-install-recommends "${missing[@]}"
  fi
}
