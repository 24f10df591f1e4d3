import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CertificateAnswer } from "../contract/types.ts";
import { mustRun } from "../sandbox/command.ts";
import { enterCommand } from "../sandbox/sandbox.ts";
import { type Authority, environmentOf, startAuthority } from "../stage/pebble.ts";
import { createProject, installed, primaryDomain, type SampleProject } from "../stage/projects.ts";
import { type SecureVisits, shownCertificate, startSecureVisitors } from "../stage/secure-visitors.ts";
import { bareClient } from "./bare-acme.ts";
import { type Benchmark, type Measurement, median, type Result, type Session, secondsOf } from "./benchmark.ts";
import { prepareStage, type Stage } from "./stage.ts";

const orders = 7;
const rounds = 5;
/** In each round a name is added, a certificate issued, one renewed, and the name made to redirect. */
const changes = rounds * 4;
const allowedSeconds = 1.5;
const reloadPauseMs = 500;
const nginxLog = "/var/log/nginx/error.log";

export const certificatesBenchmark: Benchmark = {
  name: "certificates",
  what: `how long a certificate takes from the request until it is served, and what ${changes} changes of certificates and names cost visitors`,
  comparedTo: `a bare script around acme-client that only gets the certificate; nginx reloaded ${changes} times under the same visitors`,
  async run(session) {
    const authority = await startAuthority({ directory: join(session.directory, "authority") });
    session.cleanUp(authority.close);
    const limits = { LONGSHORE_ACME_SAME_NAMES_LIMIT: "0", LONGSHORE_ACME_DOMAIN_LIMIT: "0" };
    const stage = await prepareStage(session, { ...environmentOf(authority), ...limits });
    await authority.pointAll(stage.server.address);
    const project = await createProject({ ...stage, kind: "static" });
    await installed(stage.platform.client, project);
    await logReloads(stage);
    const speed = await measureSpeed(session, stage, authority, project);
    const changed = await changeUnderVisitors(session, stage, project);
    session.update("control: reloading nginx");
    const control = await reloadUnderVisitors(stage, project);
    return resultOf(speed, changed, control);
  },
};

// How long -----------------------------------------------------------------------------------------------------------------

interface Speed {
  ours: number[];
  bare: number[];
}

async function measureSpeed(
  session: Session,
  stage: Stage,
  authority: Authority,
  project: SampleProject,
): Promise<Speed> {
  const trusted = await readFile(authority.trustFile, "utf8");
  const bare = await bareClient({
    directoryUrl: authority.directoryUrl,
    trusted,
    server: stage.server.name,
    name: project.domain,
  });
  // The first one makes the account.
  await issue(stage, project);
  await bare();
  const speed: Speed = { ours: [], bare: [] };
  for (let at = 1; at <= orders; at++) {
    session.update(`certificate ${at} of ${orders}`);
    speed.ours.push(await secondsOf(() => issue(stage, project)));
    speed.bare.push(await secondsOf(bare));
  }
  return speed;
}

/** Orders, and verifies the response. */
async function issue(stage: Stage, project: SampleProject): Promise<void> {
  const before = await fingerprintOf(stage, project.domain);
  await assertNew(stage, project, before, await order(stage, project));
}

const order = async ({ platform: { client } }: Stage, { id }: SampleProject): Promise<CertificateAnswer> =>
  client("POST /api/v1/certificates", { body: { project_id: id, domain_id: await primaryDomain(client, id) } });

/** An order waits for the order that a change of names has begun automatically. */
async function issueFor(stage: Stage, project: SampleProject, names: readonly string[]): Promise<void> {
  const { status, message } = await order(stage, project);
  if (status !== "success") throw new Error(`The certificate was not issued: ${message}`);
  const certificate = await shownCertificate(stage.server.address, project.domain);
  const missing = names.filter((name) => !certificate?.checkHost(name));
  if (missing.length > 0) throw new Error(`Visitors are shown a certificate without ${missing.join(", ")}`);
}

async function renew(stage: Stage, project: SampleProject): Promise<void> {
  const { client } = stage.platform;
  const before = await fingerprintOf(stage, project.domain);
  const params = { projectId: project.id };
  const [certificate] = await client("GET /api/v1/projects/{projectId}/certificates", { params });
  if (certificate === undefined) throw new Error(`${project.domain} has no certificate`);
  const renewed = await client("POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew", {
    params: { ...params, certificateId: certificate.id },
  });
  await assertNew(stage, project, before, renewed);
}

async function assertNew(
  stage: Stage,
  { domain }: SampleProject,
  before: string | undefined,
  { status, message }: CertificateAnswer,
): Promise<void> {
  if (status !== "success") throw new Error(`The certificate was not issued: ${message}`);
  const now = await fingerprintOf(stage, domain);
  if (now === undefined || now === before) throw new Error("Visitors are not shown the new certificate");
}

