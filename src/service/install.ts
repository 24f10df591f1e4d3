import { existsSync } from "node:fs";
import { chown, lstat, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Output } from "../cli/output.ts";
import { pollUntil } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { replaceFile } from "../lib/replace-file.ts";
import { version } from "../lib/version.ts";
import { waitForHealth } from "./health.ts";
import { type Installation, type PlannedFile, planInstallation, throughNginx, type Wanted } from "./installation.ts";
import {
  certificateUnit,
  findCurrentVersion,
  launcherOf,
  type ServiceLayout,
  serviceName,
  serviceUser,
} from "./layout.ts";
import { findAccount, requireMachine } from "./machine.ts";
import { findSiteNames, hasNginx, inspectNginx, installNginx, putIntoNginx, removeSite } from "./nginx.ts";
import { findListener } from "./ports.ts";
import { installProgram, requirePackage } from "./program.ts";
import { type Account, mustRun, type Ran, run } from "./run.ts";
import { readSettings, type ServiceSettings } from "./settings-file.ts";
import { planCertificate } from "./site-certificate.ts";
import { lastLogLines, readUnit, requireOwnUnit, systemctl } from "./systemd.ts";
import { openThisMachine } from "./this-machine.ts";
import { compareVersions } from "./upgrade/version-order.ts";

export interface Installed {
  version: string;
  /** Where people open it. */
  address: string;
  /** The page that makes the first account; null when there is one. */
  setupUrl: string | null;
  settings: string;
  unit: string;
  data: string;
  /** Why visitors see a certificate that this machine signed itself; null if they see another one, or without names. */
  certificateProblem: string | null;
}

/** A new database is made in some seconds; an old one may have much to migrate. */
const healthTimeoutMs = 180_000;
/** How long an authority may take to issue the first certificate before the installation ends without it. */
const certificateTimeoutMs = 120_000;

/**
 * Installs this version as the service of the machine, starts it and waits for its health. Repeated, it changes what is wanted
 * differently, and restarts only for a change. Throws AppError with the reason, before anything is written if that can be known.
 */
export async function install(layout: ServiceLayout, given: Wanted, output: Output): Promise<Installed> {
  requireMachine("service install");
  requirePackage();
  refuseOlder(layout);
  await requireOwnUnit(layout);
  const wanted = throughNginx(await readSettings(layout.settings), given);
  await ensureNginx(wanted, output);
  const plan = await planFor(layout, wanted);
  await refuseTakenPorts(plan);
  if (wanted.domains && !wanted.nginx) await removeSite(layout);
  await installProgram(layout);
  output.note(`Longshore ${version} is in ${layout.current}.`);
  const account = await ensureUser(layout);
  await ensureData(layout, plan, account);
  if (plan.config.thisMachine !== undefined) await openThisMachine(layout, plan.config, account, output);
  await mkdir(layout.settingsDirectory, { recursive: true, mode: 0o700 });
  const [service, site] = [plan.files.slice(0, 2), plan.files.slice(2)];
  // Before the service, which orders the certificate as soon as it runs.
  await installSite(layout, site, plan.siteNames);
  await putFiles(service);
  await systemctl("daemon-reload");
  await systemctl("enable", "--quiet", serviceName);
  await startService(layout);
  const healthy = output.progress("The service is healthy");
  await waitForHealth(plan.config, healthTimeoutMs);
  healthy();
  const certificateProblem = ordersCertificate(plan) ? await awaitCertificate(layout, plan, account, output) : null;
  return {
    version,
    address: plan.address,
    setupUrl: plan.config.role === "worker" ? null : await makeSetupUrl(layout, plan.settings, account),
    settings: layout.settings,
    unit: layout.unit,
    data: plan.config.dataDirectory,
    certificateProblem,
  };
}

/** What `install` would write. Writes nothing. */
export async function planFor(layout: ServiceLayout, given: Wanted): Promise<Installation> {
  const wanted = throughNginx(await readSettings(layout.settings), given);
  if (wanted.nginx && !wanted.domains?.length) {
    throw new AppError("configuration", "A site of nginx needs names: --domain panel.example.com");
  }
  const former = existsSync(layout.settings) ? await readFile(layout.settings, "utf8") : "";
  const siteNames = await findSiteNames(layout);
  const keepsSite = siteNames !== undefined && !wanted.domains;
  const willInstall = wanted.thisMachine !== undefined && !(await hasNginx());
  const needsWeb = (wanted.nginx || keepsSite) && !willInstall;
  const web = needsWeb ? { ...(await inspectNginx()), siteNames } : undefined;
  return planInstallation(layout, former, wanted, web);
}

/** The setup of this machine as a server would install nginx later; its site for Longshore needs it now. */
async function ensureNginx({ thisMachine, nginx }: Wanted, output: Output): Promise<void> {
  if (thisMachine === undefined || !nginx || (await hasNginx())) return;
  const done = output.progress("nginx is installed");
  await installNginx();
  done();
}

/** The command of npm stays at its version when the service was upgraded. */
function refuseOlder(layout: ServiceLayout): void {
  const current = findCurrentVersion(layout);
  if (current === undefined || compareVersions(current, version) <= 0) return;
  throw new AppError(
    "configuration",
    `This is Longshore ${version}, and the service runs ${current}, whose data an older version cannot read. That version changes the service: ${launcherOf(layout)} service install`,
  );
}

async function refuseTakenPorts({ ports, config }: Installation): Promise<void> {
  for (const port of ports) {
    const listener = await findListener(port);
    if (listener === undefined || listener.isService) continue;
    const who = listener.pid > 0 ? `${listener.program} (process ${listener.pid})` : listener.program;
    const advice =
      port !== config.port
        ? nginxAdvice(listener.program, config.domains.join(","))
        : "Stop it, or choose another port with --port.";
    throw new AppError("configuration", `Port ${port} is in use by ${who}. ${advice}`);
  }
}

