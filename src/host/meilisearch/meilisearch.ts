import { scriptsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";
import { serviceHardening } from "../systemd/hardening.ts";

const script = scriptsBeside(import.meta.url);

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
    : script("install.sh", { program, url: binary.url, sha256: binary.sha256 });

export const configureMeilisearch = (keySecret: string): Script =>
  script("configure.sh", { program, secret: keySecret, key_file: keyFile, unit });

export const startMeilisearch: Script = script("start.sh", { program, key_file: keyFile });
