import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import colors from "picocolors";
import type { Setup } from "../contract/types.ts";
import { startAppsMirror } from "../sandbox/apps-mirror/server.ts";
import { whyNoSandbox } from "../sandbox/base.ts";
import { mustRun } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { downServer, type SandboxServer, upServer } from "../sandbox/sandbox.ts";
import {
  addServer,
  admin,
  bridgeAddress,
  localNode,
  logTailOf,
  type Platform,
  removeDirectory,
  setupSuccess,
  startGitFor,
  startPlatform,
} from "../stage/fixture.ts";
import type { GitServer } from "../stage/git-server.ts";
import { type Progress, showProgress } from "../stage/progress.ts";
import {
  assertServes,
  commitVersion,
  createProject,
  deployNow,
  installed,
  rollBack,
  type SampleProject,
  visit,
} from "../stage/projects.ts";
import { firstVersion, type SampleKind, sampleKinds, versionIn } from "../stage/samples.ts";
import { type Switch, underLoad } from "../stage/switches.ts";
import { installWordPress } from "./application.ts";
import { type Forwarder, startForwarder } from "./forwarder.ts";
import { demoServerName, removeLeftovers } from "./leftovers.ts";
import { type DemoResult, nextSteps, report } from "./report.ts";
import { upload } from "./upload.ts";

/** As people name what they deploy. */
const names: Record<SampleKind, string> = { static: "handbook", php: "shop", node: "booking" };
const secondVersion = "2.0.0";
const uploaded = "kept.txt";
const demosDirectory = join(import.meta.dirname, "../.longshore/demo");

type CleanUp = () => Promise<unknown>;

interface Performed {
  result: DemoResult;
  platform: Platform;
}

/** The results of the previous steps. */
interface Stage {
  platform: Platform;
  server: SandboxServer;
  serverId: number;
  git: GitServer;
  forwarder: Forwarder;
}

interface Flags {
  exit?: true;
  json?: true;
  pictures?: true;
}

async function run({ exit, json, pictures }: Flags): Promise<void> {
  const interrupted = untilInterrupted();
  const cleanUps: CleanUp[] = [];
  const data = join(demosDirectory, String(process.pid));
  const progress = showProgress();
  try {
    const { result, platform } = await Promise.race([perform(data, progress, cleanUps), interrupted]);
    process.exitCode = result.ok ? 0 : 1;
    (json ? process.stderr : process.stdout).write(report(result, { stays: !exit }));
    if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
    if (pictures) await Promise.race([takePictures(platform), interrupted]);
    if (!exit) {
      process.stderr.write(`\n${nextSteps(result, platform, await signInPage(platform))}`);
      await interrupted.catch(() => {});
    }
  } catch (error) {
    process.exitCode = error instanceof Interrupted ? 130 : 1;
    if (!(error instanceof Interrupted)) await explain(error, data);
    if (json)
      process.stdout.write(`${JSON.stringify({ ok: false, error: messageOf(error), steps: progress.times })}\n`);
  }
  await tearDown(cleanUps);
  // Errors of an interrupted step's remaining waits are ignored.
  process.exit();
}

/** Runs the whole demo; adds the removal of each part to `cleanUps` before the part is made. */
async function perform(data: string, progress: Progress, cleanUps: CleanUp[]): Promise<Performed> {
  const startedAt = performance.now();
  await ensurePackages(["wrk"], "the demo sends requests with it");
  await removeLeftovers(demosDirectory);
  const stage = await prepare(data, progress, cleanUps);
  const projects = await deployFirstVersions(stage, progress);
  const switches = await deploySecondVersions(stage, projects, progress);
  switches.push(await rollBackOne(stage, projects, progress));
  const app = await installWordPress(stage, progress);
  await assertBrowsable(stage, projects);
  const result = summarize(stage, { projects, switches, app }, progress, (performance.now() - startedAt) / 1000);
  return { result, platform: stage.platform };
}

