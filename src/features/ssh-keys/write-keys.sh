# shellcheck shell=bash
# given: authorized_keys own_lines keys amount
# Replaces the keys that Longshore wrote. `authorized_keys`: the file; `own_lines`: an array: arguments of grep; `keys`: lines.
file=$(realpath -m -- "$authorized_keys")
next=$file.longshore
(
  umask 077
  # 1: no other key was there. Anything above: they could not be read or written.
  if [ -e "$file" ]; then grep -av "${own_lines[@]}" "$file" || [ $? = 1 ]; fi > "$next"
  printf '%s' "$keys" >> "$next"
)
if cmp -s "$next" "$file"; then rm "$next"; else mv -T "$next" "$file"; fi
echo "Keys of people that Longshore put there: $amount."
