# shellcheck shell=bash
# uses: network/request.sh, stop.sh
# given: server_name family health_path
# Functions that recognize the installer of an application by what it answers at `/`. `family`: of the framework.

# An address such as /install.php, /setup or /index.php?action=install; not one of a manual.
installer_words='(install(er|ation)?|set-?up|first-?(run|time)|initial-setup|mw-config|create-(first-)?(admin|user)|register-admin)([._-][a-z._-]+)?'
names_installer() { # ADDRESS
  local address=${1,,} path query
  local manual='(^|/)(docs?|documentation|guides?|help|wiki|blog|news|posts?|learn|tutorials?|handbook|manual|support|kb)/'
  local of_path="(^|/)$installer_words(/|\$)"
  local of_query="[?&]((install|setup|installer)([=&/]|\$)|(action|do|page|view|route|module|mode|controller|[acpqr])=/?$installer_words([&/]|\$))"
  address=${address%%#*} path=${address%%\?*} query=${address#"$path"}
  [[ ! $path =~ $manual ]] && [[ $path =~ $of_path || $query =~ $of_query ]]
}
# The path on this site that an answer leads to, in `target`; empty when it does not, or leads elsewhere.
lead_from() { # PATH, with the answer to it in `status`, `location` and `page`
  local to='' text=${page:0:8192} refresh='<meta[^>]*http-equiv=["'\'']?refresh[^>]*url=["'\'']?([^"'\''> ]+)' absolute='^(https?:)?//([^/:?]+)(:[0-9]+)?'
  target='' text=${text,,}
  if [[ $status = 30[12378] ]]; then to=$location
  elif [[ $text =~ $refresh ]]; then to=${BASH_REMATCH[1]}; fi
  if [[ ${to,,} =~ $absolute ]]; then
    [[ ${BASH_REMATCH[2]} = "${server_name,,}" ]] || return 0
    to=${to:${#BASH_REMATCH[0]}} to=/${to#/}
  fi
  case $to in
    '' | \#*) ;;
    /*) target=$to ;;
    \?*) target=${1%%\?*}$to ;;
    *) target=${1%%\?*} target=${target%/*}/${to#./} ;;
  esac
}
# A page with the fields of an installer, or with a link to one; of a program also a short page that is named like one.
is_installer_page() {
  local text=${page,,} heading='' q='["'\'']?'
  local word='(^|[^a-z])(install(er|ation|ing)?|set ?up|first[- ]run|create (an |the |your )?(first )?(admin|administrator|owner))([^a-z]|$)'
  local title='<title[^>]*>([^<]*)' first='<h1[^>]*>([^<]*)' install_field="name=${q}install[\"' />]" password="type=${q}password"
  local link="(href|action)=$q([^\"'> /]*/){0,8}(mw-config|install|installer|installation|setup|setup-config)(/index)?[.]php"
  local field="name=${q}[a-z_.-]*(db|database|dsn|sqlite|mysql|admin|install|step|locale|language)"
  text=${text//[$'\n\r\t']/ }
  [[ $status = [245]* ]] || return 1
  if [[ $text =~ $install_field || $text =~ $link ]]; then return 0; fi
  if [[ $text =~ $title ]]; then heading=${BASH_REMATCH[1]}; fi
  if [[ $text =~ $first ]]; then heading+=" | ${BASH_REMATCH[1]}"; fi
  if [[ ! $heading && ${#text} -lt 300 ]]; then heading=$text; fi
  [[ $heading =~ $word ]] &&
    [[ $text =~ $password || $text =~ $field || ( $family != static && ${#text} -lt 2000 ) ]]
}
# Succeeds if `/` leads to an installer or is one, and sets `shown` to a description of it.
shows_installer() { # COMMAND that requests a path
  local at=/ hops whole=yes page='' target
  shown=''
  for ((hops = 0; hops < 5; hops++)); do
    "$1" "$at"
    lead_from "$at"
    if [[ ! $target ]]; then break; fi
    if names_installer "$target"; then
      shown="it leads from / to ${target:0:200}"
      return
    fi
    at=$target
  done
  is_installer_page || return 1
  shown="it shows one at $at"
}
# A project that has its health checked there expects it.
expects_installer() { names_installer "$health_path"; }
refuse_installer() { # DESCRIPTION
  stop "The new release would show everybody the installer of an application that is installed: ${1//[[:cntrl:]]/ }. It was not made live. Share or commit what the installer has written, such as its settings. If the installer is meant to be there, make its address the project's health_path."
}