const fingerprintOf = async ({ server }: Stage, name: string): Promise<string | undefined> =>
  (await shownCertificate(server.address, name))?.fingerprint256;

// What visitors notice -------------------------------------------------------------------------------------------------------

const nameOf = (round: number): string => `extra-${round}.example.test`;
const namesOf = (project: SampleProject): string[] => [
  project.domain,
  ...Array.from({ length: rounds }, (_, at) => nameOf(at + 1)),
];

/** Each round: a name is added, the certificate is issued and renewed, and the name is made to redirect. */
async function changeUnderVisitors(session: Session, stage: Stage, project: SampleProject): Promise<Visited> {
  const names = namesOf(project);
  const { client } = stage.platform;
  return underVisitors(stage, project, async () => {
    for (let round = 1; round <= rounds; round++) {
      session.update(`changes under visitors: round ${round} of ${rounds}`);
      const { domain } = await client("POST /api/v1/projects/{id}/domains", {
        params: { id: project.id },
        body: { domain: nameOf(round) },
      });
      await issueFor(stage, project, names.slice(0, round + 1));
      await renew(stage, project);
      await client("PUT /api/v1/projects/{projectId}/domains/{domainId}/redirect", {
        params: { projectId: project.id, domainId: domain.id },
        body: { redirect_to: `https://${project.domain}`, redirect_status_code: 301 },
      });
    }
  });
}

const reloadUnderVisitors = (stage: Stage, project: SampleProject): Promise<Visited> =>
  underVisitors(stage, project, async () => {
    const inside = await enterCommand(stage.server.name);
    for (let at = 1; at <= changes; at++) {
      await mustRun([...inside, "systemctl", "reload", "nginx"]);
      await pause(reloadPauseMs);
    }
  });

interface Visited extends SecureVisits {
  reloads: number;
}

async function underVisitors(stage: Stage, project: SampleProject, work: () => Promise<void>): Promise<Visited> {
  const before = await countReloads(stage);
  const stop = startSecureVisitors({ address: stage.server.address, name: project.domain, names: namesOf(project) });
  try {
    await work();
  } finally {
    await stop();
  }
  return { ...(await stop()), reloads: (await countReloads(stage)) - before };
}

// The platform signals nginx itself, so that systemd does not know of its reloads. nginx logs them as notices.
async function logReloads({ server }: Stage): Promise<void> {
  const inside = await enterCommand(server.name);
  await mustRun([...inside, "sed", "-i", `s|^error_log .*|error_log ${nginxLog} notice;|`, "/etc/nginx/nginx.conf"]);
  await mustRun([...inside, "systemctl", "reload", "nginx"]);
}

async function countReloads({ server }: Stage): Promise<number> {
  const inside = await enterCommand(server.name);
  const log = await mustRun([...inside, "cat", nginxLog]);
  return log.split("\n").filter((line) => /signal 1 \(SIGHUP\).*, reconfiguring$/.test(line)).length;
}

function resultOf(speed: Speed, changed: Visited, control: Visited): Result {
  const to = `${changes} reloads of nginx`;
  const lost = (of: "onePerRequest" | "kept", how: string): Measurement[] => [
    {
      what: `${how}: requests`,
      unit: "requests",
      value: changed[of].requests,
      compared: [{ to, value: control[of].requests }],
    },
    {
      what: `${how}: failed`,
      unit: "failed",
      value: changed[of].failed,
      compared: [{ to, value: control[of].failed }],
    },
  ];
  const bare = { to: "bare acme-client, nothing installed", value: median(speed.bare) };
  const measurements: Measurement[] = [
    { what: "request to served, median", unit: "s", value: median(speed.ours), compared: [bare] },
    { what: "request to served, slowest", unit: "s", value: Math.max(...speed.ours) },
    {
      what: `reloads of nginx by ${changes} changes`,
      unit: "reloads",
      value: changed.reloads,
      compared: [{ to, value: control.reloads }],
    },
    ...lost("onePerRequest", "a connection each"),
    ...lost("kept", "kept connections"),
    { what: "looks at certificates", unit: "requests", value: changed.looks.requests },
    { what: "looks that saw another name's", unit: "failed", value: changed.looks.failed },
  ];
  return { measurements, failures: problemsOf(speed, changed) };
}

// Losses of kept connections by a reload are counted and reported: nginx before 1.27.4 closes idle ones at once.
function problemsOf({ ours }: Speed, { onePerRequest, looks }: SecureVisits): string[] {
  const problems: string[] = [];
  if (median(ours) > allowedSeconds)
    problems.push(`A certificate takes ${median(ours).toFixed(2)} s: ${allowedSeconds} are allowed`);
  for (const [what, { failed, requests, examples }] of Object.entries({ onePerRequest, looks })) {
    if (failed > 0) problems.push(`${what}: ${failed} of ${requests} failed (${examples.join("; ")})`);
  }
  return problems;
}
