import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AppsMirror, startAppsMirror, wordpressVersions } from "../sandbox/apps-mirror/server.ts";
import { mustRun } from "../sandbox/command.ts";
import { ensureBridgeAddress } from "../sandbox/network.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { enterCommand } from "../sandbox/sandbox.ts";
import { GiveUp, waitFor } from "../stage/api-client.ts";
import { type SampleProject, visit } from "../stage/projects.ts";
import { underLoad } from "../stage/switches.ts";
import { median, type Result, type Session, secondsOf } from "./benchmark.ts";
import { prepareStage, type Stage } from "./stage.ts";

const rounds = 5;
const allowedRatio = 1.3;

let former: string;
let newer: string;

/** How long WordPress takes from the request until its page is served, and the effect of an update on visitors. */
export async function measureWordPress(session: Session): Promise<Result> {
  await ensurePackages(["wrk"], "the benchmark sends requests with it");
  const host = await ensureBridgeAddress();
  const mirror = await startAppsMirror({ host });
  session.cleanUp(mirror.close);
  ({ former, newer } = wordpressVersions(mirror));
  mirror.offer("app_cms", [former]);
  const env = { LONGSHORE_APPS_MIRROR: mirror.url, LONGSHORE_APPS_CHECKSUMS: "off" };
  const stage = await prepareStage(session, env);
  const times = await measureInstalls(session, stage, mirror);
  const update = await measureUpdate(session, stage, mirror);
  return resultOf(times, update);
}

interface Times {
  ours: number[];
  bare: number[];
}

async function measureInstalls(session: Session, stage: Stage, mirror: AppsMirror): Promise<Times> {
  const bare = await bareScript(stage);
  const times: Times = { ours: [], bare: [] };
  const count = session.quick ? 1 : rounds;
  // The first of each fills caches and is not counted.
  for (let at = 0; at <= count; at++) {
    session.update(`installation ${at} of ${count}`);
    let id = 0;
    const ours = await secondsOf(async () => {
      id = await install(stage, `round-${at}`);
    });
    await remove(stage, id);
    const theirs = await secondsOf(() => bare("install", mirror.url, former, "bare.example.test"));
    await bare("remove");
    if (at === 0) continue;
    times.ours.push(ours);
    times.bare.push(theirs);
  }
  return times;
}

async function bareScript({ server }: Stage): Promise<(...words: string[]) => Promise<void>> {
  const script = await readFile(join(import.meta.dirname, "bare-wordpress.sh"), "utf8");
  const enter = await enterCommand(server.name);
  return async (...words) => {
    await mustRun([...enter, "bash", "-c", script, "bare-wordpress", ...words]);
  };
}

const domainOf = (name: string): string => `${name}.example.test`;

/** Installs it, and waits for its page. */
async function install({ platform, server, serverId }: Stage, name: string): Promise<number> {
  const { client } = platform;
  const { data } = await client("POST /api/v1/projects/install", {
    body: {
      name,
      domain: domainOf(name),
      server_id: serverId,
      app_slug: "app_cms",
      inputs: { site_title: name },
    },
  });
  const { id } = data;
  await waitFor(
    `${name} to be served`,
    async () => {
      const { body } = await visit({ address: server.address, host: domainOf(name) });
      if (body.includes(`<title>${name}</title>`)) return true;
      const { data } = await client("GET /api/v1/projects/{id}/install-steps", { params: { id } });
      if (data.installation_status === 2) throw new GiveUp(JSON.stringify(data.steps));
      return false;
    },
    { timeoutMs: 120_000, intervalMs: 20 },
  );
  return id;
}

async function remove({ platform: { client }, server }: Stage, id: number): Promise<void> {
  const ended = async () =>
    (await client("GET /api/v1/projects/{id}/install-steps", { params: { id } })).data.installation_status === 1;
  await waitFor("the installation to end", ended, { timeoutMs: 120_000 });
  await client("DELETE /api/v1/project/{id}", { params: { id } });
  const enter = await enterCommand(server.name);
  const isGone = async () =>
    (await mustRun([
      ...enter,
      "sh",
      "-c",
      `getent passwd project-${id} || true; test ! -e /srv/longshore/projects/${id} || echo files`,
    ])) === "";
  await waitFor("the project to be gone", isGone, { timeoutMs: 120_000 });
}

interface Update {
  seconds: number;
  requests: number;
  failed: number;
  failures: string;
}

async function measureUpdate(session: Session, stage: Stage, mirror: AppsMirror): Promise<Update> {
  session.update("an update while visitors come");
  const id = await install(stage, "updated");
  mirror.offer("app_cms", [newer, former]);
  const { client } = stage.platform;
  const project = { id, name: "updated", domain: domainOf("updated") } as SampleProject;
  const status = async () => (await client("GET /api/v1/projects/{id}/install-steps", { params: { id } })).data;
  await waitFor("the installation to end", async () => (await status()).installation_status === 1, {
    timeoutMs: 60_000,
  });
  return underLoad(stage.server.address, project, "update", async () => {
    await client("POST /api/v1/projects/{id}/app/update", { params: { id } });
    await waitFor(
      "the update to end",
      async () => {
        const { last_update: update } = (await client("GET /api/v1/projects/{id}/app", { params: { id } })).data;
        if (update?.state === "failed") throw new GiveUp(update.error ?? "");
        return update?.state === "succeeded";
      },
      { timeoutMs: 300_000 },
    );
  });
}

function resultOf({ ours, bare }: Times, update: Update): Result {
  const [own, theirs] = [median(ours), median(bare)];
  const failures = [
    ...(own > allowedRatio * theirs
      ? [`An installation takes ${(own / theirs).toFixed(2)} times as long as the script`]
      : []),
    ...(update.failed > 0 ? [`${update.failed} requests failed during the update (${update.failures})`] : []),
  ];
  return {
    table: {
      head: ["WordPress", "catalog", "bare script"],
      rows: ours.map((value, at) => [`installation ${at + 1}`, `${value.toFixed(2)} s`, `${bare[at]?.toFixed(2)} s`]),
    },
    measurements: [
      { what: "request to page (median)", unit: "s", value: own, compared: [{ to: "bare script", value: theirs }] },
      { what: `update from ${former} to ${newer}`, unit: "s", value: update.seconds },
      { what: "requests during the update", unit: "requests", value: update.requests },
      { what: "failed requests during the update", unit: "failed", value: update.failed },
    ],
    failures,
  };
}
