# shellcheck shell=bash
# given: directory files urls checksums algorithms largest
# Downloads files as the project's user and keeps each only when its checksum matches.
mkdir -p -- "$directory"
matches() { [[ ! $checksum ]] || printf '%s  %s\n' "$checksum" "$1" | "${algorithm}sum" --check --status; }

for at in "${!files[@]}"; do
  file=${files[at]} url=${urls[at]} checksum=${checksums[at]} algorithm=${algorithms[at]}
  if [[ $checksum && -s $directory/$file ]] && matches "$directory/$file"; then
    echo "$file was downloaded before."
    continue
  fi
  rm -f -- "$directory/$file" "$directory/$file.part"
  scratch=$directory/$file.part
  if ! answer=$(curl --silent --show-error --fail --location --proto '=http,https' --max-redirs 5 --retry 2 --connect-timeout 20 \
    --max-time 600 --max-filesize "$largest" --output "$scratch" -- "$url" 2>&1); then
    fail "$file could not be downloaded from $url: ${answer##*$'\n'}"
  fi
  if ! matches "$scratch"; then
    fail "The checksum of $file is not the one that belongs to it (${algorithm^^}): it was not used."
  fi
  mv -T -- "$scratch" "$directory/$file"
  if [[ $checksum ]]; then
    echo "Downloaded $file ($(stat -c %s -- "$directory/$file") bytes); its checksum is right."
  else
    echo "Downloaded $file ($(stat -c %s -- "$directory/$file") bytes); checksums are switched off."
  fi
done
