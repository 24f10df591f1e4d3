# shellcheck shell=bash
# A server with an older setup has no such rule.
refuse_requests() { nft add element inet longshore_ports draining "{ $1 timeout $2s }" 2> /dev/null || true; } # PORT SECONDS
accept_requests() { nft delete element inet longshore_ports draining "{ $1 }" 2> /dev/null || true; } # PORT
