import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { candidateOf, unpackPackages } from "../sandbox/apps-mirror/debian.ts";
import { waitFor } from "../stage/api-client.ts";
import { freePort } from "../stage/free-port.ts";
import type { Session } from "./benchmark.ts";
import { cpuSecondsOf } from "./cpu.ts";
import { watchMemory } from "./memory.ts";

// The peer of HTTP checks: Prometheus's blackbox exporter, which checks a site each time it is asked to.

const suite = "bookworm";
const packageName = "prometheus-blackbox-exporter";

/** What it checks, each URL in its turn. */
interface Probes {
  urls: readonly string[];
  perSecond: number;
  seconds: number;
  timeoutSeconds: number;
  /** The authority and the name of the sites with TLS. */
  certificateFile: string;
  serverName: string;
}

export interface Probed {
  perSecond: number;
  failed: number;
  cpuPercent: number;
  megabytes: number;
}

/** Measures it alone; without `probed` if its package is not available. */
export async function measureExporter(session: Session, probes: Probes): Promise<{ note: string; probed?: Probed }> {
  session.update(`getting ${packageName}`);
  const directory = join(session.directory, "exporter");
  let version: string | undefined;
  try {
    await unpackPackages(suite, [packageName], directory);
    version = await candidateOf(suite, packageName);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { note: `Not compared to ${packageName}, which could not be downloaded: ${reason}` };
  }
  const exporter = await startExporter(session, directory, probes);
  session.update(`checks by ${packageName}`);
  const probed = await probeAll(exporter, probes);
  await exporter.stop();
  return {
    note: `${packageName} ${version} neither stores results nor decides what is down: Prometheus would come on top.`,
    probed,
  };
}

interface Exporter {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

async function startExporter(session: Session, directory: string, probes: Probes): Promise<Exporter> {
  const { timeoutSeconds, certificateFile, serverName } = probes;
  const http = {
    method: "GET",
    follow_redirects: false,
    preferred_ip_protocol: "ip4",
    tls_config: { ca_file: certificateFile, server_name: serverName },
  };
  const configFile = join(directory, "blackbox.yml");
  // JSON is YAML.
  await writeFile(
    configFile,
    JSON.stringify({ modules: { site: { prober: "http", timeout: `${timeoutSeconds}s`, http } } }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const flags = [`--config.file=${configFile}`, `--web.listen-address=${address}`];
  const child = spawn(join(directory, "usr/bin", packageName), flags, { stdio: "ignore" });
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  session.cleanUp(stop);
  const url = `http://${address}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/-/healthy`).then(
      ({ ok }) => ok,
      () => false,
    );
  await Promise.race([
    waitFor(`${packageName} to answer`, isReady, { timeoutMs: 30_000, intervalMs: 100 }),
    ended.then(([code]) => Promise.reject(new Error(`${packageName} ended with exit code ${code}`))),
  ]);
  return { url, pid: child.pid as number, stop };
}

/** Begins the probes at even intervals, even if earlier ones have not ended. */
async function probeAll({ url, pid }: Exporter, { urls, perSecond, seconds }: Probes): Promise<Probed> {
  const memory = watchMemory(pid);
  const cpuBefore = await cpuSecondsOf(pid);
  const startedAt = performance.now();
  const probes: Promise<boolean>[] = [];
  while (probes.length < perSecond * seconds) {
    const target = urls[probes.length % urls.length] as string;
    probes.push(probe(`${url}/probe?module=site&target=${encodeURIComponent(target)}`));
    await pause(Math.max(0, startedAt + (1_000 * probes.length) / perSecond - performance.now()));
  }
  const passed = (await Promise.all(probes)).filter((isUp) => isUp).length;
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  return {
    perSecond: Math.round(probes.length / tookSeconds),
    failed: probes.length - passed,
    cpuPercent: (100 * ((await cpuSecondsOf(pid)) - cpuBefore)) / tookSeconds,
    megabytes: memory.stop().most,
  };
}

const probe = (url: string): Promise<boolean> =>
  fetch(url)
    .then(async (response) => /^probe_success 1$/m.test(await response.text()))
    .catch(() => false);
