# shellcheck shell=bash
# uses: runner/packages.sh, runner/put-file.sh
# given: source_file key_file preferences_file updates_file version base codename fingerprints key_address origin packages
# given: preferences source updates
# Functions that install a version of PHP. `preferences_file` and `updates_file`: of apt.

has_all() { [ -z "$(missing_packages "${packages[@]}")" ]; }
is_known() { [ -n "$(apt-cache madison "php$version-fpm" 2> /dev/null)" ]; }
has_source() { [ -e "$source_file" ] && [ "$(< "$source_file")" = "${source%$'\n'}" ]; }
drop_source() { rm -f -- "$source_file" "$key_file" "$preferences_file" "$updates_file"; }
# Of a file of keys, those of the keys themselves, not of their parts.
fingerprints_in() { # FILE
  gpg --batch --quiet --show-keys --with-colons -- "$1" 2> /dev/null | awk -F: '$1 == "pub" { is_key = 1 } $1 == "fpr" && is_key { print $10; is_key = 0 }'
}
is_expected() { [[ " ${fingerprints[*]} " = *" $1 "* ]]; }
trust_key() {
  local found wanted=()
  need_packages gpg
  scratch=$(mktemp -d)
  mkdir -m 700 "$scratch/gnupg"
  curl -fsSL --retry 3 --connect-timeout 15 --max-time 60 --max-filesize 1000000 -o "$scratch/key" -- "$key_address" ||
    fail "The key of the PHP packages could not be fetched from $key_address."
  mapfile -t found < <(fingerprints_in "$scratch/key")
  for each in "${found[@]}"; do
    if is_expected "$each"; then wanted+=("$each"); fi
  done
  [ "${#wanted[@]}" != 0 ] ||
    fail "The key at $key_address is not the one that signs the PHP packages: its fingerprint is ${found[*]:-none}, and not ${fingerprints[*]}. Nothing of it was used."
  gpg --homedir "$scratch/gnupg" --batch --quiet --no-autostart --import "$scratch/key" 2> /dev/null || true
  gpg --homedir "$scratch/gnupg" --batch --quiet --no-autostart --armor --export "${wanted[@]}" > "$scratch/trusted" 2> /dev/null
  # A foreign key may carry the expected one as a part.
  mapfile -t found < <(fingerprints_in "$scratch/trusted")
  [ "${#found[@]}" != 0 ] || fail "The key at $key_address could not be read. Nothing of it was used."
  for each in "${found[@]}"; do
    is_expected "$each" || fail "The key at $key_address holds a foreign one beside the expected: $each. Nothing of it was used."
  done
  mkdir -p /etc/apt/keyrings
  put_file "$key_file" 0644 "$(< "$scratch/trusted")"
}
# The lists of this source alone. apt does not wait for their lock by itself.
read_lists() {
  local deadline=$((SECONDS + 600))
  until apt -o APT::Update::Error-Mode=any -o Dir::Etc::SourceList="$source_file" -o Dir::Etc::SourceParts=/dev/null \
    -o APT::Get::List-Cleanup=0 update 2>&1 | tee "$scratch/output"; do
    if ! grep -q 'Could not get lock' "$scratch/output" || ((SECONDS >= deadline)); then return 1; fi
    sleep 2
  done
}
add_source() {
  local found
  trust_key
  put_file "$preferences_file" 0644 "$preferences"
  put_file "$updates_file" 0644 "$updates"
  put_file "$source_file" 0644 "$source"
  if ! read_lists; then
    drop_source
    fail "$base has no packages for $codename that could be read; apt's own words are above."
  fi
  # By which the preferences know its packages.
  # shellcheck disable=SC2016 # apt's variable
  found=$(apt-get indextargets --format '$(ORIGIN)' "Repo-URI: $base/" | sort -u)
  if [ "$found" != "$origin" ]; then
    drop_source
    fail "The packages at $base are of ${found:-no origin} and not of $origin: it is no mirror of that archive."
  fi
  echo "PHP packages besides the distribution's come from $base."
}
# A further version would become everybody's `php`.
keep_commands() {
  local name mode path
  while read -r name mode path; do
    if [[ $mode = auto && $name =~ ^(php|phar|phar.phar)$ ]]; then update-alternatives --quiet --set "$name" "$path"; fi
  done < <(update-alternatives --get-selections)
}
install_all() {
  is_known || fail "$base has no PHP $version for $codename."
  keep_commands
  need_packages "${packages[@]}" || fail "PHP $version could not be installed; apt's own words are above."
  echo "Installed PHP $version."
}
