import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { freePorts } from "../../../../stage/free-port.ts";
import { projectLayout } from "../../layout.ts";
import { drainingFlag, outFlag } from "../balancer.ts";
import { healthFile, healthScript, healthText } from "../balancer-health.ts";
import type { Site } from "../model.ts";
import { sharedByAllSites } from "../shared.ts";
import { nginxSite } from "../site.ts";
import { releaseCheckPath } from "../well-known.ts";
import { headerLimits, startNginx } from "./nginx.ts";

const listenOn = async (server: Server, port: number, host: string): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
};

const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await new Promise((next) => setTimeout(next, 20));
};

interface Requested {
  method?: string;
  body?: Buffer;
  headers?: Record<string, string>;
  /** The visitor's address. */
  from?: string;
}

interface Answer {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

const ask = (address: string, port: number, path: string, asked: Requested = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = "GET", body = Buffer.alloc(0), headers = {}, from } = asked;
    const sent = request(
      {
        host: address,
        port,
        path,
        method,
        agent: false,
        ...(from && { localAddress: from }),
        headers: { ...headers, host: "shop.test", "content-length": String(body.length) },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (data) => {
          text += data;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      },
    );
    sent.on("error", reject).end(body);
  });

/** nginx of this machine with one site, on its own address. All instances of a test use the same ports in place of 80 and 443. */
class Machine {
  readonly directory = mkdtempSync(join(tmpdir(), "longshore-balance-"));
  private process: ChildProcess | undefined;
  private readonly address: string;
  private readonly port: number;
  private readonly tlsPort: number;

  constructor(address: string, [port, tlsPort]: readonly [number, number]) {
    this.address = address;
    this.port = port;
    this.tlsPort = tlsPort;
  }

  layout(id: number) {
    const made = projectLayout(id, this.directory);
    for (const path of [made.logs, made.state, made.releases, made.acmeChallenges])
      mkdirSync(path, { recursive: true });
    return made;
  }

  write(site: Site): string {
    const text = nginxSite(site)
      .replaceAll("listen 80;", `listen ${this.address}:${this.port};`)
      .replaceAll(/listen \[::\]:\d+.*;\n/g, "")
      .replaceAll("listen 443 ssl", `listen ${this.address}:${this.tlsPort} ssl`)
      .replaceAll(":80 max_fails", `:${this.port} max_fails`)
      .replaceAll(":80$", `:${this.port}$`);
    const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    writeFileSync(
      join(this.directory, "nginx.conf"),
      `user root; worker_processes 1; pid ${this.directory}/pid; error_log ${this.directory}/error.log; events {} http {
       ${headerLimits}
       include /etc/nginx/mime.types; server_names_hash_bucket_size 128; variables_hash_max_size 2048;
       ${scratch.map((name) => `${name}_temp_path ${this.directory}/${name};`).join(" ")}
       ${sharedByAllSites} ${text} }`,
    );
    return spawnSync("nginx", ["-t", "-q", "-p", this.directory, "-c", "nginx.conf"], { encoding: "utf8" }).stderr;
  }

  async start(): Promise<void> {
    this.process = startNginx(this.directory);
    await until(() =>
      ask(this.address, this.port, "/.well-known/acme-challenge/none").then(
        () => true,
        () => false,
      ),
    );
  }

  async stop(signal: "SIGTERM" | "SIGQUIT" = "SIGTERM"): Promise<void> {
    if (!this.process) return;
    const ended = new Promise((resolve) => this.process?.once("exit", resolve));
    this.process.kill(signal);
    await ended;
    this.process = undefined;
  }
}

