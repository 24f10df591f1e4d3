import { ensurePackages } from "../sandbox/packages.ts";
import { execOn, type SandboxServer } from "../sandbox/sandbox.ts";
import { waitFor } from "../stage/api-client.ts";
import { createProject, deployNow, installed, visit } from "../stage/projects.ts";
import { filesOfVersion, versionIn } from "../stage/samples.ts";
import { type Benchmark, type Measurement, median } from "./benchmark.ts";
import { deployByScript } from "./script.ts";
import { prepareStage, type Stage } from "./stage.ts";

const rounds = 9;

/** One way to deploy the same commits of the same repository to the same server. */
interface Way {
  name: string;
  domain: string;
  deploy(): Promise<unknown>;
  /** Seconds of each round. */
  untilServed: number[];
  untilDone: number[];
}

export const deployBenchmark: Benchmark = {
  name: "deploy",
  what: `a static project without a build, from the request until visitors get it; median of ${rounds} rounds in turn`,
  comparedTo: "a shell script over SSH: fetch, export, replace a link, prune",
  async run(session) {
    await ensurePackages(["openssh-client"], "the benchmark compares with it");
    const stage = await prepareStage(session);
    session.update("preparing the ways to deploy");
    const ways = [await throughApi(stage), await byScript(stage)];
    // One round that does not count: first clones, first connections.
    for (let round = 0; round <= rounds; round++) {
      session.update(`round ${round} of ${rounds}`);
      await playRound(stage, ways, round);
    }
    return {
      measurements: [
        compare(ways, "until it is served", "untilServed"),
        compare(ways, "until it is reported as done", "untilDone"),
      ],
      failures: [],
    };
  },
};

/** All ways deploy the same commit; the first one changes from round to round. */
async function playRound({ git, server }: Stage, ways: readonly Way[], round: number): Promise<void> {
  const version = `3.0.${round}`;
  await git.commit("static", { files: await filesOfVersion("static", version) });
  const turn = round % ways.length;
  for (const way of [...ways.slice(turn), ...ways.slice(0, turn)]) {
    const startedAt = performance.now();
    const since = (): number => (performance.now() - startedAt) / 1000;
    const served = waitUntilServed(server, way.domain, version).then(since);
    const done = way.deploy().then(since);
    const times = await Promise.all([served, done]);
    if (round === 0) continue;
    way.untilServed.push(times[0]);
    way.untilDone.push(times[1]);
  }
}

const waitUntilServed = (server: SandboxServer, domain: string, version: string): Promise<true> =>
  waitFor(
    `${domain} to serve version ${version}`,
    async () => versionIn((await visit({ address: server.address, host: domain })).body) === version || undefined,
    { timeoutMs: 120_000, intervalMs: 10 },
  );

function compare([ours, ...others]: readonly Way[], what: string, times: "untilServed" | "untilDone"): Measurement {
  const compared = others.map((way) => ({ to: way.name, value: median(way[times]) }));
  return { what, unit: "s", value: median(ours?.[times] ?? []), compared };
}

async function throughApi(stage: Stage): Promise<Way> {
  const { client } = stage.platform;
  // The script writes no environment either, and nothing is built.
  const project = await createProject({ ...stage, kind: "static", environment: "" });
  await installed(client, project);
  return way("Longshore", project.domain, () => deployNow(client, project));
}

async function byScript({ server, git }: Stage): Promise<Way> {
  const root = await prepareSite(server, "script");
  return way("shell script over SSH", "script.localhost", () => deployByScript(server, git.urlOf("static"), root));
}

const way = (name: string, domain: string, deploy: () => Promise<unknown>): Way => ({
  name,
  domain,
  deploy,
  untilServed: [],
  untilDone: [],
});

/** A site of the server's nginx for the script, as plain as it can be; resolves with its folder. */
async function prepareSite(server: SandboxServer, name: string): Promise<string> {
  const root = `/srv/${name}`;
  const site = `server { listen 80; server_name ${name}.localhost; root ${root}/current; }\n`;
  const script = `mkdir -p ${root} && cat > /etc/nginx/sites-enabled/${name}.conf && nginx -t && systemctl reload nginx`;
  const { exitCode, stderr } = await execOn(server.name, ["bash", "-c", script], { input: site });
  if (exitCode !== 0) throw new Error(`nginx refused the site ${name}: ${stderr}`);
  return root;
}
