# shellcheck shell=bash
# given: project_directory state rollback_state
# The undo of an activation.
cd -- "$project_directory" || exit
rm -f -- "$rollback_state.new" "$state"/candidate-*
if [[ ! -e $rollback_state ]]; then exit 0; fi
read -r former < "$rollback_state"
if [[ $former = - ]]; then
  rm -f current
else
  ln -sfn "$former" current.new
  mv -T current.new current
fi
rm -f current.new "$rollback_state"
