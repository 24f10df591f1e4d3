import type { ProjectLayout } from "./layout.ts";
import type { SiteTls } from "./site.ts";

/** The directory of one certificate with its key. `version` is the order that made it: none is ever written over. */
export const certificateDirectory = (layout: ProjectLayout, version: number): string =>
  `${layout.certificates}/${version}`;

/** What nginx is told: the certificate with its chain, and the key that was made beside it. */
export const certificateFiles = (layout: ProjectLayout, version: number): Omit<SiteTls, "names"> => ({
  certificate: `${certificateDirectory(layout, version)}/fullchain.pem`,
  key: `${certificateDirectory(layout, version)}/privkey.pem`,
});
