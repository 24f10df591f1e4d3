import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import { ensureCertificate } from "./certificate.ts";
import type { PlannedFile, WebServer } from "./installation.ts";
import { type ServiceLayout, serviceUser } from "./layout.ts";
import { mustRun, run } from "./machine.ts";
import { replaceFile } from "./replace-file.ts";
import { removeUnits } from "./systemd.ts";

export const hasNginx = async (): Promise<boolean> => (await run(["nginx", "-v"])).exitCode === 0;

/** Installs nginx of the distribution. Throws AppError("unavailable") with apt's reason. */
export async function installNginx(): Promise<void> {
  const apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--yes"];
  await run([...apt, "update"]);
  await mustRun([...apt, "--no-install-recommends", "install", "nginx"]);
}

/** What a site on this machine depends on. Throws AppError("configuration") if there is no nginx. */
export async function inspectNginx(): Promise<WebServer> {
  const { exitCode, stderr } = await run(["nginx", "-v"]);
  const [, nginxVersion] = /nginx\/([\d.]+)/.exec(stderr) ?? [];
  if (exitCode !== 0 || nginxVersion === undefined) {
    throw new AppError("configuration", "There is no nginx on this machine: install it, or leave --nginx out.");
  }
  return { nginxVersion, ipv6: existsSync("/proc/net/if_inet6") };
}

/**
 * Puts the site in place and has nginx read it. If nginx refuses its configuration with it, the former state comes back, and
 * AppError("refused") has nginx's reason. nginx keeps serving in any case.
 */
export async function putSite(layout: ServiceLayout, site: PlannedFile, names: readonly string[]): Promise<void> {
  const former = await readFile(site.path, "utf8").catch(() => undefined);
  if (former === site.text) return;
  await requireValid("nginx refuses its configuration as it is, so no site was added");
  await ensureCertificate(layout, names);
  await mustRun(["chown", "-R", `${serviceUser}:${serviceUser}`, layout.tls]);
  await replaceFile(site.path, site.text, site.mode);
  try {
    await requireValid(`nginx refuses the site ${site.path}, which was taken back`);
    await mustRun(["systemctl", "reload-or-restart", "nginx"]);
  } catch (error) {
    if (former === undefined) await rm(site.path, { force: true });
    else await replaceFile(site.path, former, site.mode);
    throw error;
  }
}

/** The names of the site that is there; undefined without one. */
export async function findSiteNames({ nginxSite }: ServiceLayout): Promise<string[] | undefined> {
  const text = await readFile(nginxSite, "utf8").catch(() => "");
  return /^\s*server_name ([^;]+);$/m.exec(text)?.[1]?.split(" ");
}

/** Removes the site, and what renews its certificate. */
export async function removeSite(layout: ServiceLayout): Promise<void> {
  await removeUnits([layout.certificateTimer, layout.certificateService]);
  if (!existsSync(layout.nginxSite)) return;
  await rm(layout.nginxSite);
  if ((await run(["nginx", "-t"])).exitCode === 0) await mustRun(["systemctl", "reload-or-restart", "nginx"]);
}

async function requireValid(sentence: string): Promise<void> {
  const { exitCode, stderr } = await run(["nginx", "-t"]);
  if (exitCode === 0) return;
  const reason = stderr.split("\n").find((line) => /\[(?:emerg|alert|crit)\]/.test(line)) ?? stderr.trim();
  throw new AppError("refused", `${sentence}: ${reason.replace(/^nginx: /, "")}`);
}
