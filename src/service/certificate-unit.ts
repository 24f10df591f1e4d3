import { basename } from "node:path";
import { launcherOf, type ServiceLayout, serviceUser } from "./layout.ts";
import { confinement } from "./unit.ts";

/** The file that asks for a reload of nginx, below the directory of the challenges. */
export const renewedFile = "renewed";

/**
 * Orders and renews the certificate of the site of nginx. It has the user of the service, who may write the certificate and nothing of
 * nginx; root's part is the reload alone.
 */
export function certificateServiceUnit(layout: ServiceLayout, names: readonly string[]): string {
  return `# Made by: longshore service install
[Unit]
Description=Longshore: the certificate of ${names[0]}
After=network-online.target nginx.service
Wants=network-online.target

[Service]
Type=oneshot
User=${serviceUser}
Group=${serviceUser}
WorkingDirectory=/
EnvironmentFile=${layout.settings}
ExecStart=${launcherOf(layout)} service certificate --domain ${names.join(",")}
ExecStartPost=+/bin/sh -c 'if [ -e ${layout.challenges}/${renewedFile} ]; then systemctl reload nginx; fi'
TimeoutStartSec=300
UMask=0077
StateDirectory=longshore-control
StateDirectoryMode=0700
# nginx reads the answers to the authority in there.
RuntimeDirectory=${basename(layout.challenges)}
RuntimeDirectoryMode=0755

${confinement(false)}
`;
}

/** Twice a day, as authorities ask for it: most runs find a certificate that is young enough. */
export function certificateTimerUnit(): string {
  return `# Made by: longshore service install
[Unit]
Description=Longshore: renews its certificate

[Timer]
OnCalendar=*-*-* 03,15:00
RandomizedDelaySec=6h
Persistent=yes

[Install]
WantedBy=timers.target
`;
}
