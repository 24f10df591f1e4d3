import { certificateFile } from "../config.ts";
import { certificateUnit, launcherOf, type ServiceLayout } from "./layout.ts";

/** Has nginx show the certificate that the service keeps. */
export function certificateServiceUnit(layout: ServiceLayout): string {
  return `# Made by: longshore service install
[Unit]
Description=Longshore: nginx shows its certificate
After=nginx.service

[Service]
Type=oneshot
ExecStart=${launcherOf(layout)} service certificate
TimeoutStartSec=120
`;
}

/** Starts it when the service has another certificate. */
export function certificatePathUnit(data: string): string {
  return `# Made by: longshore service install
[Unit]
Description=Longshore: watches its certificate for nginx

[Path]
PathChanged=${certificateFile({ dataDirectory: data }).replaceAll("%", "%%")}
Unit=${certificateUnit}.service

[Install]
WantedBy=multi-user.target
`;
}
