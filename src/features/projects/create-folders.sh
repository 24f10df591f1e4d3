# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Creates the folders of a project. Variables: user, git_user, parents (directories that others use as well), project_directory,
# root_folders, mirror, known_hosts (a file), own_folders, private_folders.
umask 022
mkdir -p -- "${parents[@]}"
install -d -o root -g "$user" -m 750 "$project_directory" "${root_folders[@]}"
install -d -o "$git_user" -g "$user" -m 750 "$mirror"
[ -e "$known_hosts" ] || : > "$known_hosts"
chown "$git_user:$user" "$known_hosts"
install -d -o "$user" -g "$user" -m 750 "${own_folders[@]}"
install -d -o "$user" -g "$user" -m 700 "${private_folders[@]}"
