import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Plan, Step } from "../../../engine/runs/plan.ts";
import { projectLayout } from "../../../host/layout.ts";
import type { Site } from "../../../host/nginx/model.ts";
import { nginxSite } from "../../../host/nginx/site.ts";
import { Nginx } from "../../../host/nginx/tests/nginx.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { type Framework, findFramework } from "../../projects/frameworks.ts";
import type { HealthCheck } from "../../projects/plans.ts";
import { deploymentPlan, rollbackPlan } from "../plans.ts";

// The steps that test a release and verify that it is served, with a real nginx. PHP pages fail: there is no PHP-FPM.

describe("a PHP release behind a password", () => {
  const nginx = new Nginx();
  const layout = projectLayout(7, nginx.directory);
  const site: Site = {
    layout,
    kind: { family: "php" },
    domains: [{ name: "shop.test" }],
    wwwRedirect: 0,
    redirectStatus: 301,
    basicAuth: 1,
  };
  /** The same site as it was published before deployments had a pass. */
  const older: Site = { ...site, layout: projectLayout(8, nginx.directory), domains: [{ name: "old.test" }] };
  const withoutPass = nginxSite(older).replace(/^.*set \$realm off.*\n/m, "");

  const release = ({ releases, directory }: Site["layout"], name: number, page: string): void => {
    mkdirSync(`${releases}/${name}/.longshore`, { recursive: true });
    writeFileSync(`${releases}/${name}/${page}`, page);
    symlinkSync("..", `${releases}/${name}/.longshore/public`);
    mkdirSync(`${directory}/logs`, { recursive: true });
  };
  const makeLive = ({ current }: Site["layout"], name: number): void => {
    rmSync(current, { force: true });
    symlinkSync(`releases/${name}`, current);
  };
  const live = (): string => readlinkSync(layout.current);

  before(async () => {
    for (const each of [layout, older.layout]) {
      mkdirSync(each.state, { recursive: true });
      writeFileSync(`${each.state}/basic-auth`, "ali:no-hash");
      release(each, 1, "index.html");
      release(each, 12, "index.html");
      release(each, 13, "index.php");
    }
    await nginx.start([site, withoutPass]);
  });
  beforeEach(() => {
    makeLive(layout, 1);
    makeLive(older.layout, 1);
    for (const name of readdirSync(layout.state)) if (name !== "basic-auth") rmSync(join(layout.state, name));
  });
  after(() => nginx.stop());

  const stepOf = (key: string, deploymentId: number, of: Site, health?: HealthCheck): Step => {
    const project = {
      layout: of.layout,
      identity: someIdentity,
      framework: findFramework(4) as Framework,
      site: of,
      directory: "",
      commands: { install: "", build: "", dev: "", custom: "" },
      sharedDirectories: [],
      sharedFiles: [],
      hasEnvironment: false,
      zeroDowntime: true,
      health,
    };
    const source = { url: "https://example.com/shop.git", branch: "main", access: "none" as const };
    return deploymentPlan({ project, deploymentId, source }).steps.find((step) => step.key === key) as Step;
  };
  const onItsPort = (script: string) => ({ script: script.replaceAll("http_get 80 ", `http_get ${nginx.port} `) });
  const carryOut = (key: string, deploymentId: number, of = site, health?: HealthCheck) =>
    runBash(onItsPort(stepOf(key, deploymentId, of, health).script), nginx.directory);

  test("is seen to answer before it is live and when it is, and no visitor sees it without the password", async () => {
    const activated = await carryOut("activate", 12);
    assert.deepEqual([activated.code, activated.stderr], [0, ""]);
    assert.match(activated.stdout, /^shop\.test would answer 200 with the new release\.$/m);
    assert.equal(live(), "releases/12");
    const verified = await carryOut("verify-served", 12);
    assert.deepEqual([verified.code, verified.stdout], [0, "shop.test answers 200 with the new release.\n"]);
    assert.deepEqual(readdirSync(layout.state).sort(), ["basic-auth", "deployment-12"], "the passes are gone");
    assert.equal((await nginx.get("shop.test", "/")).status, 401);
  });

  test("that answers 404 is live, which the deployment reports, unless it is what the project expects", async () => {
    const facts = () =>
      existsSync(`${nginx.directory}/facts`) ? readFileSync(`${nginx.directory}/facts`, "utf8") : "";
    const verify = (healthPath: string, healthStatuses: number[]) =>
      carryOut("verify-served", 12, site, { healthPath, healthStatuses, healthTimeoutSeconds: 60 });
    makeLive(layout, 12);
    assert.equal((await verify("/index.html", [])).code, 0);
    assert.equal(facts(), "");
    assert.equal((await verify("/none.txt", [404])).code, 0);
    assert.equal(facts(), "");
    assert.match((await verify("/none.txt", [])).stdout, /answers 404/);
    assert.equal(facts(), "client_error 404\n");
    const { code, stderr } = await verify("/index.html", [201, 204]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^The new release answers 200 to a request for \/index\.html, which is not the expected 201 or 204\.$/m,
    );
    const first = await carryOut("activate", 12, site, {
      healthPath: "/none.txt",
      healthStatuses: [200],
      healthTimeoutSeconds: 60,
    });
    assert.match(first.stderr, /answers 404 .*expected 200\. It was not made live\./);
  });

  test("that breaks is not made live", async () => {
    const { code, stderr } = await carryOut("activate", 13);
    assert.deepEqual([code, stderr], [1, "The new release answers 502 to a request for /. It was not made live.\n"]);
    assert.equal(live(), "releases/1");
  });

  test("that breaks when it is live is noticed", async () => {
    makeLive(layout, 13);
    const { code, stderr } = await carryOut("verify-served", 13);
    assert.deepEqual([code, stderr], [1, "The new release answers 502 to a request for /.\n"]);
  });

  test("is not reported as answering where the site has no pass yet", async () => {
    for (const key of ["activate", "verify-served"]) {
      const { code, stdout } = await carryOut(key, 12, older);
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^old\.test asks for its password here, too: it was not seen what the new release answers\.$/m,
      );
      assert.doesNotMatch(stdout, /answers? 401/);
    }
  });

  test("that was under test when its step was killed leaves no pass when the step is undone", async () => {
    writeFileSync(`${layout.state}/candidate-12-${"0a".repeat(16)}`, "");
    await runBash({ script: stepOf("activate", 12, site).undo ?? "" }, nginx.directory);
    assert.deepEqual(readdirSync(layout.state), ["basic-auth"]);
  });
});

