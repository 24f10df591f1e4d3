import { join } from "node:path";
import { mustRun } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { enterCommand } from "../sandbox/sandbox.ts";
import {
  type Application,
  deployNow,
  install,
  type Place,
  release,
  rollBack,
} from "../stage/applications/application.ts";
import { applications, chosen, viteReact } from "../stage/applications/list.ts";
import { pageVisits, startVisitors } from "../stage/applications/site.ts";
import { wordpress } from "../stage/applications/wordpress.ts";
import { startLoad, total } from "../stage/load.ts";
import type { Stage } from "../stage/support.ts";
import { type Benchmark, type Measurement, median, type Result, type Session, secondsOf } from "./benchmark.ts";
import { prepareStage } from "./stage.ts";
import { lagsOf } from "./streams.ts";

/** The limits, on two cores. */
const bars = { nextPercent: 60, viteSeconds: 3, diskMb: 700, failed: 0, streamMs: 50 };
const releasesOnDisk = 5;

export const applicationsBenchmark: Benchmark = {
  name: "applications",
  what: "real applications: how long a second deployment takes, what five releases need on disk, requests that fail while releases are switched, and how late streams are",
  comparedTo: "the first deployment, and the bars that are set",
  async run(session) {
    await ensurePackages(["wrk"], "the benchmark sends requests with it");
    const stage = await openStage(session);
    const next = await measureNext(session, stage);
    const scenes: Scene[] = [];
    for (const application of chosen) {
      session.update(`${application.name}: the first deployment`);
      scenes.push(await begin(stage, application));
    }
    const vite = scenes.find(({ application }) => application === viteReact) as Scene;
    const measured = [...next, await measureVite(session, vite)];
    const switches = await measureSwitches(session, scenes);
    const streams = await measureStreams(session, stage, scenes);
    const measurements = [...measured, ...switches.measurements, ...streams];
    return { ...switches, measurements, failures: [...switches.failures, ...overTheirBars(measurements)] };
  },
};

async function openStage(session: Session): Promise<Stage> {
  const stage = await prepareStage(session);
  const { directory } = session;
  const bash = async (script: string): Promise<string> => {
    const enter = await enterCommand(stage.server.name);
    return (await mustRun([...enter, "bash", "-euo", "pipefail", "-c", script])).trim();
  };
  const { client } = stage.platform;
  // The session closes everything.
  return { ...stage, client, gitRoot: join(directory, "git"), directory, bash, close: async () => {} };
}

const bar = "bar";

const overTheirBars = (measurements: readonly Measurement[]): string[] =>
  measurements.flatMap(({ what, unit, value, compared = [] }) => {
    const highest = compared.find(({ to }) => to === bar)?.value;
    return highest !== undefined && value > highest
      ? [`${what}: ${Number(value.toFixed(1))} ${unit}, more than ${highest}`]
      : [];
  });

interface Scene {
  application: Application;
  place: Place;
  /** The deployment that is live. */
  live: number;
  /** Seconds of the first deployment, with the project that is made for it. */
  seconds: number;
}

async function begin(stage: Stage, application: Application): Promise<Scene> {
  const startedAt = performance.now();
  const { place, first: live } = await install(stage, application);
  const seconds = (performance.now() - startedAt) / 1000;
  await application.setUp?.(place);
  return { application, place, live, seconds };
}

let releases = 1;

/** A text of one digit, as the pages' readers expect it. */
const nextRelease = (): string => `release-${1 + (releases++ % 9)}`;

async function measureVite(session: Session, scene: Scene): Promise<Measurement> {
  const seconds: number[] = [];
  const rounds = session.quick ? 1 : 5;
  for (let round = 1; round <= rounds; round++) {
    session.update(`Vite: deployment ${round} of ${rounds}`);
    const took = await secondsOf(async () => {
      scene.live = await release(scene.place, scene.application, nextRelease());
    });
    seconds.push(took);
  }
  return {
    what: "Vite SPA: a deployment",
    unit: "s",
    value: median(seconds),
    compared: [
      { to: "the first one", value: scene.seconds },
      { to: bar, value: bars.viteSeconds },
    ],
  };
}

/** Each deployment changes one page; there are as many releases in the end as are kept. */
async function measureNext(session: Session, stage: Stage): Promise<Measurement[]> {
  session.update("Next.js: the first deployment");
  const { application, place, seconds: first } = await begin(stage, applications.next);
  const seconds: number[] = [];
  for (let count = 2; count <= releasesOnDisk; count++) {
    session.update(`Next.js: deployment ${count} of ${releasesOnDisk}`);
    const page = `export default function About() {\n  return <h1>About release-${count}</h1>;\n}\n`;
    await stage.git.commit(application.name, { files: { "app/about/page.js": page } });
    seconds.push(await secondsOf(() => deployNow(place)));
  }
  const second = median(seconds);
  const kilobytes = Number(await stage.bash(`du -sk ${place.project.home} | cut -f 1`));
  const percent = { to: bar, value: bars.nextPercent };
  return [
    { what: "Next.js: one page changed", unit: "s", value: second, compared: [{ to: "the first one", value: first }] },
    { what: "Next.js: of the first deployment", unit: "%", value: (100 * second) / first, compared: [percent] },
    {
      what: `Next.js: disk of ${releasesOnDisk} releases`,
      unit: "MB",
      value: kilobytes / 1024,
      compared: [{ to: bar, value: bars.diskMb }],
    },
  ];
}

