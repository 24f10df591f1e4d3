# shellcheck shell=bash
# uses: runner/put-file.sh, runner/put-link.sh
# given: programs environment_directory user own version
# Links the version of PHP in `version` for a release; ends the script when it is the server's `own`. `programs` and
# `environment_directory`: of the release.
if [ "$version" = "$own" ]; then
  rm -rf -- "$programs"
  exit
fi
if [ ! -d "$environment_directory" ]; then
  install -d -m 750 -o root -g "$user" "$environment_directory"
  : > "$environment_directory/new"
fi
mkdir -p -- "$programs"
for name in php phar; do
  if [ -e "/usr/bin/$name$version" ]; then put_link "/usr/bin/$name$version" "$programs/$name" > /dev/null; fi
done
put_link "/usr/sbin/php-fpm$version" "$programs/php-fpm" > /dev/null
# The distribution's Composer names the distribution's PHP in its first line.
composer=$(command -v composer) || composer=''
if [[ $composer ]] && IFS= read -r first < "$composer" && [[ $first = '#!'*php* ]]; then
  put_file "$programs/composer" 0755 "$(printf '#!/bin/sh\nexec %s %s "$@"' "/usr/bin/php$version" "$composer")" > /dev/null
fi
