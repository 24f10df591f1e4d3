# shellcheck shell=bash
# Writes a site as the version of nginx on this server reads it. `content`: the text of the site.
spell_http2() {
  # HTTP/2 is a setting of its own since 1.25.1.
  if [[ $content == *' ssl http2;'* ]] && dpkg --compare-versions "$(nginx -v 2>&1 | sed 's|.*nginx/\([0-9.]*\).*|\1|')" ge 1.25.1; then
    content=${content//listen 443 ssl http2;/listen 443 ssl;}
    content=${content//listen \[::\]:443 ssl http2;/listen [::]:443 ssl;
  http2 on;}
  fi
}
