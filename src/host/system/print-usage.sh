# shellcheck shell=bash
# given: directory
# How busy the server is: a line for each of load, memory and disk. What cannot be read is left out, or has no numbers.
print_load() {
  local one five fifteen
  read -r one five fifteen _ < /proc/loadavg
  echo "load $one $five $fifteen $(nproc)"
}

print_memory() {
  local name value total='' available=''
  while read -r name value _; do
    case $name in
      MemTotal:) total=$value ;;
      MemAvailable:) available=$value ;;
    esac
  done < /proc/meminfo
  echo "memory $total $available"
}

# Before the setup has made the directory, the disk is the one that it will be on.
print_disk() {
  local place=$1 sizes
  while [[ ! -d $place ]]; do place=$(dirname -- "$place"); done
  read -r -a sizes < <(df --block-size=1 --output=size,avail -- "$place" | tail -n 1)
  echo "disk ${sizes[*]}"
}

print_load
print_memory
print_disk "$directory"
