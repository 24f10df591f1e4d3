import { fact, needPackages, putFile } from "../runner/functions.ts";
import { functionOf } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";

// Global settings only: each project has its own PHP-FPM with its own OPcache. PHP-FPM allocates the tables of the
// cache at its start, and so they cost memory whether or not they are used: their sizes fit one large application, not
// many. From 8 MB of strings on, their table is twice as large: 1 MB more for each project.
const ini = `; Longshore: PHP for every project.
expose_php = Off
memory_limit = 256M
upload_max_filesize = 64M
post_max_size = 64M
max_execution_time = 60
max_input_vars = 5000
realpath_cache_size = 4096K
realpath_cache_ttl = 600
opcache.memory_consumption = 192
opcache.interned_strings_buffer = 7
opcache.max_accelerated_files = 16000
`;

/** Prints the version of the distribution's PHP. */
export const phpVersion: Script = functionOf(new URL("php-version.sh", import.meta.url), "php_version");

const withVersion = (body: Script): Script =>
  lines(
    sh`
      version=$(${phpVersion})
      [ -n "$version" ] || fail "No PHP version belongs to the package php-fpm."`,
    body,
  );

/** PHP and its extensions; the full version as fact `php_version`. */
export const verifyPhp = (packages: readonly string[]): Script =>
  lines(
    sh`${needPackages} ${packages}`,
    withVersion(sh`
      ${fact} php_version "$("php$version" -r 'echo PHP_VERSION;' | sed 's/-.*//')"
      echo "PHP $version is installed."`),
  );

/** Checks that every extension that projects expect is loaded, independent of package names. */
export const verifyPhpExtensions = (extensions: readonly string[]): Script =>
  withVersion(sh`
    loaded=$("php$version" -m | tr '[:upper:]' '[:lower:]')
    missing=()
    for extension in ${extensions}; do
      grep -qx "$extension" <<< "$loaded" || missing+=("$extension")
    done
    [ "\${#missing[@]}" = 0 ] || fail "PHP lacks the extensions \${missing[*]}."
    echo "PHP has every extension that projects expect."`);

/** For the PHP of `version`. */
export const phpSettingsOfVersion: Script = sh`
  ${putFile} "/etc/php/$version/fpm/conf.d/60-longshore.ini" 0644 ${ini}`;

export const writePhpSettings: Script = withVersion(sh`
  ${phpSettingsOfVersion}
  echo "Uploads of up to 64 MB; 256 MB of memory for a request."`);

/** Each project has its own PHP-FPM (pool.ts): the distribution's, which would serve all of them, is disabled. */
export const stopSharedFpm: Script = withVersion(sh`
  command -v "php-fpm$version" > /dev/null || fail "PHP-FPM is installed but there is no php-fpm$version."
  systemctl disable --quiet --now "php$version-fpm.service"
  echo "PHP-FPM $version is there; each project gets its own."`);

export const verifyComposer: Script = sh`
  ${needPackages} composer
  version=$(COMPOSER_ALLOW_SUPERUSER=1 composer --no-ansi --no-plugins --version 2> /dev/null |
    grep -oE '[0-9]+\\.[0-9]+\\.[0-9]+' | head -n 1)
  [ -n "$version" ] || fail "Composer is installed but does not start."
  echo "Composer $version is installed."`;
