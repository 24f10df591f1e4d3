# shellcheck shell=bash
# uses: runner/put-file.sh
# Sets the locale where none of UTF-8 is set.
if grep -qsiE '^(LANG|LC_ALL)=.*utf-?8' /etc/default/locale /etc/locale.conf; then
  echo "The locale is a UTF-8 one."
  exit
fi
file=/etc/default/locale
# Newer systems make this a link to /etc/locale.conf.
if [ -L "$file" ]; then file=$(readlink -m "$file"); fi
put_file "$file" 0644 $'LANG=C.UTF-8\n'
echo "The locale is C.UTF-8."
