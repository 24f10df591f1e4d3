# shellcheck shell=bash
# uses: runner/fact.sh
# given: deploy_key comment
# Creates the deploy key of a project. `deploy_key`: its file.
if [ ! -s "$deploy_key" ] || [ ! -s "$deploy_key.pub" ]; then
  rm -f -- "$deploy_key.new" "$deploy_key.new.pub"
  ssh-keygen -q -t ed25519 -N '' -C "$comment" -f "$deploy_key.new"
  mv -T -- "$deploy_key.new.pub" "$deploy_key.pub"
  mv -T -- "$deploy_key.new" "$deploy_key"
  echo "Created the project's deploy key."
fi
fact deploy_key "$(cat "$deploy_key.pub")"