describe("a release that opens the installer of an application again", () => {
  const nginx = new Nginx();
  const siteOf = (id: number, name: string, kind: Site["kind"], over: Partial<Site> = {}): Site => ({
    layout: projectLayout(id, nginx.directory),
    kind,
    domains: [{ name }],
    wwwRedirect: 0,
    redirectStatus: 301,
    ...over,
  });
  const site = siteOf(9, "blog.test", { family: "php" }, { basicAuth: 1 });
  const files = siteOf(10, "files.test", { family: "static", spa: false });
  const { layout } = site;
  /** What releases answer, by name and path: status, location and page. */
  const answers = new Map<string, string>();
  const redirect = (location: string) => `Status: 302\r\nLocation: ${location}\r\n\r\n`;
  const page = (text: string) => `Status: 200\r\nContent-Type: text/html\r\n\r\n${text}`;
  // Answers as PHP would: the id of a FastCGI request is always 1 here, and its script names the release.
  const php = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      const text = data.toString("latin1");
      const release = /releases\/(\d+)\//.exec(text)?.[1] ?? "";
      const path = /REQUEST_URI([!-~]*)/.exec(text)?.[1] ?? "/";
      const output = Buffer.from(answers.get(`${release} ${path}`) ?? answers.get(release) ?? page("posts"));
      socket.end(
        Buffer.concat([
          Buffer.from([1, 6, 0, 1, output.length >> 8, output.length & 255, 0, 0]),
          output,
          Buffer.from([1, 6, 0, 1, 0, 0, 0, 0, 1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ]),
      );
    });
  });

  before(async () => {
    mkdirSync(dirname(layout.phpSocket), { recursive: true });
    for (const each of [site, files]) {
      mkdirSync(each.layout.state, { recursive: true });
      mkdirSync(`${each.layout.directory}/logs`, { recursive: true });
      writeFileSync(`${each.layout.state}/basic-auth`, "ali:no-hash");
      for (const name of [1, 12]) {
        mkdirSync(`${each.layout.releases}/${name}/.longshore`, { recursive: true });
        writeFileSync(`${each.layout.releases}/${name}/index.php`, "");
        writeFileSync(`${each.layout.releases}/${name}/index.html`, "posts");
        symlinkSync("..", `${each.layout.releases}/${name}/.longshore/public`);
      }
    }
    await new Promise<void>((listening) => php.listen(layout.phpSocket, listening));
    chmodSync(layout.phpSocket, 0o777);
    await nginx.start([site, files]);
  });
  beforeEach(() => {
    answers.clear();
    for (const each of [layout, files.layout]) {
      rmSync(each.current, { force: true });
      for (const name of readdirSync(each.state)) if (name !== "basic-auth") rmSync(join(each.state, name));
    }
  });
  after(() => {
    php.close();
    nginx.stop();
  });

  const projectOf = (of: Site, frameworkId: number, health?: HealthCheck) => ({
    layout: of.layout,
    identity: someIdentity,
    framework: findFramework(frameworkId) as Framework,
    site: of,
    directory: "",
    commands: { install: "", build: "", dev: "", custom: "" },
    sharedDirectories: [],
    sharedFiles: [],
    hasEnvironment: false,
    zeroDowntime: true,
    health,
  });
  const source = { url: "https://example.com/blog.git", branch: "main", access: "none" as const };
  const deployment = (of = site, frameworkId = 3, health?: HealthCheck) =>
    deploymentPlan({ project: projectOf(of, frameworkId, health), deploymentId: 12, source });
  const rollback = () => rollbackPlan({ project: projectOf(site, 3), deploymentId: 14, releaseId: 12 });
  const activation = (plan: Plan) => plan.steps.find(({ key }) => key === "activate") as Step;
  const run = (script: string) =>
    runBash({ script: script.replaceAll("http_get 80 ", `http_get ${nginx.port} `) }, nginx.directory);
  const activated = (plan: Plan) => run(activation(plan).script);
  const makeLive = ({ current }: Site["layout"]): void => {
    rmSync(current, { force: true });
    symlinkSync("releases/1", current);
  };

  test("is not made live in place of an installed one, by a deployment or a rollback", async () => {
    answers.set("12", redirect("http://blog.test/wp-admin/setup-config.php"));
    for (const plan of [deployment(), rollback()]) {
      makeLive(layout);
      const { code, stderr } = await activated(plan);
      assert.equal(code, 1, plan.kind);
      assert.match(
        stderr,
        /would show everybody the installer .*leads from \/ to \/wp-admin\/setup-config\.php\. It was not made live/s,
      );
      assert.equal(readlinkSync(layout.current), "releases/1");
    }
    assert.deepEqual(readdirSync(layout.state), ["basic-auth"], "the passes are gone");
  });

  test("is made live as the first one, and in place of one that is not installed either", async () => {
    answers.set("12", redirect("/install.php"));
    assert.equal((await activated(deployment())).code, 0);
    makeLive(layout);
    answers.set("1", redirect("/setup"));
    assert.equal((await activated(rollback())).code, 0);
    assert.equal(readlinkSync(layout.current), "releases/12");
  });

  test("is recognized by where its start page leads, and what that shows", async () => {
    const installers: Record<string, string>[] = [
      { "/": redirect("/install.php") },
      { "/": redirect("install/index.php") },
      { "/": redirect("https://blog.test/installation/") },
      { "/": redirect("/index.php?route=install/start") },
      { "/": redirect("/en/"), "/en/": redirect("../setup") },
      {
        "/": redirect("/i/"),
        "/i/": page("<title>Installation · Reader</title><form method=post><input type='password'>"),
      },
      { "/": page("<meta http-equiv='refresh' content='0; url=core/install.php'>") },
      { "/": page(`<title>Cloud</title>\n<form>\n<input type="hidden" name="install" value="true">`) },
      { "/": page('<h1>Wiki</h1>Please <a href="mw-config/index.php">set up the wiki</a> first.') },
      { "/": page(`<html><title>Setup wizard</title>${"x".repeat(3_000)}<select name="db_engine"></select>`) },
      { "/": page("<h1>Install Shop</h1>") },
      { "/": page("Create the administrator") },
    ];
    for (const pages of installers) {
      makeLive(layout);
      answers.clear();
      for (const [path, answer] of Object.entries(pages)) answers.set(`12 ${path}`, answer);
      const { code, stderr } = await activated(deployment());
      assert.deepEqual([code, /would show everybody/.test(stderr)], [1, true], `${JSON.stringify(pages)} ${stderr}`);
    }
  });

  test("is no site that only writes about installing, or leads elsewhere", async () => {
    const others: Record<string, string>[] = [
      { "/": redirect("/docs/installation/") },
      { "/": redirect("https://other.test/setup") },
      { "/": redirect("/login?next=%2Fsetup") },
      { "/": redirect("/sessions/new") },
      { "/": redirect("/") },
      {
        "/": page(`<html><title>How to install it</title>${"words ".repeat(500)}<form method=post><input name=email>`),
      },
      { "/": page(`<title>Shop</title><h1>Welcome</h1><a href="/setup">Setup</a><input type=password>`) },
    ];
    for (const pages of others) {
      makeLive(layout);
      answers.clear();
      for (const [path, answer] of Object.entries(pages)) answers.set(`12 ${path}`, answer);
      const { code, stderr } = await activated(deployment());
      assert.deepEqual([code, stderr], [0, ""], JSON.stringify(pages));
      rmSync(`${layout.state}/deployment-12`);
    }
  });

  test("is made live for a project that has its health checked there", async () => {
    answers.set("12", redirect("/install.php"));
    answers.set("12 /install.php", page("<h1>Install</h1>"));
    makeLive(layout);
    const health = { healthPath: "/install.php", healthStatuses: [], healthTimeoutSeconds: 60 };
    assert.equal((await activated(deployment(site, 4, health))).code, 0);
  });

  test("is refused during maintenance too", async () => {
    writeFileSync(layout.maintenanceFlag, "");
    answers.set("12", redirect("/install.php"));
    makeLive(layout);
    assert.match((await activated(deployment())).stderr, /would show everybody the installer/);
    answers.clear();
    assert.equal((await activated(deployment())).code, 0);
    assert.equal((await nginx.get("blog.test", "/")).status, 503);
  });

  test("is put back when it is a site of files", async () => {
    makeLive(files.layout);
    const plan = deployment(files, 10);
    const index = `${files.layout.releases}/12/index.html`;
    writeFileSync(index, "<title>Setup</title><form><input name=db_host><input type=password></form>");
    const { code, stderr } = await activated(plan);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /would show everybody the installer .*: it shows one at \//);
    await run(activation(plan).undo ?? "");
    assert.equal(readlinkSync(files.layout.current), "releases/1");
    writeFileSync(index, "<title>Setup</title>of a ship");
    assert.equal((await activated(plan)).code, 0);
  });
});
