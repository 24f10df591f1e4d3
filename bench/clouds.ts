import { bodyOf, connectTo, withFakes } from "../src/features/cloud-servers/tests/fakes.ts";
import { ordersOf, startWorker } from "../src/features/cloud-servers/tests/support.ts";
import { type CloudType, cloudTypes } from "../src/features/servers/schema.ts";
import { openStage, type Stage } from "../src/features/servers/tests/support.ts";
import { call } from "../src/http/tests/support.ts";
import { pollUntil } from "../src/lib/clock.ts";
import { type Benchmark, type Measurement, median, type Session, secondsOf } from "./benchmark.ts";

const mostOwnSeconds = 2;
const mostCachedMs = 20;
// As the providers count them, during the benchmark.
const limitPerMinute: Record<CloudType, number> = { cloud_a: 3_600, cloud_b: 1_200, cloud_c: 250 };

type Fakes = Awaited<ReturnType<typeof withFakes>>;

export const cloudsBenchmark: Benchmark = {
  name: "clouds",
  what:
    "ordering servers from fakes of the providers that answer at once, with machines that are up at once: what is left is " +
    "Longshore's own share",
  comparedTo: "the provider's catalogue read each time it is asked for",
  async run(session) {
    const stage = await openStage();
    const fakes = await withFakes(stage, { looksUntilRunning: 0 });
    fakes.clouds.b.addressLimit = 10_000;
    const worker = await startWorker(stage.ctx);
    session.cleanUp(async () => {
      await worker.stop();
      await fakes.clouds.close();
      await stage.close();
    });
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    for (const type of cloudTypes) {
      session.update(`one order of ${type}`);
      const seconds = await ownShare(stage, type, session);
      measurements.push({
        what: `${type}: an order, from the request to the setup, median`,
        unit: "s",
        value: seconds,
      });
      if (seconds > mostOwnSeconds) failures.push(`An order of ${type} takes ${seconds.toFixed(2)} s of our own`);
      session.update(`the options of ${type}`);
      const { cached, fresh } = await options(stage, type);
      measurements.push({
        what: `${type}: options of a location, from the cache, median`,
        unit: "ms",
        value: cached,
        compared: [{ to: "read from the provider", value: fresh }],
      });
      if (cached > mostCachedMs) failures.push(`The options of ${type} take ${cached.toFixed(0)} ms from the cache`);
    }
    for (const type of cloudTypes) {
      const count = session.quick ? 10 : 100;
      session.update(`${count} orders of ${type} at once`);
      const { seconds, failed, perMinute } = await manyAtOnce(stage, fakes, type, count);
      measurements.push(
        { what: `${type}: ${count} orders at once, until all are up`, unit: "s", value: seconds },
        {
          what: `${type}: calls in the busiest minute`,
          unit: "requests",
          value: perMinute,
          compared: [{ to: "the provider's limit", value: limitPerMinute[type] }],
        },
        { what: `${type}: orders that did not succeed`, unit: "failed", value: failed },
      );
      if (failed > 0) failures.push(`${failed} orders of ${type} failed`);
      if (perMinute > limitPerMinute[type]) failures.push(`${type} was called ${perMinute} times in a minute`);
    }
    return { measurements, failures };
  },
};

async function place(stage: Stage, type: CloudType, providerId: number): Promise<void> {
  const body = bodyOf(type, providerId);
  const reply = await call(stage.app, "POST /api/v1/servers", { token: stage.cast.alice, body });
  if (reply.status !== 202) throw new Error(reply.text);
}

async function allActive(stage: Stage, timeoutMs: number): Promise<void> {
  const isOver = async () =>
    (await ordersOf(stage)).every(({ state }) => state !== "ordering" && state !== "refunding");
  if (!(await pollUntil(isOver, { timeoutMs, everyMs: 10 }))) throw new Error("Orders did not end in time.");
}

async function ownShare(stage: Stage, type: CloudType, { quick }: Session): Promise<number> {
  const providerId = await connectTo(stage, type);
  const took: number[] = [];
  for (let round = 0; round < (quick ? 2 : 7); round++) {
    await stage.pool.query("delete from server_orders");
    took.push(
      await secondsOf(async () => {
        await place(stage, type, providerId);
        await allActive(stage, 120_000);
      }),
    );
  }
  return median(took);
}

const locations: Record<CloudType, string> = { cloud_a: "fsn1", cloud_b: "eu-central-1", cloud_c: "fra1" };

async function options(stage: Stage, type: CloudType): Promise<{ cached: number; fresh: number }> {
  const providerId = await connectTo(stage, type);
  const path = `GET /api/v1/server-providers/${providerId}/options?location=${locations[type]}`;
  const ask = async () => {
    const reply = await call(stage.app, path, { token: stage.cast.alice });
    if (reply.status !== 200) throw new Error(reply.text);
  };
  const fresh = 1_000 * (await secondsOf(ask));
  const cached: number[] = [];
  for (let round = 0; round < 50; round++) cached.push(1_000 * (await secondsOf(ask)));
  return { cached: median(cached), fresh };
}

async function manyAtOnce(stage: Stage, { clouds }: Fakes, type: CloudType, count: number) {
  await stage.pool.query("delete from server_orders");
  const providerId = await connectTo(stage, type);
  const fake = clouds[type.slice(-1) as "a" | "b" | "c"];
  const times: number[] = [];
  let seen = fake.requests.length;
  const watch = setInterval(() => {
    for (; seen < fake.requests.length; seen++) times.push(performance.now());
  }, 50);
  const seconds = await secondsOf(async () => {
    await Promise.all(Array.from({ length: count }, () => place(stage, type, providerId)));
    await allActive(stage, 1_200_000);
  });
  clearInterval(watch);
  const failed = (await ordersOf(stage)).filter(({ state }) => state !== "active").length;
  return { seconds, failed, perMinute: busiestMinute(times) };
}

/** The most that fell into any 60 seconds. */
function busiestMinute(times: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [at, time] of times.entries()) {
    while (time - (times[from] as number) > 60_000) from++;
    most = Math.max(most, at - from + 1);
  }
  return most;
}
