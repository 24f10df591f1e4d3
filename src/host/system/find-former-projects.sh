# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Fails when another installation left projects. Variables: projects (the directory of all projects), last_project (the highest number of
# this installation).
found=() highest=0
for directory in "$projects"/[1-9]*; do
  number=${directory##*/}
  [[ -d $directory && $number =~ ^[1-9][0-9]{0,3}$ ]] || continue
  if ((number > highest)); then highest=$number; fi
  if ((number > last_project)); then found+=("$number"); fi
done
if ((${#found[@]} == 0)); then
  echo "No other installation of Longshore left projects here."
  exit
fi
fact highest_project "$highest"
fail "Another installation of Longshore left projects in $projects: ${found[*]}. They stay as they are, and new projects get higher numbers. Remove what is not needed any more."
