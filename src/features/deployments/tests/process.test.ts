import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { projectLayout } from "../../../host/layout.ts";
import { listenOn } from "../../../host/nginx/tests/nginx.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { type Framework, findFramework } from "../../projects/frameworks.ts";
import type { HealthCheck } from "../../projects/plans.ts";
import { initialSettings } from "../../projects/settings/schema.ts";
import { deploymentPlan } from "../plans.ts";

// The health check of a Node process and its request; systemd, its journal and the server's sockets are stand-ins.

describe("the health check of a process", () => {
  let root: string;
  let app: Server | undefined;
  const others: Server[] = [];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "longshore-health-"));
    mkdirSync(`${root}/bin`);
    for (const pid of [1, 700, 800]) mkdirSync(`${root}/proc/${pid}`, { recursive: true });
    stub("ss", "");
    stub("journalctl", "");
  });
  afterEach(() => {
    app?.close();
    app = undefined;
    for (const server of others.splice(0)) server.close();
    rmSync(root, { recursive: true });
  });

  const stub = (name: string, prints: string) => {
    writeFileSync(`${root}/${name}.out`, prints);
    writeFileSync(`${root}/bin/${name}`, `#!/bin/bash\ncat ${root}/${name}.out\n`);
    chmodSync(`${root}/bin/${name}`, 0o755);
  };

  /** Checks the process of port `port`; `isAlive`: it is process 700. `old`: the port of the live process. */
  const check = (
    port: number,
    health: Partial<HealthCheck> = {},
    isAlive = true,
    { wanted = "check-health", old = "-" }: { wanted?: string; old?: string | number } = {},
  ) => {
    const layout = projectLayout(7, root);
    mkdirSync(layout.state, { recursive: true });
    writeFileSync(`${layout.state}/deployment-12`, `- ${port} ${old}\n`);
    stub("systemctl", `NRestarts=0\nMainPID=${isAlive ? 700 : 0}\n`);
    writeFileSync(`${root}/proc/700/cgroup`, `0::/system.slice/x.slice/longshore-project-7@${port}.service\n`);
    writeFileSync(`${root}/proc/800/cgroup`, `0::/system.slice/longshore-project-8@${port}.service\n`);
    const framework = findFramework(8) as Framework;
    const plan = deploymentPlan({
      project: {
        layout,
        identity: someIdentity,
        framework,
        site: {
          layout,
          kind: { family: "node", ports: [port, port + 1] },
          domains: [{ name: "shop.test" }],
          wwwRedirect: 0,
          redirectStatus: 301,
        },
        directory: "",
        commands: { ...framework.defaults, custom: "" },
        sharedDirectories: [],
        sharedFiles: [],
        hasEnvironment: false,
        zeroDowntime: true,
        health: { healthPath: "/", healthStatuses: [], healthTimeoutSeconds: 0, ...health },
      },
      deploymentId: 12,
      source: { url: "https://example.com/shop.git", branch: "main", access: "none" },
      settings: { soakMs: 1 },
    });
    const script = plan.steps.find(({ key }) => key === wanted)?.script ?? "";
    return runBash({ script: script.replaceAll("/proc/", `${root}/proc/`) }, root, `${root}/bin`);
  };
  const sentenceOf = ({ stderr }: { stderr: string }) => stderr.trimEnd().split("\n").at(-1) ?? "";
  /** A port on which nothing listens. */
  const silentPort = async () => {
    const server = createServer();
    const port = await listenOn(server);
    await new Promise((closed) => server.close(closed));
    return port;
  };
  const answers = async (statuses: Record<string, number>) => {
    app = createServer((asked, answer) => {
      answer.statusCode = statuses[asked.url ?? ""] ?? 404;
      answer.end();
    });
    return listenOn(app);
  };
  const socket = (at: string, pid: number, program = "node") =>
    `LISTEN 0      511    ${at}   0.0.0.0:*    users:(("${program}",pid=${pid},fd=18))\n`;

  test("asks for the project's path, and takes the project's statuses alone", async () => {
    const port = await answers({ "/up": 204, "/": 500 });
    assert.equal((await check(port, { healthPath: "/up" })).code, 0);
    assert.equal((await check(port, { healthPath: "/up", healthStatuses: [200, 204] })).code, 0);
    assert.match(sentenceOf(await check(port)), /^The process answers 500 on port \d+ to a request for \/$/);
    const other = await check(port, { healthPath: "/up", healthStatuses: [200, 301] });
    assert.match(
      sentenceOf(other),
      /answers 204 on port \d+ to a request for \/up, which is not the expected 200 or 301$/,
    );
    assert.equal((await check(port, { healthStatuses: [500] })).code, 0);
  });

  test("asks with the headers that nginx sends, without which some processes fail", async () => {
    const headers = ["x-real-ip", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];
    app = createServer((asked, answer) => {
      answer.statusCode = headers.every((header) => asked.headers[header]) ? 200 : 500;
      answer.end();
    });
    const { code, stderr } = await check(await listenOn(app));
    assert.equal(code, 0, stderr);
  });

  test("takes 404 where nothing is set: it is the record that warns", async () => {
    assert.equal((await check(await answers({}))).code, 0);
  });

  test("states why the process ended, without npm's advice", async () => {
    stub(
      "journalctl",
      "> start\nError: DATABASE_URL is missing\n    at x (y.js:1:1)\nnpm notice\nnpm notice New version\n",
    );
    const ended = await check(await silentPort(), {}, false);
    assert.equal(sentenceOf(ended), "The process ended before it answered: Error: DATABASE_URL is missing");
    assert.match(ended.stdout, /at x \(y\.js:1:1\)/, "all of it is in the log");
  });

  test("names the address at which the process listens instead", async () => {
    const port = await silentPort();
    stub("ss", socket(`[::1]:${port}`, 700));
    assert.match(
      sentenceOf(await check(port)),
      new RegExp(`listens on \\[::1\\]:${port} only, and is asked on 127.0.0.1:${port}`),
    );
    stub("ss", socket("*:3000", 700) + socket("127.0.0.1:9229", 700));
    assert.match(
      sentenceOf(await check(port)),
      new RegExp(`listens on \\*:3000, 127.0.0.1:9229, and nothing answers on port ${port}`),
    );
    stub("ss", socket(`127.0.0.1:${port}`, 700));
    assert.match(sentenceOf(await check(port)), /listens on port \d+ but does not answer/);
  });

  test("stops soon when the process listens on a port of its own, with what to do and without what it logs", async () => {
    const port = await silentPort();
    const listen = 'require("net").createServer().listen(0, function () { console.log(this.address().port); })';
    const hardCoded = spawn(process.execPath, ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [own] = String(await once(hardCoded.stdout, "data").then(([chunk]) => chunk)).split("\n");
      stub("journalctl", `[Nest] 30928 - LOG [NestApplication] Nest application successfully started\n`);
      // Those of this machine, which show the real process.
      rmSync(`${root}/bin/ss`);
      mkdirSync(`${root}/proc/${hardCoded.pid}`);
      const cgroup = `0::/system.slice/longshore-project-7@${port}.service\n`;
      writeFileSync(`${root}/proc/${hardCoded.pid}/cgroup`, cgroup);
      const began = performance.now();
      const stopped = await check(port, { healthTimeoutSeconds: initialSettings.start_timeout_seconds });
      const seconds = (performance.now() - began) / 1_000;
      assert.ok(seconds >= 9 && seconds < 30, String(seconds));
      assert.equal(
        sentenceOf(stopped),
        `The process listens on *:${own}, and nothing answers on port ${port}, which it is given as PORT: ` +
          "have it listen on process.env.PORT instead of a port of its own.",
      );
      assert.match(stopped.stdout, /successfully started/, "its output is in the log");
      const patient = await check(port, { healthTimeoutSeconds: 1 });
      assert.match(sentenceOf(patient), /process\.env\.PORT/);
    } finally {
      hardCoded.kill();
    }
  });

  test("waits for a process that listens on another port first, and on its own later", async () => {
    const port = await silentPort();
    stub("ss", socket("127.0.0.1:9229", 700));
    setTimeout(() => {
      stub("ss", socket("127.0.0.1:9229", 700) + socket(`127.0.0.1:${port}`, 700));
      app = createServer((_, answer) => answer.end("ok")).listen(port, "127.0.0.1");
    }, 3_000);
    const { code, stderr } = await check(port, { healthTimeoutSeconds: initialSettings.start_timeout_seconds });
    assert.equal(code, 0, stderr);
  });

  test("says what to do about the reason why the process ended", async () => {
    stub(
      "journalctl",
      "starting\nError: Cannot find module 'express'\nRequire stack:\n- /srv/a.js\n  code: 'X'\nlast words\n",
    );
    const ended = await check(await silentPort(), {}, false);
    assert.equal(
      sentenceOf(ended),
      "The process ended before it answered: Error: Cannot find module 'express'. Add it to the dependencies of package.json.",
    );
  });

  test("names no other project's sockets, and nothing that a program calls itself", async () => {
    const port = await silentPort();
    stub("ss", socket("*:3000", 800) + socket("*:4000", 1) + socket("x:5;reboot", 700, "$(reboot)"));
    assert.match(sentenceOf(await check(port)), /^The process runs but nothing answers on port \d+/);
    stub("ss", socket("*:3000", 700).repeat(100_000));
    assert.match(sentenceOf(await check(port)), /listens on \*:3000, and nothing/);
  });

  test("is kept to the line where it printed without end", async () => {
    stub("journalctl", `${"x".repeat(100_000)}\n`);
    const { stderr } = await check(await silentPort());
    assert.match(stderr, /^The process runs but nothing answers on port \d+, .*: x+$/m);
    assert.ok(stderr.length < 500, String(stderr.length));
    assert.equal(readFileSync(`${root}/journalctl.out`, "utf8").length, 100_001);
  });

  test("opens no installer again in place of a process that has none", async () => {
    const setup = (asked: string) => (asked === "/" ? { status: 302, location: "/setup" } : { status: 200 });
    const serve = async (answer: (asked: string) => { status: number; location?: string }) => {
      const server = createServer((asked, sent) => {
        const { status, location } = answer(asked.url ?? "");
        sent.writeHead(status, location ? { Location: location } : {}).end("<h1>Welcome</h1>");
      });
      others.push(server);
      return listenOn(server);
    };
    const [open, closed] = [await serve(setup), await serve(() => ({ status: 200 }))];
    const soaked = (port: number, old: string | number) => check(port, {}, true, { wanted: "soak", old });
    assert.match(
      sentenceOf(await soaked(open, closed)),
      /^The new release would show everybody the installer .*: it leads from \/ to \/setup\. It was not made live\./,
    );
    assert.equal((await soaked(open, open)).code, 0);
    assert.equal((await soaked(open, "-")).code, 0, "a first release may show one");
    assert.equal((await soaked(closed, open)).code, 0);
  });
});
