import assert from "node:assert/strict";
import { Agent, get, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { DeploymentReply, ProjectUpdate } from "../../contract/types.ts";
import { waitFor } from "../../stage/api-client.ts";
import { selfSigned } from "../../stage/self-signed.ts";
import { deployToEnd, install, lengthy, openStage, type Project, type Stage } from "../../stage/support.ts";
import { overHttp, overHttp2, overHttps, type Way } from "../../stage/ways.ts";
import { nodeFiles, phpFiles } from "./drain-app.ts";

// Requests that began before a deployment or a reload of nginx end well, and streamed data arrives while it is sent.

let stage: Stage;

before(async () => {
  stage = await openStage("drain");
}, lengthy);

after(() => stage?.close());

const node = (name: string) => install(stage, { name, frameworkId: 8, files: nodeFiles(1) });

const settings = ({ id }: Project, body: ProjectUpdate) =>
  stage.client("PUT /api/v1/projects/{id}", { params: { id }, body });

/** Deploys a second version. */
async function deployed(project: Project): Promise<DeploymentReply> {
  await stage.git.commit(project.name, { files: nodeFiles(2) });
  const ended = await deployToEnd(stage, project);
  assert.equal(ended.status, 1, ended.error ?? "");
  return ended;
}

const optionsFor = ({ domain }: Project, path: string) => ({
  host: stage.server.address,
  path,
  headers: { Host: domain },
  agent: false as const,
});

const answerTo = (project: Project, path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(optionsFor(project, path), resolve).on("error", reject));

/** As `answerTo`, the complete answer as one line. */
async function lineOf(answer: IncomingMessage): Promise<string> {
  const body = await text(answer);
  return `${answer.statusCode} ${body.slice(0, 40)}`;
}

/** A body of this many parts, with this pause between two of them: as from a slow visitor. */
async function upload(project: Project, { parts, partBytes, pauseMs }: Body): Promise<string> {
  const sent = request({ ...optionsFor(project, "/upload"), method: "POST" });
  sent.setHeader("Content-Length", parts * partBytes);
  const answered = new Promise<IncomingMessage>((resolve, reject) => sent.on("response", resolve).on("error", reject));
  answered.catch(() => {});
  for (let part = 0; part < parts; part++) {
    sent.write(Buffer.alloc(partBytes));
    await pause(pauseMs);
  }
  sent.end();
  return lineOf(await answered);
}

interface Body {
  parts: number;
  partBytes: number;
  pauseMs: number;
}

const small: Body = { parts: 50, partBytes: 2_000, pauseMs: 100 };
const large: Body = { parts: 50, partBytes: 1_000_000, pauseMs: 300 };

/** Sends requests at this interval until `work` has ended; resolves with the answer to each. */
async function during(work: Promise<unknown>, everyMs: number, ask: () => Promise<string>): Promise<string[]> {
  const state = { isOver: false };
  const ended = work.finally(() => {
    state.isOver = true;
  });
  const answers: Promise<string>[] = [];
  while (!state.isOver) {
    answers.push(ask().catch((error: unknown) => String(error)));
    await pause(everyMs);
  }
  await ended;
  return Promise.all(answers);
}

const counted = (answers: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(answers)].sort().map((answer) => [answer, answers.filter((each) => each === answer).length]),
  );

function assertOnly(answers: readonly string[], expected: RegExp): void {
  assert.ok(answers.length > 0 && answers.every((answer) => expected.test(answer)), JSON.stringify(counted(answers)));
}

describe("at the switch of a Node project", { concurrency: true }, () => {
  it("bodies that come in slowly and seldom reach a process: 100 KB over 5 s, 50 MB over 15 s", async () => {
    const project = await node("sparse");
    const work = deployed(project);
    const [some, many] = await Promise.all([
      during(work, 2_000, () => upload(project, small)),
      during(work, 4_000, () => upload(project, large)),
    ]);
    assertOnly(some, /^200 v[12] 100000$/);
    assertOnly(many, /^200 v[12] 50000000$/);
  });

  it("bodies that come in slowly and all the time do, and answers of 45 s are waited for", async () => {
    const project = await node("dense");
    await settings(project, { drain_timeout_seconds: 60 });
    const work = deployed(project);
    const [some, long] = await Promise.all([
      during(work, 50, () => upload(project, { ...small, parts: 20 })),
      answerTo(project, "/long").then(lineOf),
    ]);
    assertOnly(some, /^200 v[12] 40000$/);
    assert.equal(long, "200 v1");
  });

  it("WebSockets and event streams last for the project's drain time, and get a close from the process", async () => {
    const project = await node("sockets");
    await settings(project, { drain_timeout_seconds: 2 });
    const socket = await webSocket(project);
    const closed = closeCode(socket);
    const events = await answerTo(project, "/events");
    const [, code, body] = await Promise.all([deployed(project), closed, text(events)]);
    assert.deepEqual([code, body], [1012, "data: hello\n\ndata: bye\n\n"]);
  });

  it("a process that does not end by itself is ended", async () => {
    const project = await node("stubborn");
    await stage.client("PUT /api/v1/projects/{id}/environment-variables", {
      params: { id: project.id },
      body: { environment_variables: "STUBBORN=yes" },
    });
    await settings(project, { drain_timeout_seconds: 1 });
    await deployed(project);
    const events = await answerTo(project, "/events");
    const cut = assert.rejects(text(events));
    const ended = await deployToEnd(stage, project);
    assert.equal(ended.status, 1, ended.error ?? "");
    await cut;
  });
});

