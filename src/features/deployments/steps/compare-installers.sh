# shellcheck shell=bash
# uses: ask.sh, installer.sh, take-pass.sh, held.sh
# Around the moment at which the release goes live.
is_closed=''
if [[ -e current ]] && ! is_held && ! expects_installer && ! shows_installer ask; then is_closed=yes; fi
compare_installers() {
  if [[ $is_closed ]] && shows_installer ask; then refuse_installer "$shown"; fi
}
