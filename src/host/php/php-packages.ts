import { exclusively } from "../runner/lock.ts";
import { scriptsBeside, setBefore } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { phpPackages } from "../system/distribution.ts";
import { phpSettingsOfVersion } from "./php.ts";
import { type PhpArchive, type PhpPackages, phpArchives, phpVersions } from "./php-versions.ts";

const script = scriptsBeside(import.meta.url);

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
        if [ ! -e ${files.source} ] && is_known; then
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
            fail "PHP $version is not in the package archives of the server, and Longshore may add none: LONGSHORE_PHP_PACKAGES is off. The project's PHP version (php_version) can be another one."`;

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

const installFunctions: Script = script("install-php.sh", {
  version: setBefore,
  packages: setBefore,
  codename: setBefore,
  base: setBefore,
  key_address: setBefore,
  origin: setBefore,
  fingerprints: setBefore,
  source: setBefore,
  updates: setBefore,
  preferences: setBefore,
  source_file: files.source,
  key_file: files.key,
  preferences_file: files.preferences,
  updates_file: files.updates,
});
