# shellcheck shell=bash
# uses: stop.sh
# given: project_directory minimum_free
# Fails when the disk is nearly full. `minimum_free`: in MB.
mapfile -t rows < <(df --block-size=M --output=avail,iavail,itotal -- "$project_directory")
read -r free inodes all <<< "${rows[1]//M/}"
[[ $free =~ ^[0-9]{1,15}$ ]] || stop "The free space of the server's disk cannot be read."
if ((free < minimum_free)); then
  stop "The server's disk has $free MB left; a deployment needs $minimum_free MB. Make room and deploy again."
fi
# File systems without a fixed number of files report none.
if [[ $all =~ ^[1-9] && $inodes =~ ^[0-9]{1,15}$ ]] && ((inodes < 5000)); then
  stop "The server's disk has room for $inodes more files only; a deployment needs more. Make room and deploy again."
fi
echo "$free MB of disk space are free."
