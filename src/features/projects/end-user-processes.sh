# shellcheck shell=bash
# given: users
# Ends the processes of users.
for user in "${users[@]}"; do
  getent passwd "$user" > /dev/null || continue
  for ((tries = 0; tries < 250; tries++)); do
    pkill -KILL -u "$user" || break
    sleep 0.02
  done
done