const webSocket = (project: Project): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const { headers, ...options } = optionsFor(project, "/socket");
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
    const asked = request({ ...options, headers: { ...headers, ...upgrade, "Sec-WebSocket-Key": "x".repeat(24) } });
    asked.on("upgrade", (_, socket) => resolve(socket));
    asked.on("error", reject).end();
  });

/** As browsers report it: 1006 when the connection ends without a close frame. */
async function closeCode(socket: Duplex): Promise<number> {
  const received: Buffer[] = [];
  try {
    for await (const part of socket) received.push(part);
  } catch {
    return 1006;
  }
  const frame = Buffer.concat(received);
  return frame[0] === 0x88 ? frame.readUInt16BE(2) : 1006;
}

describe("a stream", () => {
  let app: Project;
  let php: Project;

  before(async () => {
    [app, php] = await Promise.all([node("streams"), install(stage, { name: "php", frameworkId: 4, files: phpFiles })]);
  }, lengthy);

  const streams = [
    { what: "Node, a page", of: () => app, path: "/stream", signal: "/signal", accept: "text/html" },
    { what: "PHP, events", of: () => php, path: "/events.php", signal: "/signal.php", accept: "text/event-stream" },
    { what: "PHP, a page that asks for it", of: () => php, path: "/page.php", signal: "/signal.php", accept: "*/*" },
  ];

  const passesOver = (protocols: readonly Way[]): void => {
    for (const kind of streams) {
      it(kind.what, async () => {
        const codings = ["identity", "gzip", "br"];
        await Promise.all(protocols.flatMap((way) => codings.map((coding) => passes(way, kind, coding))));
      });
    }
  };

  describe("passes while it is made, over HTTP:", () => passesOver([overHttp]));

  describe("passes while it is made, over HTTPS:", () => {
    before(() => Promise.all([app, php].map(withCertificate)));

    passesOver([overHttps, overHttp2]);
  });

  async function passes(way: Way, { of, path, signal, accept }: (typeof streams)[number], coding: string) {
    const name = `${way.name}-${coding}${path.replace("/", "-")}`;
    const site = { address: stage.server.address, domain: of().domain };
    const received = await way(site, `${path}?${name}`, { Accept: accept, "Accept-Encoding": coding });
    let body = "";
    received.setEncoding("utf8").on("data", (part) => {
      body += part;
    });
    const ended = new Promise((resolve, reject) => received.on("end", resolve).on("error", reject));
    await waitFor(`the beginning, ${name}`, () => body !== "", { timeoutMs: 20_000, intervalMs: 5 });
    assert.equal(body, "first", name);
    (await way(site, `${signal}?${name}`, {})).resume();
    await ended;
    assert.equal(body, "firstlast", name);
  }
});

async function withCertificate(project: Project): Promise<void> {
  await stage.client("POST /api/v1/projects/{projectId}/certificates/custom", {
    params: { projectId: project.id },
    body: await selfSigned([project.domain]),
  });
}

/** How long sites ask their clients to close kept connections before a reload (reload.sh), and a little less. */
const announcedMs = 250;

describe("a neighbour", () => {
  it("loses no request on kept connections while projects are made, changed and deleted", async () => {
    const site = await install(stage, { name: "neighbour", files: { "index.html": "here" } });
    const agent = new Agent({ keepAlive: true, maxSockets: 64, scheduling: "fifo" });
    const usedAt = new WeakMap<Socket, number>();
    // A connection that carries nothing while a reload is announced misses it, as on a machine that stands still for that long:
    // only then the request is repeated, as browsers do.
    const visit = async (isAgain = false): Promise<string> => {
      let connection: Socket | undefined;
      let idleMs = 0;
      const answer = await new Promise<IncomingMessage | "again">((resolve, reject) => {
        const asked = get({ ...optionsFor(site, "/"), agent }, resolve);
        asked.on("socket", (socket) => {
          connection = socket;
          idleMs = performance.now() - (usedAt.get(socket) ?? Number.POSITIVE_INFINITY);
        });
        asked.on("error", (error) => (idleMs > announcedMs && !isAgain ? resolve("again") : reject(error)));
      });
      if (answer === "again") return visit(true);
      const line = await lineOf(answer);
      if (connection) usedAt.set(connection, performance.now());
      return line;
    };
    const answers = await during(changesOfOthers(), 10, async () => {
      const several = await Promise.all(
        Array.from({ length: 8 }, () => visit().catch((error: unknown) => String(error))),
      );
      return several.find((answer) => answer !== "200 here") ?? "200 here";
    });
    agent.destroy();
    assertOnly(answers, /^200 here$/);
  });

  async function changesOfOthers(): Promise<void> {
    for (let round = 1; round <= 4; round++) {
      const others = await Promise.all([1, 2].map((at) => made(`other-${round}-${at}`)));
      for (const max_upload_mb of [1, 2]) for (const other of others) await settings(other, { max_upload_mb });
      for (const other of others) await deleted(other);
    }
  }

  async function made(name: string): Promise<Project> {
    return install(stage, { name, files: { "index.html": name } });
  }

  async function deleted({ id, home }: Project): Promise<void> {
    await stage.client("DELETE /api/v1/project/{id}", { params: { id } });
    const isGone = async () => (await stage.bash(`[ -e ${home} ] || echo gone`)) === "gone";
    await waitFor(`${home} to be gone`, isGone, { timeoutMs: 120_000 });
  }
});
