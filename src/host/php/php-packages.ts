import { exclusively } from "../runner/lock.ts";
import { lines, type Script, sh } from "../sh.ts";
import { phpPackages } from "../system/distribution.ts";
import { phpSettingsOfVersion } from "./php.ts";
import { type PhpArchive, type PhpPackages, phpArchives, phpVersions } from "./php-versions.ts";

/** The files that an archive of PHP versions has on a server. */
const files = {
  key: "/etc/apt/keyrings/longshore-php.asc",
  source: "/etc/apt/sources.list.d/longshore-php.sources",
  preferences: "/etc/apt/preferences.d/longshore-php",
  updates: "/etc/apt/apt.conf.d/62longshore-php",
} as const;

/** The archive in apt's format; the server fills in the code name of its distribution. */
export const phpSource = ({ base }: PhpArchive): string => `# Longshore: PHP versions of projects that chose one.
Types: deb
URIs: ${base}
Suites: CODENAME
Components: main
Signed-By: ${files.key}
`;

/**
 * The archive also has newer versions of the distribution's packages, including its PHP and libraries. A priority below 100
 * replaces no installed package: only packages that the distribution lacks come from there, and versions of PHP besides its own.
 */
export const phpPreferences = ({ origin }: PhpArchive, own: string): string => `# Longshore
Package: *
Pin: release o=${origin}
Pin-Priority: 50

Package: ${phpVersions
  .filter((version) => version !== own)
  .map((version) => `php${version}-*`)
  .join(" ")}
Pin: release o=${origin}
Pin-Priority: 500
`;

const updates = ({
  origin,
}: PhpArchive): string => `// Longshore: PHP versions of projects are kept secure like the rest.
Unattended-Upgrade::Origins-Pattern:: "origin=${origin}";
`;

/**
 * Installs the version of PHP in `version` if it is not the server's `own`, from the server's own archives or from an additional
 * archive of PHP versions. The distribution's own parts do not change: the installed packages, and the command `php`.
 */
export function installPhp(packages: PhpPackages = {}): Script {
  const { debian, ubuntu } = phpArchives(packages);
  return lines(
    installFunctions,
    sh`
      if [ "$version" != "$own" ]; then`,
    exclusively("php"),
    sh`
        packages=(${phpPackages("VERSION")})
        packages=("\${packages[@]/VERSION/$version}")
        # shellcheck source=/dev/null
        codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
        # shellcheck source=/dev/null
        case $(. /etc/os-release && echo "$ID") in
          debian) ${useArchive(debian)} ;;
          ubuntu) ${useArchive(ubuntu)} ;;
          *) fail "PHP $version is not available for this server's system." ;;
        esac
        if is_known && [ ! -e ${files.source} ]; then
          echo "PHP $version is in the package archives that the server uses already."
        elif ! has_all || ! has_source; then
          ${packages.isOff ? refuseArchive : sh`add_source`}
        fi
        if ! has_all; then install_all; fi
        command -v "php-fpm$version" > /dev/null || fail "PHP-FPM $version is installed but there is no php-fpm$version."
        # Each project has a PHP-FPM of its own.
        if systemctl is-enabled --quiet "php$version-fpm.service" || systemctl is-active --quiet "php$version-fpm.service"; then
          systemctl disable --quiet --now "php$version-fpm.service"
        fi
        ${phpSettingsOfVersion}
      fi`,
  );
}

const refuseArchive = sh`has_all ||
            fail "PHP $version is not in the package archives of the server, and Longshore may add none: LONGSHORE_PHP_PACKAGES is off. php_version chooses another one."`;

/** The versions that the server has or can install, as `versions`. */
export const availablePhp = ({ isOff }: PhpPackages): Script =>
  isOff
    ? sh`
      local each known versions=()
      known=$(apt-cache madison ${phpVersions.map((version) => `php${version}-fpm`)} 2> /dev/null)
      for each in ${phpVersions}; do
        if [[ $known = *"php$each-fpm "* ]] || command -v "php-fpm$each" > /dev/null; then versions+=("$each"); fi
      done`
    : sh`local versions=(${phpVersions})`;

const useArchive = (archive: PhpArchive): Script => sh`
  base=${archive.base} key_address=${archive.keyAddress} origin=${archive.origin}
  fingerprints=(${archive.fingerprints})
  source=${phpSource(archive)}
  source=\${source/CODENAME/$codename}
  updates=${updates(archive)}
  case $own in
    ${{ script: phpVersions.map((own) => sh`${own}) preferences=${phpPreferences(archive, own)} ;;`.script).join("\n") }}
    *) fail "PHP $own of this server's system is not known to Longshore." ;;
  esac`;

