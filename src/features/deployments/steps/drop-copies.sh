# shellcheck shell=bash
# given: package_cache kept_bytes
# Removes the copies of packages that were not used for the longest time.
cd -P -- "$package_cache" || exit
left=$kept_bytes isLast=yes
while IFS=' ' read -r -d '' _ path; do
  size=$(du -sB1 -- "$path" | cut -f 1)
  [[ ! $size =~ ^[0-9]{1,18}$ ]] || left=$((left - size))
  if ((left < 0)) && [[ ! $isLast ]]; then rm -rf -- "$path"; fi
  isLast=''
done < <(find . -mindepth 1 -maxdepth 1 -type d \( -name 'node-*' -o -name 'php-*' \) -printf '%T@ %p\0' | sort -zrn)
