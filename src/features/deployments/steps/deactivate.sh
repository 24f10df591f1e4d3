# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# The undo of an activation. Variables: project_directory, remembered, state.
cd -- "$project_directory" || exit
rm -f -- "$remembered.new" "$state"/candidate-*
if [[ ! -e $remembered ]]; then exit 0; fi
read -r former < "$remembered"
if [[ $former = - ]]; then
  rm -f current
else
  ln -sfn "$former" current.new
  mv -T current.new current
fi
rm -f current.new "$remembered"
