import { setTimeout as pause } from "node:timers/promises";
import { sampleKinds } from "../demo/samples.ts";
import { mustRun } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { enterCommand } from "../sandbox/sandbox.ts";
import type { Benchmark, Measurement, Session } from "./benchmark.ts";
import { type LoadResult, startLoad, total } from "./load.ts";
import { assertServes, commitVersion, createProject, deployNow, installed, type SampleProject } from "./projects.ts";
import { prepareStage, type Stage } from "./stage.ts";

const deployments = 20;
const wantedRequests = 500_000;
/** Between two reloads of the control: about as far apart as deployments of a static project. */
const reloadPauseMs = 500;

export const downtimeBenchmark: Benchmark = {
  name: "downtime",
  what: `requests that fail while each family is deployed ${deployments} times, under as many requests as it takes`,
  comparedTo: `the same load while nginx is reloaded ${deployments} times: what a switch by reload costs, and proof that the load sees failures`,
  async run(session) {
    await ensurePackages(["wrk"], "the benchmark sends requests with it");
    const stage = await prepareStage(session);
    const projects: SampleProject[] = [];
    for (const kind of sampleKinds) projects.push(await createProject({ ...stage, kind }));
    for (const project of projects) await installed(stage.platform.client, project);

    const loads: [SampleProject, Loads][] = [];
    for (const project of projects) loads.push([project, await deployUnderLoad(session, stage, project)]);
    session.update("control: reloading nginx");
    const control = total(Object.values(await reloadUnderLoad(stage, projects[0] as SampleProject)));

    const all = total(loads.flatMap(([, counted]) => Object.values(counted)));
    const measurements = [...loads.flatMap(measurementsOf), ...summary(all, control)];
    return { measurements, failures: problemsOf(all, control) };
  },
};

/** What was counted with each kind of connections. */
interface Loads {
  kept: LoadResult;
  onePerRequest: LoadResult;
}

/** One load over all deployments, so that not a moment is left out. */
const deployUnderLoad = (session: Session, { platform, server, git }: Stage, project: SampleProject): Promise<Loads> =>
  underLoad(server.address, project, async () => {
    for (let at = 1; at <= deployments; at++) {
      session.update(`${project.kind}: deployment ${at} of ${deployments}`);
      const version = `2.0.${at}`;
      await commitVersion(git, project, version);
      await deployNow(platform.client, project);
      await assertServes(server.address, project, version);
    }
  });

const reloadUnderLoad = ({ server }: Stage, project: SampleProject): Promise<Loads> =>
  underLoad(server.address, project, async () => {
    const inside = await enterCommand(server.name);
    for (let at = 1; at <= deployments; at++) {
      await mustRun([...inside, "systemctl", "reload", "nginx"]);
      await pause(reloadPauseMs);
    }
  });

async function underLoad(address: string, { domain }: SampleProject, work: () => Promise<void>): Promise<Loads> {
  const target = { url: `http://${address}/`, host: domain, maxSeconds: 900, maxRequests: 50_000_000 };
  const kept = startLoad({ ...target, connections: "kept", concurrency: 16 });
  const onePerRequest = startLoad({ ...target, connections: "one-per-request", concurrency: 4 });
  try {
    await work();
  } finally {
    await Promise.allSettled([kept.stop(), onePerRequest.stop()]);
  }
  return { kept: await kept.ended, onePerRequest: await onePerRequest.ended };
}

function measurementsOf([{ kind }, { kept, onePerRequest }]: [SampleProject, Loads]): Measurement[] {
  const sent = (how: string, { requests, perSecond, latencyMs }: LoadResult): Measurement => ({
    what: `${kind}, ${how}: requests (${perSecond} a second, p99 ${latencyMs.p99.toFixed(0)} ms)`,
    unit: "requests",
    value: requests,
  });
  return [
    sent("kept connections", kept),
    sent("one connection each", onePerRequest),
    { what: `${kind}: failed`, unit: "failed", value: kept.failed + onePerRequest.failed },
  ];
}

function summary(all: LoadResult, control: LoadResult): Measurement[] {
  const to = `${deployments} reloads of nginx`;
  return [
    { what: "deployments", unit: "deployments", value: deployments * sampleKinds.length },
    { what: "all requests", unit: "requests", value: all.requests, compared: [{ to, value: control.requests }] },
    { what: "all failed", unit: "failed", value: all.failed, compared: [{ to, value: control.failed }] },
  ];
}

function problemsOf({ requests, failed, failures }: LoadResult, control: LoadResult): string[] {
  const problems: string[] = [];
  if (failed > 0) problems.push(`${failed} of ${requests} requests failed (${failures})`);
  if (requests < wantedRequests) problems.push(`Only ${requests} requests were sent: ${wantedRequests} are wanted`);
  if (control.requests === 0) problems.push("The control sent no requests");
  return problems;
}
