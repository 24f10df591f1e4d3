import { setTimeout as pause } from "node:timers/promises";
import { mustRun } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { enterCommand } from "../sandbox/sandbox.ts";
import { installInstrument } from "../stage/instrument.ts";
import { type LoadResult, startLoad, total } from "../stage/load.ts";
import { createProject, installed, type SampleProject } from "../stage/projects.ts";
import { sampleKinds } from "../stage/samples.ts";
import type { Benchmark, Measurement, Session } from "./benchmark.ts";
import { type Act, actsOf, never, type Scene, silentActs } from "./downtime-acts.ts";
import { prepareStage, type Stage } from "./stage.ts";

const wantedRequests = 500_000;
const reloads = 20;
/** Between two reloads of the control: about as far apart as deployments of a static project. */
const reloadPauseMs = 500;

export const downtimeBenchmark: Benchmark = {
  name: "downtime",
  what: "requests that fail or get a wrong page while projects are deployed, rolled back, recycled, cancelled and broken, under as many requests as it takes",
  comparedTo: `the same load while nginx is reloaded ${reloads} times: what a switch by reload costs, and proof that the load sees failures`,
  async run(session) {
    await ensurePackages(["wrk"], "the benchmark sends requests with it");
    const stage = await prepareStage(session);
    const bash = async (script: string): Promise<string> => {
      const enter = await enterCommand(stage.server.name);
      return (await mustRun([...enter, "bash", "-euo", "pipefail", "-c", script])).trim();
    };
    const scenes: Scene[] = [];
    for (const kind of sampleKinds) scenes.push({ stage, bash, project: await createProject({ ...stage, kind }) });
    const silent = await Promise.all(
      ["mute", "angry"].map(async (name): Promise<Scene> => {
        return { stage, bash, project: await createProject({ ...stage, kind: "node", name }) };
      }),
    );
    for (const { project } of [...scenes, ...silent]) await installed(stage.platform.client, project);
    await installInstrument({ bash });

    const played: Played[] = [];
    for (const scene of scenes) {
      for (const act of actsOf(scene.project.kind)) played.push(await play(session, scene, act));
    }
    session.update("Node: new processes that never answer, and that answer 500");
    played.push(...(await Promise.all(silent.map((scene, at) => play(session, scene, silentActs[at] as Act)))));
    session.update("control: reloading nginx");
    const control = total(Object.values(await reloadUnderLoad(stage, (scenes[0] as Scene).project)));

    const all = total(played.flatMap(({ loads }) => Object.values(loads)));
    return {
      table: tableOf(played),
      measurements: summary(all, control),
      failures: problemsOf(session, played, all, control),
    };
  },
};

/** The counts for each kind of connections. */
interface Loads {
  kept: LoadResult;
  onePerRequest: LoadResult;
}

interface Played {
  scene: Scene;
  act: Act;
  times: number;
  loads: Loads;
}

/** One load over the whole act, so that no moment is left out. */
async function play(session: Session, scene: Scene, act: Act): Promise<Played> {
  let times = 0;
  const { stage, project } = scene;
  const loads = await underLoad(stage.server.address, project, async () => {
    await act.play(scene, session.quick, () => session.update(`${project.name}: ${act.name}, ${++times}`));
  });
  return { scene, act, times, loads };
}

const reloadUnderLoad = ({ server }: Stage, project: SampleProject): Promise<Loads> =>
  underLoad(server.address, project, async () => {
    const inside = await enterCommand(server.name);
    for (let at = 1; at <= reloads; at++) {
      await mustRun([...inside, "systemctl", "reload", "nginx"]);
      await pause(reloadPauseMs);
    }
  });

async function underLoad(address: string, { domain }: SampleProject, work: () => Promise<void>): Promise<Loads> {
  const limits = { maxSeconds: 900, maxRequests: 50_000_000 };
  const target = { url: `http://${address}/`, host: domain, wanted: "version ", forbidden: never, ...limits };
  const kept = startLoad({ ...target, connections: "kept", concurrency: 16 });
  const onePerRequest = startLoad({ ...target, connections: "one-per-request", concurrency: 4 });
  try {
    await work();
  } finally {
    await Promise.allSettled([kept.stop(), onePerRequest.stop()]);
  }
  return { kept: await kept.ended, onePerRequest: await onePerRequest.ended };
}

function tableOf(played: readonly Played[]) {
  const number = (value: number): string => value.toLocaleString("en-US");
  const rows = played.map(({ scene, act, times, loads: { kept, onePerRequest } }) => [
    scene.project.kind,
    act.name,
    number(times),
    number(kept.requests),
    number(onePerRequest.requests),
    number(kept.failed + onePerRequest.failed),
  ]);
  return { head: ["Project", "What was done", "Times", "Requests, kept", "One connection each", "Failed"], rows };
}

function summary(all: LoadResult, control: LoadResult): Measurement[] {
  const to = `${reloads} reloads of nginx`;
  return [
    { what: "all requests", unit: "requests", value: all.requests, compared: [{ to, value: control.requests }] },
    { what: "all failed", unit: "failed", value: all.failed, compared: [{ to, value: control.failed }] },
  ];
}

function problemsOf({ quick }: Session, played: readonly Played[], all: LoadResult, control: LoadResult): string[] {
  const problems = played.flatMap(({ scene, act, loads }) => {
    const { requests, failed, failures } = total(Object.values(loads));
    if (failed > 0)
      return [`${scene.project.name}, ${act.name}: ${failed} of ${requests} requests failed (${failures})`];
    return requests > 0 ? [] : [`${scene.project.name}, ${act.name}: no requests were sent`];
  });
  if (!quick && all.requests < wantedRequests) {
    problems.push(`Only ${all.requests} requests were sent: ${wantedRequests} are wanted`);
  }
  if (control.requests === 0) problems.push("The control sent no requests");
  return problems;
}
