import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import { replaceFile } from "../lib/replace-file.ts";
import type { PlannedFile, WebServer } from "./installation.ts";
import type { ServiceLayout } from "./layout.ts";
import { mustRun, run } from "./run.ts";
import { removeUnits } from "./systemd.ts";

export const hasNginx = async (): Promise<boolean> => (await run(["nginx", "-v"])).exitCode === 0;

/** Installs nginx of the distribution. Throws AppError("unavailable") with apt's reason. */
export async function installNginx(): Promise<void> {
  const apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--yes"];
  await run([...apt, "update"]);
  // An interrupted dpkg would have to be repaired by hand.
  await mustRun([...apt, "--no-install-recommends", "install", "nginx"], { mayOutlive: true });
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
 * Replaces files that nginx reads, and has it read them; returns whether one differs. If nginx refuses its configuration with them, the
 * former ones come back, and AppError("refused") has nginx's reason. nginx keeps serving in any case.
 */
export async function putIntoNginx(files: readonly PlannedFile[]): Promise<boolean> {
  const formers = await Promise.all(
    files.map(async (file) => ({ ...file, former: await readFile(file.path, "utf8").catch(() => undefined) })),
  );
  const changed = formers.filter(({ text, former }) => text !== former);
  if (changed.length === 0) return false;
  await requireValid("nginx refuses its configuration as it is, so nothing was changed");
  for (const { path, text, mode } of changed) await replaceFile(path, text, mode);
  try {
    await requireValid(`nginx refuses ${changed.map(({ path }) => path).join(" and ")}, so the former state came back`);
    await mustRun(["systemctl", "reload-or-restart", "nginx"]);
  } catch (error) {
    for (const { path, former, mode } of changed) {
      if (former === undefined) await rm(path, { force: true });
      else await replaceFile(path, former, mode);
    }
    throw error;
  }
  return true;
}

/** The names of the site that is there; undefined without one. */
export async function findSiteNames({ nginxSite }: ServiceLayout): Promise<string[] | undefined> {
  const text = await readFile(nginxSite, "utf8").catch(() => "");
  return /^\s*server_name ([^;]+);$/m.exec(text)?.[1]?.split(" ");
}

/** Removes the site with its certificate. */
export async function removeSite(layout: ServiceLayout): Promise<void> {
  await removeUnits([layout.certificatePath, layout.certificateService]);
  if (!existsSync(layout.nginxSite)) return;
  await rm(layout.nginxSite);
  await rm(layout.siteCertificate, { force: true });
  if ((await run(["nginx", "-t"])).exitCode === 0) await mustRun(["systemctl", "reload-or-restart", "nginx"]);
}

async function requireValid(sentence: string): Promise<void> {
  const { exitCode, stderr } = await run(["nginx", "-t"]);
  if (exitCode === 0) return;
  const reason = stderr.split("\n").find((line) => /\[(?:emerg|alert|crit)\]/.test(line)) ?? stderr.trim();
  throw new AppError("refused", `${sentence}: ${reason.replace(/^nginx: /, "")}`);
}