const nginxAdvice = (program: string, domains: string): string =>
  program === "nginx"
    ? `Add a site to that nginx, which gets a certificate of its own: longshore service install --domain ${domains} --nginx`
    : "Stop it, or have it forward to Longshore's plain port: docs/operations.md has the settings, under “Behind a proxy”.";

async function ensureUser(layout: ServiceLayout): Promise<Account> {
  const found = await findAccount(serviceUser);
  if (found) return found;
  const home = ["--no-create-home", "--home-dir", layout.data, "--shell", "/usr/sbin/nologin"];
  await mustRun(["useradd", "--system", "--user-group", ...home, "--comment", "Longshore", serviceUser]);
  const made = await findAccount(serviceUser);
  if (made) return made;
  throw new AppError("unavailable", `The user ${serviceUser} could not be made.`);
}

/** systemd makes the usual directory, and gives it to the user. */
async function ensureData(layout: ServiceLayout, { config }: Installation, { uid, gid }: Account): Promise<void> {
  const directory = config.dataDirectory;
  if (directory === layout.data) return;
  await mkdir(dirname(directory), { recursive: true, mode: 0o755 });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await stat(directory)).uid === uid) return;
  const names = await readdir(directory);
  if (names.length > 0 && !names.includes("secret.key") && !names.includes("postgres")) {
    throw new AppError(
      "configuration",
      `${directory} has files that are not Longshore's: choose an empty or a new directory.`,
    );
  }
  await chown(directory, uid, gid);
  // Data of a restored backup, or of a former user of the same name.
  await mustRun(["chown", "-R", "--no-dereference", `${uid}:${gid}`, directory]);
}

/** A file that is as it should be keeps its time. */
async function putFiles(files: readonly PlannedFile[]): Promise<void> {
  for (const { path, text, mode } of files) {
    const former = await readFile(path, "utf8").catch(() => undefined);
    if (former !== text) await replaceFile(path, text, mode);
  }
}

/** Starts it, and restarts it if its program, unit or settings changed since its start: also in an installation that was interrupted. */
async function startService(layout: ServiceLayout): Promise<void> {
  const { active, since } = await readUnit();
  const paths = [layout.current, layout.unit, layout.settings];
  const changes = await Promise.all(paths.map(async (path) => Math.floor((await lstat(path)).mtimeMs / 1_000)));
  const isCurrent = active === "active" && since !== null && Math.max(...changes) * 1_000 <= Date.parse(since);
  if (!isCurrent) await systemctl("restart", serviceName);
}

async function installSite(
  layout: ServiceLayout,
  [site, ...units]: readonly PlannedFile[],
  names: readonly string[],
): Promise<void> {
  if (site === undefined) return;
  await putIntoNginx([await planCertificate(layout, names), site]);
  await putFiles(units);
  await systemctl("daemon-reload");
  await systemctl("enable", "--quiet", "--now", `${certificateUnit}.path`);
}

const ordersCertificate = ({ config }: Installation): boolean =>
  config.domains.length > 0 && config.tlsCertificateFile === undefined && config.role !== "worker";

/** Returns why the authority issued no certificate, if it did not: the service repeats that. */
async function awaitCertificate(
  layout: ServiceLayout,
  { settings, siteNames }: Installation,
  account: Account,
  output: Output,
): Promise<string | null> {
  const done = output.progress("Visitors see the certificate of the authority");
  const look = async (): Promise<{ problem: string | null } | undefined> => {
    const { exitCode, stdout } = await runAdmin(layout, ["certificate"], { settings, account });
    if (exitCode !== 0) return undefined;
    const { source, error, retry_at } = lastObject<{ source: string; error: string | null; retry_at: string | null }>(
      stdout,
    );
    if (source === "acme") return { problem: null };
    return error !== null && retry_at !== null ? { problem: error } : undefined;
  };
  const { problem } = (await pollUntil(look, { timeoutMs: certificateTimeoutMs, everyMs: 1_000 })) ?? {
    problem: "The authority has not decided on the order yet.",
  };
  const refusal = problem ?? (siteNames.length > 0 ? await showInNginx() : null);
  if (refusal === null) done();
  return refusal;
}

/** Has nginx show the new certificate; returns why it does not. */
async function showInNginx(): Promise<string | null> {
  const unit = `${certificateUnit}.service`;
  const { exitCode } = await run(["systemctl", "start", unit]);
  return exitCode === 0 ? null : ((await lastLogLines(1, unit))[0] ?? "The reason is in its log.");
}

/** The address with a code of its own; null if there is an account. */
async function makeSetupUrl(
  layout: ServiceLayout,
  settings: ServiceSettings,
  account: Account,
): Promise<string | null> {
  const { exitCode, stdout, stderr } = await runAdmin(layout, ["setup-code"], { settings, account });
  if (exitCode === 0) return lastObject<{ setup_url: string }>(stdout).setup_url;
  if (stderr.includes("There is an account already")) return null;
  throw new AppError("unavailable", `The service runs, but its first address could not be made: ${stderr.trim()}`);
}

/** Settings go through the environment, since one may be a password. */
const runAdmin = (
  layout: ServiceLayout,
  args: readonly string[],
  { settings, account }: { settings: ServiceSettings; account: Account },
): Promise<Ran> =>
  run([launcherOf(layout), "admin", ...args, "--json"], {
    env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...settings },
    account,
  });

const lastObject = <Result>(printed: string): Result => JSON.parse(printed.trim().split("\n").at(-1) ?? "{}") as Result;
