import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { BalancedServer, DeploymentReply } from "../../contract/types.ts";
import { mustRun } from "../../sandbox/command.ts";
import { downServer, enterCommand, type SandboxServer } from "../../sandbox/sandbox.ts";
import { deploy, waitFor } from "../../stage/api-client.ts";
import { provisionedServer } from "../../stage/fixture.ts";
import { endOf, type Project, type Stage, waiting } from "../../stage/support.ts";

// Shared by the tests of load balancers: further servers, what a load balancer reports about a project, and visitors.

export interface Place {
  server: SandboxServer;
  id: number;
  bash(script: string): Promise<string>;
  down(): Promise<void>;
}

/** The server that every stage has. */
export const stagePlace = ({ server, serverId: id, bash }: Stage): Place => ({
  server,
  id,
  bash,
  down: async () => {},
});

/** An additional server of the stage's platform. */
export async function openPlace(stage: Stage, role: string, more: object = {}): Promise<Place> {
  const name = `${stage.server.name}-${role}`;
  const { server, serverId } = await provisionedServer(stage.platform, name, more);
  const bash = async (script: string) => {
    const enter = await enterCommand(name);
    return (await mustRun([...enter, "bash", "-euo", "pipefail", "-c", script])).trim();
  };
  return { server, id: serverId, bash, down: () => downServer(name) };
}

export const nodesOf = async (
  { client }: Pick<Stage, "client">,
  { id }: Pick<Project, "id">,
): Promise<BalancedServer[]> =>
  (await client("GET /api/v1/projects/{id}/load-balancer", { params: { id } })).data.nodes;

/** `wanted`: the states of the project's servers, its own first, separated by blanks. */
export const untilStates = (stage: Stage, project: Project, wanted: string) =>
  waitFor(
    `the servers of ${project.name} to be ${wanted}`,
    async () => (await nodesOf(stage, project)).map(({ state }) => state).join(" ") === wanted,
    waiting,
  );

/** Adds these servers to the project's own; resolves with the deployments that install it there. */
export async function balance(stage: Stage, { id }: Project, front: Place, further: readonly Place[]) {
  const body = { load_balancer_id: front.id, server_ids: further.map((place) => place.id) };
  return (await stage.client("PUT /api/v1/projects/{id}/load-balancer", { params: { id }, body })).deployment_ids;
}

/** Deploys the project on all of its servers; resolves when the last deployment has succeeded. */
export async function roll(stage: Stage, project: Project): Promise<DeploymentReply[]> {
  const first = await deploy(stage.client, project.id);
  const ends = [await succeeded(stage, first)];
  for (const { server_id: serverId } of (await nodesOf(stage, project)).slice(1)) {
    ends.push(await carried(stage, project, first, serverId));
  }
  return ends;
}

/** The end of the deployment that continues another one on a server; it has to succeed. */
export async function carried(
  stage: Stage,
  { id }: Project,
  deployment: number,
  serverId: number,
): Promise<DeploymentReply> {
  const found = await waitFor(
    "the next server's deployment",
    async () => {
      const { data } = await stage.client("GET /api/v1/projects/{id}/deployments", { params: { id } });
      return data.find((each) => each.rolling_of === deployment && each.server_id === serverId);
    },
    waiting,
  );
  return succeeded(stage, found.id);
}

export async function succeeded(stage: Stage, id: number): Promise<DeploymentReply> {
  const ended = await endOf(stage, id);
  assert.equal(ended.status, 1, String(ended.error));
  return ended;
}

export interface Answer {
  status: number;
  body: string;
}

export interface Asked {
  address: string;
  host: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** One request on its own connection; resolves with any status. */
export function ask(asked: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(optionsOf(asked), (response) => {
      buffer(response).then((body) => resolve({ status: response.statusCode ?? 0, body: body.toString() }), reject);
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer within 30 s")));
    sent.on("error", reject).end(asked.body);
  });
}

/** A request of which half of the body is sent at once; the rest follows on demand. */
export async function askHalf(asked: Asked & { body: Buffer }): Promise<{ finish(): Promise<Answer> }> {
  const { body } = asked;
  const sent = request(optionsOf(asked));
  const answered = once(sent, "response");
  answered.catch(() => {});
  await new Promise((resolve) => sent.write(body.subarray(0, body.length / 2), resolve));
  return {
    async finish() {
      sent.end(body.subarray(body.length / 2));
      const [response] = await answered;
      return { status: response.statusCode, body: (await buffer(response)).toString() };
    },
  };
}

/** The answer as soon as its headers arrive. */
export const open = (asked: Asked): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(optionsOf(asked), resolve).on("error", reject).end();
  });

