import { dirname } from "node:path";
import { type Script, sh } from "./sh.ts";
import { serviceHardening } from "./systemd/hardening.ts";

/** The binary of a release, which no distribution packages: its address and its SHA-256 in hexadecimal. */
export interface SearchBinary {
  url: string;
  sha256: string;
}

const program = "/opt/longshore/meilisearch/meilisearch";
const keyFile = "/etc/longshore/meilisearch.env";

const unit = `# Longshore
[Unit]
Description=Meilisearch
After=network-online.target
Wants=network-online.target

[Service]
User=meilisearch
StateDirectory=meilisearch
StateDirectoryMode=0700
WorkingDirectory=/var/lib/meilisearch
Environment=MEILI_ENV=production MEILI_NO_ANALYTICS=true MEILI_HTTP_ADDR=0.0.0.0:7700
Environment=MEILI_DB_PATH=/var/lib/meilisearch/data.ms
EnvironmentFile=${keyFile}
ExecStart=${program}
Restart=on-failure
LimitNOFILE=65535
${serviceHardening}
CapabilityBoundingSet=
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6

[Install]
WantedBy=multi-user.target
`;

/** Fetches the binary, unless it already exists with the right checksum. */
export const installMeilisearch = (binary: SearchBinary | undefined): Script =>
  binary === undefined
    ? sh`
        [ -x ${program} ] ||
          fail "Meilisearch was not installed: no address of a release is configured, and no distribution packages it."
        echo "Meilisearch is there; no address of another release is configured."`
    : sh`
        if ! sha256sum --check --status <<< ${binary.sha256}"  "${program} 2> /dev/null; then
          mkdir -p ${dirname(program)}
          scratch=$(mktemp ${program}.XXXXXX)
          curl -fsSL --retry 3 --connect-timeout 15 --max-time 900 -o "$scratch" -- ${binary.url} ||
            fail ${`Meilisearch could not be fetched from ${binary.url}.`}
          sha256sum --check --status <<< ${binary.sha256}"  $scratch" ||
            fail ${`What came from ${binary.url} is not what its checksum says.`}
          chmod 755 "$scratch"
          mv -T "$scratch" ${program}
        fi
        version=$(${program} --version | grep -oE '[0-9.]+' | head -n 1)
        fact search_version "$version"
        echo "Meilisearch is installed."`;

export const configureMeilisearch = (keySecret: string): Script => sh`
  [ -x ${program} ] || fail "Meilisearch is not installed, so it was not set up."
  id meilisearch > /dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin meilisearch
  key=$(cat "$LONGSHORE_SECRETS"/${keySecret}) || true
  [[ $key =~ ^[A-Za-z0-9_-]{16,}$ ]] || fail "The master key did not reach the server in a form it can take."
  put_file ${keyFile} 0600 "MEILI_MASTER_KEY=$key
  "
  put_file /etc/systemd/system/meilisearch.service 0644 ${unit}
  if [ "$(systemctl show --property=NeedDaemonReload --value meilisearch.service)" = yes ]; then systemctl daemon-reload; fi
  echo "Meilisearch has a master key."`;

export const startMeilisearch: Script = sh`
  [ -x ${program} ] || fail "Meilisearch is not installed, so it was not started."
  apply_changes restart meilisearch.service ${program} ${keyFile} /etc/systemd/system/meilisearch.service
  for ((tries = 0; tries < 100; tries++)); do
    if curl -fs --noproxy '*' -o /dev/null http://127.0.0.1:7700/health; then
      echo "Meilisearch answers."
      exit
    fi
    sleep 0.1
  done
  fail "Meilisearch does not answer on port 7700: see journalctl -u meilisearch."`;
