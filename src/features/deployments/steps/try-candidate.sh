# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Asks the new release before it is live. Variables: health_path, check_path (shows what serves), release_directory, server_name,
# instead_of (the part of an error about the expected status).

# Of WordPress, at the front page, with which anybody becomes its administrator.
ask_front() { [[ $health_path = / ]] || ask /; }
is_installer() { [[ $location =~ /wp-admin/(setup-config|install)\.php ]]; }
ask "$check_path"
# A site in maintenance, or published before it could show a candidate: visitors' own way is verified afterwards.
if [[ $body/ = "$release_directory"/* ]] && ! is_held; then
  for ((tries = 0; ; tries++)); do
    ask "$health_path"
    if is_answer; then
      answered=$status
      ask_front
      if is_installer && [[ -e current ]]; then
        refused=$location
        take_pass live
        ask /
        if ! is_installer; then
          stop "The new release would show everybody the installer of an application that is installed: it redirects / to $refused. It was not made live. Share or commit the settings that the installer made, such as wp-config.php."
        fi
        answered=302
      fi
      echo "$server_name would answer $answered with the new release."
      break
    fi
    if ((tries == 20)); then
      if is_locked; then break; fi
      stop "The new release answers ${status:-nothing} to a request for $health_path$instead_of. It was not made live.$(reason)"
    fi
    sleep 0.05
  done
fi
forget
