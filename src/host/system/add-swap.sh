# shellcheck shell=bash
# uses: in-container.sh
# Adds a swap file.
if in_container; then
  echo "Skipped: a container shares its host's swap."
  exit
fi
if [ "$(wc -l < /proc/swaps)" -gt 1 ]; then
  echo "There is swap already."
  exit
fi
memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
if [ "$memory" -ge 3900 ]; then
  echo "Not needed with $memory MB of memory."
  exit
fi
size=$((memory < 2048 ? memory : 2048))
free=$(df --output=avail --block-size=M / | tail -n 1 | tr -dc 0-9)
[ "$free" -ge $((size * 3)) ] || fail "There is no room for $size MB of swap: only $free MB are free."
if [ ! -e /swapfile ]; then
  rm -f /swapfile.new
  fallocate -l "${size}M" /swapfile.new || fail "This file system cannot hold a swap file."
  chmod 600 /swapfile.new
  mkswap -q /swapfile.new
  mv -T /swapfile.new /swapfile
fi
swapon /swapfile || fail "The kernel does not take /swapfile as swap."
grep -q '^/swapfile ' /etc/fstab || echo '/swapfile none swap sw 0 0' >> /etc/fstab
echo "Added $size MB of swap."
