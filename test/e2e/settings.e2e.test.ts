import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { logTail, must, waitFor } from "../api-client.ts";
import { makePhpArchive, type PhpArchive } from "./php-archive.ts";
import {
  bodyOf,
  deployToEnd,
  type Ended,
  endOf,
  install,
  openStage,
  type Project,
  type Stage,
  startVisitor,
  waiting,
} from "./support.ts";

// Each setting of a project that a deployment uses, by what a real server makes of it.

let stage: Stage;
let app: Project;
let shop: Project;
let keys: string;
let archive: PhpArchive;

before(async () => {
  keys = await mkdtemp(join(tmpdir(), "longshore-php-archive-"));
  archive = await makePhpArchive(keys);
  stage = await openStage("settings", archive.settings);
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

after(async () => {
  await stage?.close();
  await rm(keys, { recursive: true, force: true });
});

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

describe("the version of PHP", () => {
  const own = /^8\.2\.\d+$/;
  const chosen = /^8\.3\.\d+$/;
  let neighbour: Project;
  let job: number;

  before(async () => {
    const files = { "index.php": "<?php echo PHP_VERSION;" };
    await stage.bash(`${archive.build("8.3")}\n${archive.publish("foreign")}`);
    [shop, neighbour] = await Promise.all([
      install(stage, { name: "versions", frameworkId: 4, files }),
      install(stage, { name: "neighbour", frameworkId: 4, files }),
    ]);
    const path = `/api/v1/projects/${shop.id}/background-jobs`;
    const command = "php -r 'echo PHP_VERSION, PHP_EOL;'; exec sleep infinity";
    const body = { name: "Version", command };
    job = (await must("Adding a job", stage.client.post<{ data: { id: number } }>(path, body))).data.id;
  });

  const command = async (text: string): Promise<string> => {
    const path = `/api/v1/projects/${shop.id}/commands`;
    const { data } = await must("Running", stage.client.post<{ data: { id: number } }>(path, { command: text }));
    return waitFor(
      "the command to end",
      async () => {
        const found = stage.client.get<{ data: { ended_at: string | null; log: { data: { text: string }[] } } }>(
          `${path}/${data.id}`,
        );
        const { ended_at, log } = (await must("Reading", found)).data;
        return ended_at !== null && log.data.map(({ text }) => text).join("\n");
      },
      waiting,
    );
  };

  const lastOfJob = () =>
    stage.bash(`journalctl --namespace=longshore -o cat -t project-${shop.id}-job-${job} -g '^8[.]' -n 1`);

  /** Deploys while visitors come; resolves with the deployment. */
  async function underVisits(deploying: () => Promise<Ended>): Promise<Ended> {
    const visitor = startVisitor(stage, shop, (body) => own.test(body) || chosen.test(body));
    const ended = await deploying().finally(() => visitor.stop());
    const { visits, wrong } = await visitor.stop();
    assert.deepEqual(wrong, [], `of ${visits}`);
    assert.equal(ended.status, 1, `${ended.error}\n${logTail(ended)}`);
    return ended;
  }

  const logOf = ({ output }: Ended): string => JSON.stringify(output);

  it("is not taken from an archive with a foreign key, and nothing of it is left on the server", async () => {
    await update(shop, { php_version: "8.3" });
    const ended = await deployToEnd(stage, shop);
    assert.equal(ended.status, 2);
    assert.match(
      ended.error ?? "",
      /^The key at http.* is not the one that signs the PHP packages: .*Nothing of it was used\.$/,
    );
    assert.match(await bodyOf(stage, shop), own);
    assert.equal(await stage.bash("find /etc/apt -name '*longshore-php*'"), "");
  });

  it("is the project's own with its next deployment, and that of its commands and jobs; no request is lost", async () => {
    await stage.bash(archive.publish("own"));
    const before = await stage.bash("dpkg-query -W php-common php8.2-cli libsodium23; php -v");
    const ended = await underVisits(() => deployToEnd(stage, shop));
    assert.match(logOf(ended), /PHP 8\.3, as the project's php_version says/);
    assert.match(await bodyOf(stage, shop), chosen);
    assert.match(await command("php -v"), /^PHP 8\.3\./m);
    await waitFor("the job to print", async () => chosen.test(await lastOfJob()), waiting);
    assert.match(await bodyOf(stage, neighbour), own);
    assert.equal(await stage.bash("dpkg-query -W php-common php8.2-cli libsodium23; php -v"), before);
    const upgrades = await stage.bash("apt-get --simulate dist-upgrade | grep -c '9:99' || true");
    assert.equal(upgrades, "0");
    const state = await stage.bash(
      "systemctl is-active php8.3-fpm || true; ls /etc/php/8.3/fpm/conf.d/60-longshore.ini",
    );
    assert.equal(state, "inactive\n/etc/php/8.3/fpm/conf.d/60-longshore.ini");
  });

  it("comes back with a rollback, and goes again when it is no longer set", async () => {
    const path = `/api/v1/projects/${shop.id}/rollback-candidates`;
    const [former] = await must("Listing", stage.client.get<{ id: number }[]>(path));
    const back = async () => {
      const begun = stage.client.post<{ deployment_id: number }>(`/api/v1/deployments/${former?.id}/rollback`);
      return endOf(stage, (await must("Rolling back", begun)).deployment_id);
    };
    await underVisits(back);
    assert.match(await bodyOf(stage, shop), own);
    assert.match(await command("php -v"), /^PHP 8\.2\./m);
    await underVisits(() => deployToEnd(stage, shop));
    assert.match(await bodyOf(stage, shop), chosen);
    await update(shop, { php_version: null });
    const ended = await underVisits(() => deployToEnd(stage, shop));
    assert.match(logOf(ended), /PHP 8\.2, which is the server's own/);
    assert.match(await bodyOf(stage, shop), own);
    await waitFor("the job to print", async () => own.test(await lastOfJob()), waiting);
  });

  it("is named by Composer's words when the project needs another", async () => {
    await stage.git.commit("versions", { files: { "composer.json": '{"require":{"php":"^8.4"}}' } });
    const ended = await deployToEnd(stage, shop);
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /needs another version of PHP than 8\.2, .* Set php_version to one /);
  });
});
