# shellcheck shell=bash
# given: certificate names
# `certificate`: its file.
fingerprint() { openssl x509 -noout -fingerprint -sha256 2> /dev/null; }
wanted=$(fingerprint < "$certificate")
for name in "${names[@]}"; do
  for ((tries = 0; ; tries++)); do
    # nginx may be absent for an instant: that is an attempt like any other.
    served=$({ timeout 10 openssl s_client -connect 127.0.0.1:443 -servername "$name" < /dev/null 2> /dev/null || true; } | fingerprint) || served=''
    if [ "$served" = "$wanted" ]; then break; fi
    if [ "$tries" = 40 ]; then
      if [ -z "$served" ]; then fail "The web server shows no certificate for $name."; fi
      fail "The web server shows another certificate for $name."
    fi
    sleep 0.05
  done
  echo "The web server shows the certificate for $name."
done