describe("a site behind a load balancer", () => {
  const ids = [7, 9, 12];
  const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
  const nodes = ids.map((id, at) => ({ id, address: addresses[at] as string }));
  /** The requests to each node's application. */
  const received: { node: number; method: string; url: string; body: number; headers: IncomingHttpHeaders }[] = [];
  const apps = ids.map((node) =>
    createServer((asked, answer) => {
      let body = 0;
      asked.on("data", (data: Buffer) => {
        body += data.length;
      });
      asked.on("end", () => {
        if (asked.headers["x-longshore-balancer"] !== "7 probe") {
          received.push({ node, method: asked.method ?? "", url: asked.url ?? "", body, headers: asked.headers });
        }
        if (asked.url === "/broken") answer.writeHead(502);
        if (asked.url === "/dies" && node === 9) return void asked.socket.destroy();
        answer.end(`node ${node}`);
      });
    }),
  );
  let ports: [number, number];
  let port = 0;
  let balancer: Machine;
  let machines: Machine[] = [];
  const frontLayout = () => balancer.layout(7);
  const nodeLayout = (at: number) => (machines[at] as Machine).layout(7);
  const front = (): Site => ({
    layout: frontLayout(),
    kind: { family: "balanced", nodes },
    domains: [{ name: "shop.test" }],
    wwwRedirect: 0,
    redirectStatus: 301,
  });
  const nodeSite = (at: number, over: Partial<Site> = {}): Site => ({
    layout: nodeLayout(at),
    kind: { family: "node", ports: [((apps[at] as Server).address() as AddressInfo).port, 1] },
    domains: [{ name: "shop.test" }],
    wwwRedirect: 0,
    redirectStatus: 301,
    proxies: ["127.0.0.1"],
    balancer: { addresses: ["127.0.0.1"] },
    ...over,
  });
  const visit = (path = "/", asked?: Requested) => ask("127.0.0.1", port, path, asked);
  const visits = async (count: number, path?: string, asked?: Requested) => {
    const answers: Answer[] = [];
    const one = async () => {
      while (answers.length + under < count) {
        under++;
        const answer = await visit(path, asked);
        under--;
        answers.push(answer);
      }
    };
    let under = 0;
    await Promise.all(Array.from({ length: 20 }, one));
    return { statuses: [...new Set(answers.map(({ status }) => status))], bodies: answers.map(({ body }) => body) };
  };
  const shares = () => ids.map((id) => received.filter(({ node }) => node === id).length);

  before(async () => {
    ports = (await freePorts(2)) as [number, number];
    [port] = ports;
    balancer = new Machine("127.0.0.1", ports);
    machines = addresses.map((address) => new Machine(address, ports));
    for (const app of apps) await listenOn(app, 0, "127.0.0.1");
    for (const [at, machine] of machines.entries()) {
      mkdirSync(`${nodeLayout(at).releases}/1`);
      symlinkSync("releases/1", nodeLayout(at).current);
      assert.equal(machine.write(nodeSite(at)), "");
      await machine.start();
    }
    assert.equal(balancer.write(front()), "");
    await balancer.start();
  });
  beforeEach(() => {
    received.length = 0;
  });
  after(async () => {
    for (const machine of [balancer, ...machines]) {
      await machine.stop();
      rmSync(machine.directory, { recursive: true });
    }
    for (const app of apps) app.close();
  });

  test("is answered by all nodes, each with its share", async () => {
    assert.deepEqual((await visits(300)).statuses, [200]);
    assert.ok(
      shares().every((share) => share > 50),
      String(shares()),
    );
  });

  test("passes the visitor's address and scheme to its nodes, and they trust no other sender", async () => {
    await visit("/a%20b?c=%2F", { headers: { "x-forwarded-for": "198.51.100.7" }, from: "127.0.0.66" });
    const { url, headers } = received[0] as (typeof received)[number];
    const how = [url, headers["x-real-ip"], headers["x-forwarded-proto"]];
    assert.deepEqual(how, ["/a%20b?c=%2F", "127.0.0.66", "http"]);
    const asBalancer = { "x-longshore-balancer": "7", "x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https" };
    await ask("127.0.0.2", port, "/", { headers: asBalancer });
    await ask("127.0.0.2", port, "/", { headers: asBalancer, from: "127.0.0.77" });
    assert.deepEqual(
      received.slice(1).map((each) => [each.headers["x-real-ip"], each.headers["x-forwarded-proto"]]),
      [
        ["198.51.100.7", "https"],
        ["127.0.0.77", "http"],
      ],
    );
  });

  test("is taken away from a node that drains, with whatever was sent, and that node begins nothing", async () => {
    writeFileSync(drainingFlag(nodeLayout(0)), "");
    const body = Buffer.alloc(300_000, "x");
    assert.deepEqual((await visits(60, "/a%20b?c=%2F", { method: "POST", body })).statuses, [200]);
    assert.deepEqual(shares()[0], 0);
    assert.equal(received.length, 60);
    assert.ok(
      received.every((each) => each.method === "POST" && each.url === "/a%20b?c=%2F" && each.body === body.length),
    );
    // Clients other than the balancer do not see it.
    assert.equal((await ask("127.0.0.2", port, "/")).body, "node 7");
    const pretending = { headers: { "x-longshore-balancer": "7" }, from: "127.0.0.77" };
    assert.equal((await ask("127.0.0.2", port, "/", pretending)).body, "node 7");
    rmSync(drainingFlag(nodeLayout(0)));
  });

  test("is served also while all nodes drain", async () => {
    for (const at of ids.keys()) writeFileSync(drainingFlag(nodeLayout(at)), "");
    assert.deepEqual((await visits(60, "/", { method: "POST" })).statuses, [200]);
    assert.equal(received.length, 60);
    for (const at of ids.keys()) rmSync(drainingFlag(nodeLayout(at)));
  });

  test("leaves out the nodes that are flagged, shares what they leave, and never leaves out all", async () => {
    writeFileSync(outFlag(frontLayout(), 9), "unreachable\n");
    assert.deepEqual((await visits(300)).statuses, [200]);
    const [first = 0, second, third = 0] = shares();
    assert.equal(second, 0);
    assert.ok(first > 90 && third > 90, String(shares()));
    writeFileSync(outFlag(frontLayout(), 7), "draining\n");
    received.length = 0;
    await visits(30);
    assert.deepEqual(shares(), [0, 0, 30]);
    writeFileSync(outFlag(frontLayout(), 12), "unreachable\n");
    received.length = 0;
    assert.deepEqual((await visits(90)).statuses, [200]);
    assert.ok(shares().every((share) => share > 0));
    for (const id of ids) rmSync(outFlag(frontLayout(), id));
  });

  test("loses nothing when a node is gone: what it has not begun goes to another, once", async () => {
    await (machines[2] as Machine).stop();
    assert.deepEqual((await visits(60, "/", { method: "POST", body: Buffer.from("once") })).statuses, [200]);
    assert.equal(received.length, 60);
    await (machines[2] as Machine).start();
  });

  test("loses nothing when an application is gone and its nginx is there", async () => {
    const app = apps[1] as Server;
    const { port: its } = app.address() as AddressInfo;
    app.closeAllConnections();
    await new Promise((resolve) => app.close(resolve));
    const { statuses, bodies } = await visits(60, "/", { method: "POST", body: Buffer.from("once") });
    assert.deepEqual(statuses, [200]);
    assert.ok(!bodies.includes("node 9"));
    assert.equal((await ask("127.0.0.3", port, "/")).status, 502);
    await listenOn(app, its, "127.0.0.1");
  });

  test("is answered by another node when an application dies with a request, where that may be repeated", async () => {
    const { statuses, bodies } = await visits(60, "/dies");
    assert.deepEqual(statuses, [200]);
    assert.ok(!bodies.includes("node 9"));
    const posted = await visits(60, "/dies", { method: "POST", body: Buffer.from("once") });
    assert.deepEqual(posted.statuses.sort(), [200, 502]);
    assert.equal((await ask("127.0.0.3", port, "/dies")).status, 502);
  });

  test("passes on what an application answers, and has a page of its own when no node is there", async () => {
    const own = await visit("/broken");
    assert.deepEqual([own.status, own.body.startsWith("node ")], [502, true]);
    for (const machine of machines) await machine.stop();
    const page = await visit();
    assert.equal(page.status, 502);
    assert.match(page.body, /Something went wrong/);
    for (const machine of machines) await machine.start();
    await until(async () => (await visit()).status === 200);
  });

  test("shows the maintenance page before any node is asked", async () => {
    writeFileSync(frontLayout().maintenanceFlag, "");
    assert.match((await visit()).body, /Back in a moment/);
    assert.equal(received.length, 0);
    rmSync(frontLayout().maintenanceFlag);
  });

  test("asks for the password once, at the balancer", async () => {
    const at = machines[0] as Machine;
    const hash = spawnSync("openssl", ["passwd", "-6", "-stdin"], { input: "open sesame", encoding: "utf8" }).stdout;
    writeFileSync(`${nodeLayout(0).state}/basic-auth`, `ali:${hash}`);
    await at.stop();
    assert.equal(at.write(nodeSite(0, { basicAuth: 1 })), "");
    await at.start();
    assert.equal((await ask("127.0.0.2", port, "/")).status, 401);
    assert.equal((await ask("127.0.0.2", port, "/", { headers: { "x-longshore-balancer": "7" } })).status, 200);
    await at.stop();
    at.write(nodeSite(0));
    await at.start();
  });

  test("keeps the certificate of a node for those who still come to it directly", async () => {
    const at = machines[0] as Machine;
    const [key, certificate] = [`${at.directory}/key.pem`, `${at.directory}/cert.pem`];
    const options = "req -x509 -newkey rsa:2048 -nodes -subj /CN=shop.test".split(" ");
    assert.equal(spawnSync("openssl", [...options, "-keyout", key, "-out", certificate]).status, 0);
    await at.stop();
    assert.equal(at.write(nodeSite(0, { tls: { key, certificate, names: ["shop.test"] } })), "");
    await at.start();
    const direct = await ask("127.0.0.2", port, "/x");
    assert.deepEqual([direct.status, direct.headers.location], [301, "https://shop.test/x"]);
    assert.equal((await ask("127.0.0.2", port, "/", { headers: { "x-longshore-balancer": "7" } })).body, "node 7");
    assert.equal((await ask("127.0.0.2", port, releaseCheckPath)).status, 404, "answered, to a pass alone");
    await at.stop();
    at.write(nodeSite(0));
    await at.start();
  });

  test("is accepted as PHP and as files too", () => {
    for (const kind of [{ family: "php" }, { family: "static", spa: true }] as const) {
      const spare = new Machine("127.0.0.9", ports);
      assert.equal(spare.write({ ...nodeSite(0), layout: spare.layout(7), kind }), "");
      rmSync(spare.directory, { recursive: true });
    }
  });

  describe("with the health check", () => {
    let check: ChildProcess;
    // Read without a test before it: the flag may disappear at any moment.
    const state = (id: number) => {
      try {
        return readFileSync(outFlag(frontLayout(), id), "utf8").trim();
      } catch {
        return "serving";
      }
    };
    before(async () => {
      writeFileSync(healthFile(frontLayout()), healthText(frontLayout(), "shop.test", nodes));
      writeFileSync(`${balancer.directory}/health`, healthScript);
      writeFileSync(outFlag(frontLayout(), 9), "unreachable\n");
      const projects = `${balancer.directory}/srv/longshore/projects`;
      check = spawn("perl", [`${balancer.directory}/health`, projects, `${balancer.directory}/beat`, String(port)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      await until(() => existsSync(`${balancer.directory}/beat`));
    });
    after(async () => {
      const ended = new Promise((resolve) => check.once("exit", resolve));
      check.kill();
      await ended;
    });

    test("adopts the state it finds, and lets a node in that answers", async () => {
      await until(() => state(9) === "serving");
      assert.deepEqual(ids.map(state), ["serving", "serving", "serving"]);
    });

    test("distinguishes a node that drains from one that is gone, and sees both come back", async () => {
      writeFileSync(drainingFlag(nodeLayout(0)), "");
      await (machines[1] as Machine).stop();
      await until(() => state(7) === "draining" && state(9) === "unreachable");
      assert.equal(state(12), "serving");
      // The balancer may still count the recent failure of the node against it.
      await until(async () => {
        received.length = 0;
        assert.deepEqual((await visits(60)).statuses, [200]);
        return shares()[2] === 60;
      });
      rmSync(drainingFlag(nodeLayout(0)));
      await (machines[1] as Machine).start();
      await until(() => state(7) === "serving" && state(9) === "serving");
    });

    test("takes out a node whose application is gone, though its nginx answers", async () => {
      rmSync(nodeLayout(2).current);
      await until(() => state(12) === "unreachable");
      symlinkSync("releases/1", nodeLayout(2).current);
      await until(() => state(12) === "serving");
    });

    test("is in no log of the node's, and forgets a node that is taken away", async () => {
      assert.doesNotMatch(readFileSync(`${nodeLayout(0).logs}/access.log`, "utf8"), / longshore"|"longshore"/);
      writeFileSync(drainingFlag(nodeLayout(0)), "");
      await until(() => state(7) === "draining");
      writeFileSync(healthFile(frontLayout()), healthText(frontLayout(), "shop.test", nodes.slice(1)));
      await until(() => state(7) === "serving");
      rmSync(drainingFlag(nodeLayout(0)));
    });
  });
});