async function prepare(data: string, progress: Progress, cleanUps: CleanUp[]): Promise<Stage> {
  const because = whyNoSandbox();
  if (because) throw new Error(because);
  await mkdir(data, { recursive: true });
  cleanUps.push(() => removeDirectory(data));
  const name = demoServerName(process.pid);
  cleanUps.push(() => downServer(name));
  const server = await progress.step("Boot a server", (onProgress) => upServer({ name, onProgress }));

  const node = await localNode(server);
  cleanUps.push(node.close);
  const apps = await progress.step("Put WordPress together from Debian's packages", () =>
    startAppsMirror({ host: bridgeAddress(server) }),
  );
  cleanUps.push(apps.close);
  const platform = await progress.step("Start the platform", () =>
    startPlatform({
      dataDirectory: data,
      env: { ...node.env, LONGSHORE_APPS_MIRROR: apps.url, LONGSHORE_APPS_CHECKSUMS: "off" },
    }),
  );
  cleanUps.push(platform.stop);
  await writeFile(join(data, "platform.pid"), String(platform.pid));

  const git = await startGitFor(server, join(data, "git"));
  cleanUps.push(git.close);
  const forwarder = await startForwarder(server.address);
  cleanUps.push(forwarder.close);

  const serverId = await progress.step("Provision it over SSH", async (update) => {
    const id = await addServer(platform, server, { name: "web-1" });
    await setupSuccess(platform.client, id, (record) => describeSetup(record, update));
    return id;
  });
  return { platform, server, serverId, git, forwarder };
}

function describeSetup({ phases, summary }: Setup, update: (text: string) => void): void {
  const current = phases.find((phase) => phase.completed + (phase.failed ?? 0) < phase.total);
  if (current) update(`${current.label} (${summary.completed} of ${summary.total} steps)`);
}

interface Deployed extends SampleProject {
  version: string;
  firstDeployment: number;
  firstCommit: string;
}

async function deployFirstVersions(stage: Stage, progress: Progress): Promise<Deployed[]> {
  const { platform, server, serverId, git } = stage;
  return progress.step("Create three projects and deploy them from git", async (update) => {
    const created = await Promise.all(
      sampleKinds.map((kind) => createProject({ platform, server, serverId, git, kind, name: names[kind] })),
    );
    const projects: Deployed[] = [];
    for (const project of created) {
      update(project.name);
      const firstDeployment = await installed(platform.client, project);
      await assertServes(server.address, project, firstVersion);
      projects.push({ ...project, version: firstVersion, firstDeployment, firstCommit: project.commit });
    }
    await upload(
      server.address,
      domainOf(projects, "php"),
      uploaded,
      "This file was uploaded before the second deployment.\n",
    );
    return projects;
  });
}

async function deploySecondVersions({ platform, server, git }: Stage, projects: Deployed[], progress: Progress) {
  const switches: Switch[] = [];
  for (const project of projects) {
    const name = `Deploy a second commit of ${project.name} while visitors come`;
    const change = await progress.step(name, async () => {
      project.commit = await commitVersion(git, project, secondVersion);
      const measured = await underLoad(server.address, project, "second commit", () =>
        deployNow(platform.client, project),
      );
      await assertServes(server.address, project, secondVersion);
      project.version = secondVersion;
      return measured;
    });
    switches.push(change);
  }
  return switches;
}

async function rollBackOne({ platform, server }: Stage, projects: Deployed[], progress: Progress): Promise<Switch> {
  const project = projects.find(({ kind }) => kind === "php") as Deployed;
  return progress.step(`Roll ${project.name} back while visitors come`, async () => {
    const measured = await underLoad(server.address, project, "rollback", () =>
      rollBack(platform.client, project.firstDeployment),
    );
    await assertServes(server.address, project, firstVersion);
    await assertUploadIsThere(server.address, project.domain);
    project.version = firstVersion;
    project.commit = project.firstCommit;
    return measured;
  });
}

