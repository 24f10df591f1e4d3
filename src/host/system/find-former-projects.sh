# shellcheck shell=bash
# uses: runner/fact.sh
# given: projects marks reported known_projects last_project
# Fails when there are projects that the records do not have on this server, once for each. `marks`: the directories of all projects
# and of their marks; `known_projects`: of this server; `last_project`: the highest number of this installation; `reported`: a file.
found=() highest=0
known=" ${known_projects[*]} $(cat -- "$reported" 2> /dev/null || true) "
for directory in "$projects"/[1-9]*; do
  number=${directory##*/}
  [[ -d $directory && $number =~ ^[1-9][0-9]{0,3}$ ]] || continue
  if ((number > highest)); then highest=$number; fi
  # One that was made since this was planned has a mark.
  if [[ $known == *" $number "* || ($number -gt $last_project && -e $marks/$number) ]]; then continue; fi
  found+=("$number")
done
if ((${#found[@]} == 0)); then
  echo "No other installation of Longshore left projects here."
  exit
fi
fact highest_project "$highest"
mkdir -p -- "${reported%/*}"
printf '%s ' "${found[@]}" >> "$reported"
fail "Another installation of Longshore, or this one before it was restored from a backup, left projects in $projects: ${found[*]}. They stay as they are, and new projects get higher numbers. Remove what is not needed any more."
