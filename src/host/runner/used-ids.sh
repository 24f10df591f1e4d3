# shellcheck shell=bash
# given: projects ids
# Prints the highest number of a project, and what runs left about the ids that were in use. `ids`: directories.
highest=0
for directory in "$projects"/[1-9]*; do
  number=${directory##*/}
  [[ -d $directory && $number =~ ^[1-9][0-9]{0,3}$ ]] || continue
  if ((number > highest)); then highest=$number; fi
done
echo "$highest"
cat -- "$ids"/* 2> /dev/null || true