/** How late nginx passes on what an application streams: the slowest part that any reader got. */
async function measureStreams(session: Session, stage: Stage, scenes: readonly Scene[]): Promise<Measurement[]> {
  session.update("php: the first deployment");
  const php = await begin(stage, applications.php);
  const node = scenes.find(({ application }) => application.name === "edge") as Scene;
  const measurements: Measurement[] = [];
  for (const { application, place } of [node, php]) {
    session.update(`${application.name}: streams`);
    const lags = await lagsOf(place, session.quick ? 1 : 5);
    measurements.push(
      { what: `${application.name}: a part of a stream, median`, unit: "ms", value: median(lags) },
      {
        what: `${application.name}: the latest of ${lags.length} parts`,
        unit: "ms",
        value: Math.max(...lags),
        compared: [{ to: bar, value: bars.streamMs }],
      },
    );
  }
  return measurements;
}

interface Counted {
  switches: number;
  /** Page requests, as fast as possible. */
  requests: number;
  /** Slow requests: uploads, streams, slow responses, and pages read to their end. */
  visits: number;
  failed: number;
  failures: string[];
}

/** Switches releases of the applications in turn, until there are enough requests. */
async function measureSwitches(session: Session, scenes: readonly Scene[]): Promise<Result> {
  const wanted = session.quick ? 20_000 : 1_000_000;
  const counted = new Map(scenes.map((scene): [Scene, Counted] => [scene, { ...nothing, failures: [] }]));
  const sum = (of: "requests" | "visits" | "failed"): number =>
    [...counted.values()].reduce((all, each) => all + each[of], 0);
  for (let round = 1; round === 1 || sum("requests") < wanted; round++) {
    for (const [scene, counts] of counted) {
      session.update(`${scene.application.name}: round ${round}, ${sum("requests").toLocaleString("en-US")} requests`);
      await switchUnderLoad(scene, counts);
    }
  }
  const number = (value: number): string => value.toLocaleString("en-US");
  const rows = [...counted].map(([{ application }, { switches, requests, visits, failed }]) => [
    application.name,
    ...[switches, requests, visits, failed].map(number),
  ]);
  return {
    table: { head: ["Application", "Switches", "Requests", "Slow visits", "Failed"], rows },
    measurements: [
      { what: "requests while releases were switched", unit: "requests", value: sum("requests") + sum("visits") },
      {
        what: "requests among them",
        unit: "failed",
        value: sum("failed"),
        compared: [{ to: bar, value: bars.failed }],
      },
    ],
    failures: [...counted].flatMap(([{ application }, { failures }]) =>
      failures.slice(0, 5).map((failure) => `${application.name}: ${failure}`),
    ),
  };
}

const nothing: Omit<Counted, "failures"> = { switches: 0, requests: 0, visits: 0, failed: 0 };

/** A deployment and the rollback of it. */
async function switchUnderLoad(scene: Scene, counts: Counted): Promise<void> {
  const { place, application } = scene;
  const limits = { maxSeconds: 900, maxRequests: 50_000_000 };
  const target = { url: `http://${place.address}${place.pages[0]}`, host: place.domain, wanted: "release-", ...limits };
  // A WordPress page takes a core for a tenth of a second: with more requests the queue would grow beyond the timeout.
  const [kept, single] = application === wordpress ? [2, 1] : [16, 4];
  const loads = [
    startLoad({ ...target, connections: "kept", concurrency: kept }),
    startLoad({ ...target, connections: "one-per-request", concurrency: single }),
  ];
  const visitors = startVisitors(place, [...pageVisits(place), ...(application.visits ?? [])]);
  try {
    const former = scene.live;
    await release(place, application, nextRelease());
    scene.live = await rollBack(place, former);
  } finally {
    await Promise.allSettled([visitors.stop(), ...loads.map((load) => load.stop())]);
  }
  const { requests, failed, failures } = total(await Promise.all(loads.map((load) => load.ended)));
  const { visits, wrong } = await visitors.stop();
  counts.switches += 2;
  counts.requests += requests;
  counts.visits += visits;
  counts.failed += failed + wrong.length;
  counts.failures.push(...(failed > 0 ? [failures] : []), ...wrong);
}
