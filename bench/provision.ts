import { execOn, type SandboxServer } from "../sandbox/sandbox.ts";
import { addServer, setupSuccess } from "../stage/fixture.ts";
import { type Benchmark, secondsOf } from "./benchmark.ts";
import { bootServer, startPlatformFor } from "./stage.ts";

export const provisionBenchmark: Benchmark = {
  name: "provision",
  what: "a fresh server from its registration to provisioned: packages, and all configuration",
  comparedTo: "apt-get installing the same packages on an identical fresh server, and nothing else",
  async run(session) {
    session.update("starting two fresh servers and the platform");
    const ours = await bootServer(session, "ours");
    const bare = await bootServer(session, "bare");
    const platform = await startPlatformFor(session, ours);

    session.update("provisioning");
    const packagesBefore = await packagesOf(ours);
    let steps = 0;
    // First, so that warm caches on the way favour the alternative.
    const seconds = await secondsOf(async () => {
      const serverId = await addServer(platform, ours);
      steps = (await setupSuccess(platform.client, serverId)).summary.total;
    });
    const added = (await packagesOf(ours)).filter((name) => !packagesBefore.includes(name));

    session.update(`installing the same ${added.length} packages with apt-get`);
    const aptSeconds = await secondsOf(() => install(bare, added));
    const what = `${added.length} packages, ${steps} steps`;
    return {
      measurements: [{ what, unit: "s", value: seconds, compared: [{ to: "apt-get install", value: aptSeconds }] }],
      failures: [],
    };
  },
};

async function packagesOf(server: SandboxServer): Promise<string[]> {
  const { stdout } = await execOn(server.name, ["dpkg-query", "-W", "-f=$" + "{binary:Package}\\n"]);
  return stdout.split("\n").filter(Boolean);
}

async function install(server: SandboxServer, packages: readonly string[]): Promise<void> {
  const words = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"];
  for (const command of [["update"], ["install", "--yes", "--no-install-recommends", ...packages]]) {
    const { exitCode, stderr } = await execOn(server.name, [...words, ...command]);
    if (exitCode !== 0) throw new Error(`apt-get ${command[0]} failed: ${stderr}`);
  }
}
