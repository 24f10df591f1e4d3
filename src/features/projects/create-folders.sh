# shellcheck shell=bash
# given: parents user project_directory root_folders git_user mirror known_hosts own_folders private_folders
# Creates the folders of a project. `parents`: directories that others use as well; `known_hosts`: a file.
umask 022
mkdir -p -- "${parents[@]}"
install -d -o root -g "$user" -m 750 "$project_directory" "${root_folders[@]}"
install -d -o "$git_user" -g "$user" -m 750 "$mirror"
[ -e "$known_hosts" ] || : > "$known_hosts"
chown "$git_user:$user" "$known_hosts"
install -d -o "$user" -g "$user" -m 750 "${own_folders[@]}"
install -d -o "$user" -g "$user" -m 700 "${private_folders[@]}"
