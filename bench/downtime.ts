import { sampleKinds } from "../demo/samples.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import type { Benchmark, Measurement, Session } from "./benchmark.ts";
import { type LoadResult, startLoad, total } from "./load.ts";
import { assertServes, commitVersion, createProject, deployNow, installed, type SampleProject } from "./projects.ts";
import { prepareStage, type Stage } from "./stage.ts";

const deployments = 20;
const wantedRequests = 500_000;

export const downtimeBenchmark: Benchmark = {
  name: "downtime",
  what: `requests that fail while each family is deployed ${deployments} times, under as many requests as it takes`,
  comparedTo: "no failed request",
  async run(session) {
    await ensurePackages(["wrk"], "the benchmark sends requests with it");
    const stage = await prepareStage(session);
    const measurements: Measurement[] = [];
    const loads: LoadResult[] = [];
    for (const kind of sampleKinds) {
      const project = await createProject({ ...stage, kind });
      await installed(stage.platform.client, project);
      const load = await deployUnderLoad(session, stage, project);
      loads.push(load);
      measurements.push(
        {
          what: `${kind}: requests, ${load.perSecond} a second, p99 ${load.latencyMs.p99} ms`,
          unit: "requests",
          value: load.requests,
        },
        { what: `${kind}: failed`, unit: "failed", value: load.failed },
      );
    }
    const { requests, failed, failures } = total(loads);
    measurements.push(
      { what: "deployments", unit: "deployments", value: deployments * sampleKinds.length },
      { what: "all requests", unit: "requests", value: requests },
      { what: "all failed", unit: "failed", value: failed },
    );
    return { measurements, failures: problemsOf(requests, failed, failures) };
  },
};

function problemsOf(requests: number, failed: number, failures: string): string[] {
  const problems: string[] = [];
  if (failed > 0) problems.push(`${failed} of ${requests} requests failed (${failures})`);
  if (requests < wantedRequests) problems.push(`Only ${requests} requests were sent: ${wantedRequests} are wanted`);
  return problems;
}

/** One load over all deployments, so that not a moment is left out. */
async function deployUnderLoad(
  session: Session,
  { platform, server, git }: Stage,
  project: SampleProject,
): Promise<LoadResult> {
  const target = { url: `http://${server.address}/`, host: project.domain, maxSeconds: 900, maxRequests: 50_000_000 };
  const loads = [
    startLoad({ ...target, connections: "kept", concurrency: 16 }),
    startLoad({ ...target, connections: "one-per-request", concurrency: 4 }),
  ];
  try {
    for (let at = 1; at <= deployments; at++) {
      session.update(`${project.kind}: deployment ${at} of ${deployments}`);
      const version = `2.0.${at}`;
      await commitVersion(git, project, version);
      await deployNow(platform.client, project);
      await assertServes(server.address, project, version);
    }
  } finally {
    await Promise.allSettled(loads.map((load) => load.stop()));
  }
  return total(await Promise.all(loads.map((load) => load.ended)));
}
