import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { PhpUpdate } from "../../contract/types.ts";
import { phpExtensions } from "../../src/host/php/php-extensions.ts";
import {
  bodyOf,
  changeServed,
  deployToEnd,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
} from "../../stage/support.ts";

// The PHP settings of a project, by their effect on a real server.

let stage: Stage;
let shop: Project;
let other: Project;

const names = ["memory_limit", "max_execution_time", "opcache.memory_consumption", "opcache.enable"];
const index = `<?php echo json_encode(array_map('ini_get', ${JSON.stringify(names)}));`;
const files = {
  "public/index.php": index,
  "public/upload.php": "<?php echo $_FILES['file']['size'] ?? 'nothing';",
  "public/extensions.php": "<?php echo implode(' ', array_map('strtolower', get_loaded_extensions()));",
};

before(async () => {
  stage = await openStage("php");
  [shop, other] = (await Promise.all(
    ["shop", "other"].map((name) => install(stage, { name, frameworkId: 4, files })),
  )) as [Project, Project];
}, lengthy);
after(() => stage?.close());

const change = (body: PhpUpdate, { id }: Project = shop) =>
  stage.client("PUT /api/v1/projects/{id}/php", { params: { id }, body });

const shown = async ({ id }: Project = shop) =>
  (await stage.client("GET /api/v1/projects/{id}/php", { params: { id } })).data;

const poolOf = ({ home }: Project) => stage.bash(`cat ${home}/php-fpm.conf ${home}/php-ini/longshore.ini`);

