# shellcheck shell=bash
in_container() { systemd-detect-virt --quiet --container; }