/** An upgraded connection, as a browser opens it; resolves with the process that answered. */
export async function upgrade({
  address,
  host,
}: Asked): Promise<{ socket: Socket; name: string; closed: Promise<unknown> }> {
  const key = randomBytes(16).toString("base64");
  const headers = {
    Host: host,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Key": key,
    "Sec-WebSocket-Version": "13",
  };
  const sent = request({ host: address, headers, agent: false }).end();
  sent.once("response", ({ statusCode }) => sent.emit("error", new Error(`${statusCode} instead of an upgrade`)));
  const [response, socket] = await once(sent, "upgrade");
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  assert.equal(response.headers["sec-websocket-accept"], accept);
  return { socket, name: response.headers["x-answered"], closed: once(socket, "close") };
}

/** What the other side sends back; rejects when the connection ends instead. */
export async function echo(socket: Socket, text: string): Promise<string> {
  if (socket.destroyed) throw new Error("The upgraded connection has ended.");
  const answer = Promise.withResolvers<string>();
  const onClose = () => answer.reject(new Error("The upgraded connection ended."));
  socket.once("data", (data) => answer.resolve(String(data))).once("close", onClose);
  socket.write(text);
  return answer.promise.finally(() => socket.off("close", onClose));
}

const optionsOf = ({ address, host, path = "/", method = "GET", headers = {}, body }: Asked) => ({
  host: address,
  path,
  method,
  agent: false as const,
  timeout: 30_000,
  headers: { ...headers, Host: host, ...(body && { "Content-Length": body.length }) },
});

export interface Visits {
  /** The answers with 200, and how often each came. */
  answers: Map<string, number>;
  failed: string[];
  total: number;
}

const walkers = new Set<() => Promise<unknown>>();

/** Stops all visitors that a failed test has left. */
export const stopVisitors = () => Promise.all([...walkers].map((stop) => stop()));

/** Visitors that send requests continuously, each on its own connection. Every answer but a 200 counts as failed. */
export function startVisitors(count: number, come: () => Promise<Answer>) {
  const visits: Visits = { answers: new Map(), failed: [], total: 0 };
  const { answers, failed } = visits;
  let stopped = false;
  const walk = async () => {
    while (!stopped) {
      const { status, body } = await come().catch((error: unknown) => ({ status: 0, body: String(error) }));
      visits.total += 1;
      if (status === 200) answers.set(body, (answers.get(body) ?? 0) + 1);
      else failed.push(`${status}: ${body.slice(0, 100)}`);
    }
  };
  const walking = Promise.all(Array.from({ length: count }, walk));
  const stop = async (): Promise<Visits> => {
    stopped = true;
    await walking;
    walkers.delete(stop);
    return visits;
  };
  walkers.add(stop);
  return { visits, stop };
}

/** Some MB of unique data. */
export const upload = randomBytes(5_000_000);
export const uploaded = createHash("sha256").update(upload).digest("hex");

/** The application reports whether everything arrived. */
async function bring(asked: Asked): Promise<Answer> {
  const { status, body } = await ask({ ...asked, method: "POST", body: upload });
  return { status: body.endsWith(uploaded) ? status : 0, body: `${status} ${body.slice(0, 100)}` };
}

/** Fast visitors, some whose answers take three seconds, and one who uploads. */
export const startEveryKind = (asked: Asked) => {
  const { path = "/" } = asked;
  const visitors = [
    startVisitors(4, () => ask(asked)),
    startVisitors(2, () => ask({ ...asked, path: `${path}?took=3000` })),
    startVisitors(1, () => bring(asked)),
  ];
  return {
    visits: (visitors[0] as (typeof visitors)[number]).visits,
    async stop() {
      const [quick, slow, uploads] = await Promise.all(visitors.map((each) => each.stop()));
      return { quick, slow, uploads } as { [kind in "quick" | "slow" | "uploads"]: NonNullable<typeof quick> };
    },
  };
};

export const seen = ({ answers }: Pick<Visits, "answers">, what: string): boolean =>
  [...answers.keys()].some((answer) => answer.includes(what));

/** The counted visits, for the report of a test. */
export const tally = ({ failed, total }: Visits): string => `${failed.length} of ${total} requests failed`;

/** Fails with all errors, each once. */
export const assertAnswered = (...all: readonly Visits[]): void =>
  assert.deepEqual([...new Set(all.flatMap(({ failed }) => failed))], []);

/** Drops everything between two servers, without closing open connections: a cable that was pulled out. */
export const cutBetween = (place: Place, other: Place) =>
  place.bash(`
    nft add table inet cut
    nft add chain inet cut input '{ type filter hook input priority -300; }'
    nft add chain inet cut output '{ type filter hook output priority -300; }'
    nft add rule inet cut input ip saddr ${other.server.address} drop
    nft add rule inet cut output ip daddr ${other.server.address} drop`);

export const healBetween = (place: Place) => place.bash("nft delete table inet cut");
