# shellcheck shell=bash
# uses: runner/fact.sh
# given: key names
# `key`: its file; `names`: of the certificate, for openssl.
umask 077
if [ ! -s "$key" ]; then
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$key.new"
  mv -T -- "$key.new" "$key"
fi
request=$(openssl req -new -sha256 -key "$key" -subj / -addext "subjectAltName=$names" \
  -outform DER | base64 -w 0)
fact request "$request"
echo "Made a key (ECDSA P-256) that stays on the server."
