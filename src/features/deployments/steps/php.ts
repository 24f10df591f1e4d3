import { type Step, step } from "../../../engine/plan.ts";
import { installPhp } from "../../../host/php/php-packages.ts";
import { programsOf } from "../../../host/php/pool.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { environmentOf, type Work } from "./work.ts";

/**
 * Installs the project's version of PHP, and records it with the release as root's links, for the release's FPM, commands and
 * jobs. So a rollback also restores the version that its release was made with. A release without links has the distribution's
 * PHP.
 */
export const choosePhp = (work: Work): Step => {
  const { phpVersion } = work.project;
  return step(
    "choose-php",
    "Choose the version of PHP",
    withPrelude(
      phpVersion === undefined
        ? "The server's PHP was not found."
        : `PHP ${phpVersion} could not be set up on the server.`,
      phpVersion === undefined ? ownPhp(work) : lines(installPhp(phpVersion, work.phpPackages), linkPrograms(work)),
    ),
    { phase: "fetch", timeoutSeconds: 1800, undo: forget(work) },
  );
};

const ownPhp = (work: Work): Script => sh`
  rm -rf -- ${programsOf(environmentOf(work))}
  version=$(php_version)
  [ -n "$version" ] || fail "PHP is not installed on this server."
  echo "PHP $version, which is the server's own: the project sets no php_version."`;

const linkPrograms = (work: Work): Script => {
  const directory = environmentOf(work);
  const programs = programsOf(directory);
  return sh`
    if [ "$version" = "$own" ]; then
      rm -rf -- ${programs}
      echo "PHP $version, as the project's php_version says. It is the server's own."
      exit
    fi
    if [ ! -d ${directory} ]; then
      install -d -m 750 -o root -g ${work.layout.user} ${directory}
      : > ${directory}/new
    fi
    mkdir -p -- ${programs}
    for name in php phar; do
      if [ -e "/usr/bin/$name$version" ]; then put_link "/usr/bin/$name$version" ${programs}/"$name" > /dev/null; fi
    done
    put_link "/usr/sbin/php-fpm$version" ${programs}/php-fpm > /dev/null
    echo "PHP $version, as the project's php_version says. The server's own is $own."`;
};

// Another step of the release removes its files there with its own undo.
const forget = (work: Work): Script => sh`
  rm -rf -- ${programsOf(environmentOf(work))}
  if [[ -e ${environmentOf(work)}/new ]]; then rm -rf -- ${environmentOf(work)}; fi`;

/** Whether the release's version is still there: it may have been removed since the release was made. */
export const hasItsPhp = (work: Work): Script => sh`
  program=$(readlink -- ${programsOf(environmentOf(work))}/php-fpm) || program=''
  if [[ $program && ! -x $program ]]; then
    echo "The release was made with PHP \${program#*php-fpm}, which is no longer on the server. Deploy its commit again." >&2
    exit 1
  fi`;
