# shellcheck shell=bash
# given: seconds
# Reboots the server, and ends after the boot. `seconds`: that a shutdown may take.

# The run's own directory outlives the boot.
note=${0%/steps/*}/boot
boot=$(cat /proc/sys/kernel/random/boot_id)
if [ -s "$note" ] && [ "$(cat "$note")" != "$boot" ]; then
  echo "The server has booted."
  exit
fi
echo "$boot" > "$note"
sync
systemctl reboot
sleep "$seconds"
echo "The server did not shut down within $seconds seconds." >&2
exit 1