describe("the PHP of a project", () => {
  it("has the settings of its project and of no other, without a deployment and without a lost request", async () => {
    const before = await bodyOf(stage, shop);
    const visitor = startVisitor(stage, shop, (body) => body.startsWith("["));
    const asked = {
      ...{ memory_limit_mb: 384, max_execution_seconds: 400, max_workers: 7 },
      ...{ opcache_memory_mb: 96 },
    };
    const { message } = await change(asked);
    assert.equal(message, "PHP has the settings.");
    assert.equal(await bodyOf(stage, shop), '["384M","400","96","1"]');
    await change({ opcache_is_enabled: false, max_workers: 8 });
    assert.equal(await bodyOf(stage, shop), '["384M","400","96","0"]');
    const { visits, wrong } = await visitor.stop();
    assert.deepEqual(wrong, []);
    assert.ok(visits > 10, String(visits));
    assert.equal(await bodyOf(stage, other), before);
    assert.match(await poolOf(shop), /pm\.max_children = 8\n.*request_terminate_timeout = 430s/s);
    assert.match(
      await stage.bash(`cat /etc/nginx/sites-enabled/longshore-project-${shop.id}.conf`),
      /fastcgi_read_timeout 400s;/,
    );
    assert.equal((await shown()).sync.state, "applied");
    // A deployment keeps them, and null is the server's value again.
    assert.equal((await deployToEnd(stage, shop)).status, 1);
    assert.equal(await bodyOf(stage, shop), '["384M","400","96","0"]');
    await change({
      memory_limit_mb: null,
      max_execution_seconds: null,
      opcache_memory_mb: null,
      opcache_is_enabled: true,
    });
    assert.equal(await bodyOf(stage, shop), before);
  });

  it("takes an upload of 20 MB once the project allows it, and not before", async () => {
    const upload = () =>
      stage.bash(`
        head -c 20000000 /dev/zero > /tmp/upload
        curl -s -o /tmp/answer -w '%{http_code} ' -F file=@/tmp/upload -H 'Host: ${shop.domain}' http://127.0.0.1/upload.php
        head -c 100 /tmp/answer`);
    const limit = (max_upload_mb: number) => changeServed(stage, shop, { max_upload_mb });
    await limit(10);
    assert.match(await upload(), /^413 /);
    await limit(50);
    assert.equal(await upload(), "200 20000000");
  });

  it("loads an extension for this project alone", async () => {
    const loaded = async (project: Project) => (await bodyOf(stage, project, "/extensions.php")).split(" ");
    assert.ok(!(await loaded(shop)).includes("uuid"));
    await change({ extensions: ["uuid"] });
    assert.ok((await loaded(shop)).includes("uuid"));
    await stage.bash(`systemctl restart longshore-project-${other.id}-php.service`);
    assert.ok(!(await loaded(other)).includes("uuid"));
    assert.match(await stage.bash("php -m"), /^uuid$/m);
    await change({ extensions: [] });
    assert.ok(!(await loaded(shop)).includes("uuid"));
  });

  it("is as before when the server refuses a change, and the answer has the reason", async () => {
    await change({ max_workers: 9 });
    const before = await poolOf(shop);
    const archived = await stage.bash("apt-cache pkgnames php8.2-");
    const missing = phpExtensions.find((each) => !archived.split("\n").includes(`php8.2-${each}`));
    assert.ok(missing, "there is one that the distribution lacks");
    const asked = change({ extensions: [missing, "uuid"], memory_limit_mb: 99 });
    await assert.rejects(asked, new RegExp(`taken back\\. There is no extension ${missing} for PHP`));
    const { extensions, memory_limit_mb, max_workers, refusal } = await shown();
    assert.deepEqual([extensions, memory_limit_mb, max_workers], [[], null, 9]);
    assert.match(refusal ?? "", /There is no extension/);
    assert.equal(await poolOf(shop), before);
    await stage.bash(`systemctl is-active longshore-project-${shop.id}-php.socket`);
    assert.match(await bodyOf(stage, shop), /^\["256M"/);
    // What PHP-FPM itself rejects: the test of its settings fails.
    await stage.bash(
      "mv /usr/sbin/php-fpm8.2 /usr/sbin/php-fpm8.2.own; printf '#!/bin/sh\\necho no such setting\\nexit 78\\n' > /usr/sbin/php-fpm8.2; chmod +x /usr/sbin/php-fpm8.2",
    );
    try {
      await assert.rejects(change({ max_workers: 10 }), /PHP-FPM rejects the settings/);
    } finally {
      await stage.bash("mv /usr/sbin/php-fpm8.2.own /usr/sbin/php-fpm8.2");
    }
    assert.equal(await poolOf(shop), before);
    assert.equal((await shown()).max_workers, 9);
  });

  it("has the log of its framework, as far as the project's own user can read it", async () => {
    const lines = async () => {
      const query = { type: "app" as const, q: "" };
      return (await stage.client("GET /api/v1/projects/{id}/logs", { params: { id: shop.id }, query })).data.lines;
    };
    const logs = `${shop.home}/current/storage/logs`;
    assert.deepEqual(await lines(), []);
    await stage.bash(`
      install -d -o project-${shop.id} -g project-${shop.id} ${shop.home}/current/storage ${logs}
      echo '[2026-03-01 10:20:30] production.ERROR: It is stuck' > ${logs}/laravel.log
      chown project-${shop.id} ${logs}/laravel.log`);
    assert.deepEqual(await lines(), ["[2026-03-01 10:20:30] production.ERROR: It is stuck"]);
    await stage.bash(`ln -sf /etc/shadow ${logs}/laravel.log`);
    assert.deepEqual(await lines(), []);
    await stage.bash(
      `rm ${logs}/laravel.log; rmdir ${logs}; mkdir /root/logs; cp /etc/shadow /root/logs/laravel.log; ln -s /root/logs ${logs}`,
    );
    assert.deepEqual(await lines(), []);
    await stage.bash(`rm -r ${logs} /root/logs; install -m 600 -D /etc/shadow ${logs}/laravel.log`);
    assert.ok(!(await lines().catch(() => [])).join().includes("root:"));
  });

  it("is refused by the API with a sentence where a value cannot be", async () => {
    await assert.rejects(change({ max_workers: 0 }), /max.workers|at least|1/i);
    await assert.rejects(change({ extensions: ["../x" as "uuid"] }), /Entry 1 of extensions must be/);
    const { most_workers } = await shown();
    assert.ok(most_workers !== null && most_workers > 0);
    if (most_workers < 1_000) await assert.rejects(change({ max_workers: most_workers + 1 }), /at most \d+ workers/);
  });
});