const installFunctions: Script = sh`
  has_all() {
    local package
    for package in "\${packages[@]}"; do
      [ "$(dpkg-query -W -f '\${db:Status-Status}' "$package" 2> /dev/null)" = installed ] || return 1
    done
  }
  is_known() { [ -n "$(apt-cache madison "php$version-fpm" 2> /dev/null)" ]; }
  has_source() { [ -e ${files.source} ] && [ "$(< ${files.source})" = "\${source%$'\\n'}" ]; }
  drop_source() { rm -f -- ${Object.values(files)}; }
  # Of a file of keys, those of the keys themselves, not of their parts.
  fingerprints_in() { # FILE
    gpg --batch --quiet --show-keys --with-colons -- "$1" 2> /dev/null | awk -F: '$1 == "pub" { is_key = 1 } $1 == "fpr" && is_key { print $10; is_key = 0 }'
  }
  is_expected() { [[ " \${fingerprints[*]} " = *" $1 "* ]]; }
  trust_key() {
    local found wanted=()
    need_packages gpg
    scratch=$(mktemp -d)
    mkdir -m 700 "$scratch/gnupg"
    curl -fsSL --retry 3 --connect-timeout 15 --max-time 60 --max-filesize 1000000 -o "$scratch/key" -- "$key_address" ||
      fail "The key of the PHP packages could not be fetched from $key_address."
    mapfile -t found < <(fingerprints_in "$scratch/key")
    for each in "\${found[@]}"; do
      if is_expected "$each"; then wanted+=("$each"); fi
    done
    [ "\${#wanted[@]}" != 0 ] ||
      fail "The key at $key_address is not the one that signs the PHP packages: its fingerprint is \${found[*]:-none}, and not \${fingerprints[*]}. Nothing of it was used."
    gpg --homedir "$scratch/gnupg" --batch --quiet --no-autostart --import "$scratch/key" 2> /dev/null || true
    gpg --homedir "$scratch/gnupg" --batch --quiet --no-autostart --armor --export "\${wanted[@]}" > "$scratch/trusted" 2> /dev/null
    # A foreign key may carry the expected one as a part.
    mapfile -t found < <(fingerprints_in "$scratch/trusted")
    for each in "\${found[@]}"; do
      is_expected "$each" || fail "The key at $key_address holds a foreign one beside the expected: $each. Nothing of it was used."
    done
    mkdir -p /etc/apt/keyrings
    put_file ${files.key} 0644 "$(< "$scratch/trusted")"
  }
  # The lists of this source alone. apt does not wait for their lock by itself.
  read_lists() {
    local deadline=$((SECONDS + 600))
    until apt -o APT::Update::Error-Mode=any -o Dir::Etc::SourceList=${files.source} -o Dir::Etc::SourceParts=/dev/null \\
      -o APT::Get::List-Cleanup=0 update 2>&1 | tee "$scratch/output"; do
      if ! grep -q 'Could not get lock' "$scratch/output" || ((SECONDS >= deadline)); then return 1; fi
      sleep 2
    done
  }
  add_source() {
    local found
    trust_key
    put_file ${files.preferences} 0644 "$preferences"
    put_file ${files.updates} 0644 "$updates"
    put_file ${files.source} 0644 "$source"
    if ! read_lists; then
      drop_source
      fail "$base has no packages for $codename that could be read; apt's own words are above."
    fi
    # By which the preferences know its packages.
    found=$(apt-get indextargets --format '$(ORIGIN)' "Repo-URI: $base/" | sort -u)
    if [ "$found" != "$origin" ]; then
      drop_source
      fail "The packages at $base are of \${found:-no origin} and not of $origin: it is no mirror of that archive."
    fi
    echo "PHP packages besides the distribution's come from $base."
  }
  # A further version would become everybody's \`php\`.
  keep_commands() {
    local name mode path
    while read -r name mode path; do
      if [[ $mode = auto && $name =~ ^(php|phar|phar.phar)$ ]]; then update-alternatives --quiet --set "$name" "$path"; fi
    done < <(update-alternatives --get-selections)
  }
  install_all() {
    is_known || fail "$base has no PHP $version for $codename."
    keep_commands
    if ! need_packages "\${packages[@]}"; then
      # The lists of the distribution's packages may be older than its archive.
      apt update || true
      need_packages "\${packages[@]}" || fail "PHP $version could not be installed; apt's own words are above."
    fi
    echo "Installed PHP $version."
  }`;
