import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { logTail, must } from "../api-client.ts";
import { bodyOf, deployToEnd, type Ended, install, openStage, type Project, type Stage } from "./support.ts";

// Each setting of a project that a deployment uses, by what a real server makes of it.

let stage: Stage;
let app: Project;
let shop: Project;

before(async () => {
  stage = await openStage("settings");
  const shows =
    'require("node:http").createServer((_, response) => response.end([process.argv[2], process.env.NODE_OPTIONS, process.cwd().split("/").pop(), process.env.TINT].join(" "))).listen(process.env.PORT, "127.0.0.1");';
  [app, shop] = await Promise.all([
    install(stage, {
      name: "app",
      frameworkId: 8,
      files: {
        "server.js": shows,
        "web/server.js": shows,
        "package.json": '{"scripts":{"start":"node server.js start"}}',
      },
    }),
    install(stage, {
      name: "shop",
      frameworkId: 1,
      files: {
        "package.json": '{"scripts":{"build":"mkdir -p public && date +%s%N > public/built.txt"}}',
        "public/index.php": '<?php echo trim(file_get_contents("built.txt"));',
        "app/Shop.php": "<?php",
      },
    }),
  ]);
});

after(() => stage?.close());

const update = (project: Project, body: object) =>
  must("Updating", stage.client.put(`/api/v1/projects/${project.id}`, body));

async function deployed(project: Project, body: object = {}): Promise<Ended> {
  await update(project, body);
  const ended = await deployToEnd(stage, project);
  assert.equal(ended.status, 1, `${ended.error}\n${logTail(ended)}`);
  return ended;
}

const clientLines = ({ output }: Ended): string => output?.client_payload.join("\n") ?? "";

describe("a Node project", () => {
  it("is limited in memory by systemd, and its heap by Node; saving alone changes nothing", async () => {
    const before = await bodyOf(stage, app);
    assert.match(before, /^start {2}\d+ $/);
    const limits = () =>
      stage.bash(
        `for unit in $(systemctl list-units --no-legend --plain 'longshore-project-${app.id}@*' | awk '{ print $1 }'); do systemctl show --property=MemoryMax --value $unit; done`,
      );
    const without = await limits();
    await update(app, { max_memory: "256MB" });
    assert.equal(await bodyOf(stage, app), before);
    await deployed(app);
    assert.match(await bodyOf(stage, app), /^start --max-old-space-size=192 \d+ $/);
    assert.equal(await limits(), String(256 * 1024 * 1024));
    await deployed(app, { max_memory: "" });
    assert.equal(await limits(), without);
    assert.match(await bodyOf(stage, app), /^start {2}\d+ $/);
  });

  it("is installed, built and started by its own commands, in its directory, and by the defaults again", async () => {
    const custom_commands = {
      install: "echo my install",
      build: "echo my build in $(basename $PWD)",
      dev: "node server.js mine",
      directory: "web",
      custom: "echo my script\necho 'and its \"second\" line'",
    };
    const lines = clientLines(await deployed(app, { custom_commands }));
    assert.deepEqual(lines.split("\n"), ["my install", "my build in web", "my script", 'and its "second" line']);
    assert.match(await bodyOf(stage, app), /^mine {2}web $/);
    const none = { install: "", build: "", dev: "", directory: "", custom: "" };
    const again = clientLines(await deployed(app, { custom_commands: none }));
    assert.match(again, /npm install|has no build script/);
    assert.ok(!again.includes("my "), again);
    assert.match(await bodyOf(stage, app), /^start {2}\d+ $/);
  });

  it("sees its environment with the next deployment", async () => {
    const path = `/api/v1/projects/${app.id}/environment-variables`;
    await must("Setting", stage.client.put(path, { environment_variables: "TINT=red" }));
    assert.doesNotMatch(await bodyOf(stage, app), /red/);
    await deployed(app);
    assert.match(await bodyOf(stage, app), / red$/);
  });

  it("switches to another framework of its family with the next deployment", async () => {
    await deployed(app, {
      framework: "fw_6",
      custom_commands: {
        build:
          "mkdir -p .output/server && cp server.js .output/server/index.mjs && sed -i 's/require(.node:http.)/(await import(\"node:http\"))/' .output/server/index.mjs",
      },
    });
    assert.match(await bodyOf(stage, app), /^ {2}\d+ red$/, "started as Nuxt is");
  });
});

describe("a PHP project", () => {
  it("keeps the frontend that was built while nothing of it changes, unless it is to be built always", async () => {
    const first = await bodyOf(stage, shop);
    assert.match(first, /^\d{15,}$/);
    await stage.git.commit("shop", { files: { "app/Shop.php": "<?php // 2" } });
    assert.match(clientLines(await deployed(shop)), /Nothing that the frontend is built from has changed/);
    assert.equal(await bodyOf(stage, shop), first);
    await deployed(shop, { always_rebuild_frontend: 1 });
    const second = await bodyOf(stage, shop);
    assert.notEqual(second, first);
    await deployed(shop, { always_rebuild_frontend: 0 });
    assert.equal(await bodyOf(stage, shop), second);
    await stage.git.commit("shop", { files: { "resources/app.js": "1" } });
    await deployed(shop);
    assert.notEqual(await bodyOf(stage, shop), second);
  });

  it("keeps what is shared from release to release", async () => {
    await deployed(shop, { shared_directories: ["media/uploads"], shared_files: ["config/local.ini"] });
    await stage.bash(`
      echo kept > ${shop.home}/current/media/uploads/a.txt
      echo also > ${shop.home}/current/config/local.ini`);
    await deployed(shop);
    const kept = await stage.bash(`cat ${shop.home}/current/media/uploads/a.txt ${shop.home}/current/config/local.ini`);
    assert.equal(kept, "kept\nalso");
    await deployed(shop, { shared_directories: null, shared_files: "" });
    assert.equal(await stage.bash(`ls -d ${shop.home}/current/media 2> /dev/null || echo gone`), "gone");
    assert.equal(await stage.bash(`cat ${shop.home}/shared/media/uploads/a.txt`), "kept", "and nothing is lost");
  });

  it("is not made live when it answers with errors only: no visitor meets one", async () => {
    const before = await bodyOf(stage, shop);
    await stage.git.commit("shop", { files: { "public/index.php": "<?php http_response_code(500);" } });
    let isOver = false;
    const met = new Set<string>();
    const visitors = (async () => {
      while (!isOver) met.add(await bodyOf(stage, shop));
    })();
    const ended = await deployToEnd(stage, shop);
    isOver = true;
    await visitors;
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /answers 500 to a request for \/\. It was not made live\./);
    assert.deepEqual([...met], [before]);
    assert.equal(await stage.bash(`find ${shop.home}/state -name 'candidate-*'`), "");
  });

  it("serves what another framework of its family serves", async () => {
    await stage.git.commit("shop", { files: { "public/index.php": null, "web/index.php": "<?php echo 'from web';" } });
    await deployed(shop, { framework_id: 4, custom_commands: { build: "rm -rf public" } });
    assert.equal(await bodyOf(stage, shop), "from web");
  });
});