/** Requests the printed addresses once as a browser would, through the forwarder. */
async function assertBrowsable({ forwarder }: Stage, projects: readonly Deployed[]): Promise<void> {
  for (const { domain, version } of projects) {
    const { status, body } = await visit({ address: "127.0.0.1", port: forwarder.port, host: domain });
    if (status !== 200 || versionIn(body) !== version)
      throw new Error(`http://${domain}:${forwarder.port}/ is not version ${version}: status ${status}`);
  }
}

const domainOf = (projects: readonly SampleProject[], kind: SampleProject["kind"]): string =>
  projects.find((project) => project.kind === kind)?.domain ?? "";

async function assertUploadIsThere(address: string, domain: string): Promise<void> {
  const { status } = await visit({ address, host: domain, path: `/uploads/${uploaded}` });
  if (status !== 200) throw new Error(`What was uploaded to ${domain} is gone after the deployments: status ${status}`);
}

interface Achieved {
  projects: Deployed[];
  switches: Switch[];
  app: DemoResult["app"];
}

function summarize(
  { platform, server, forwarder }: Stage,
  { projects, switches, app }: Achieved,
  { times }: Progress,
  seconds: number,
): DemoResult {
  const requests = switches.reduce((sum, each) => sum + each.requests, 0);
  const failed = switches.reduce((sum, each) => sum + each.failed, 0);
  return {
    ok: failed === 0 && switches.every((each) => each.requests > 0),
    seconds,
    steps: times,
    projects: projects.map(({ name, kind, domain, version, commit }) => ({
      name,
      kind,
      url: `http://${domain}:${forwarder.port}/`,
      version,
      commit,
    })),
    app,
    switches,
    requests,
    failed,
    platform: { url: platform.url },
    server: { name: server.name, address: server.address },
  };
}

/** The address of the console that signs the owner in, once and within ten minutes. */
async function signInPage({ url, dataDirectory, email }: Platform): Promise<string> {
  const { code } = await admin(dataDirectory, ["sign-in-link", "--email", email]);
  return `${url}/sign-in#${code}`;
}

/** Those that the README shows. */
async function takePictures(platform: Platform): Promise<void> {
  const tour = join(import.meta.dirname, "../console/test/tour.ts");
  const pictures = join(import.meta.dirname, "../docs/images");
  // The address is a secret: other users of the machine can read the command lines of processes.
  await mustRun([process.execPath, tour, "--out", pictures], { input: await signInPage(platform) });
}

class Interrupted extends Error {}

/** Rejects at Ctrl-C or SIGTERM. A second Ctrl-C ends at once. */
function untilInterrupted(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => reject(new Interrupted(`The demo was ended by ${signal}.`)));
    }
  });
  interrupted.catch(() => {});
  return interrupted;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Prints what failed and why, with the end of the platform's log. */
async function explain(error: unknown, data: string): Promise<void> {
  const causes: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) causes.push(at.message);
  process.stderr.write(`\n${colors.red(causes.join("\nbecause: "))}\n`);
  const log = join(data, "platform.log");
  if (existsSync(log)) {
    process.stderr.write(`\n${colors.dim(`The platform's log ended with:\n${await logTailOf(log)}`)}\n`);
  }
}

/** Removes everything that was made, last first. Reports parts that cannot be removed, and continues. */
async function tearDown(cleanUps: readonly CleanUp[]): Promise<void> {
  for (const cleanUp of cleanUps.toReversed()) {
    await cleanUp().catch((error) => process.stderr.write(`Cleaning up: ${messageOf(error)}\n`));
  }
}

await new Command("longshore demo")
  .description(
    "From nothing to three projects that are deployed, changed and rolled back under load, on a real server.",
  )
  .option("--exit", "tear everything down at the end, instead of keeping it running until Ctrl-C")
  .option("--pictures", "also take the pictures of the console that the README shows")
  .option("--json", "print the result as one JSON object, the last line on standard output")
  .action(run)
  .parseAsync();
