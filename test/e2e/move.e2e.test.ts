import assert from "node:assert/strict";
import { request } from "node:https";
import { after, before, describe, it, type TestContext } from "node:test";
import type { TLSSocket } from "node:tls";
import type { DeploymentReply } from "../../contract/types.ts";
import { cutNetwork, downServer, healNetwork, rebootServer } from "../../sandbox/sandbox.ts";
import { keySource, loadConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/data-directory.ts";
import { openPool, type Pool } from "../../src/db/pool.ts";
import { openSecretBox } from "../../src/lib/secrets.ts";
import { deploymentEnd, logTail, waitFor } from "../../stage/api-client.ts";
import { visit } from "../../stage/projects.ts";
import {
  install,
  lengthy,
  openStage,
  type Place,
  type Project,
  type Stage,
  secondServer,
  waiting,
} from "../../stage/support.ts";
import { assertRecordsAreWhole } from "./matrix/checks.ts";
import { Faults } from "./matrix/faults.ts";
import { type Gate, Gates } from "./matrix/gates.ts";
import { chosenStart, complete, seed } from "./matrix/scope.ts";
import { mountSmallDisk } from "./matrix/small-disk.ts";
import { type FaultName, reasonOf, survives } from "./matrix/table.ts";
import { everywhere, leadThrough, type Strikes, strike } from "./matrix/walk.ts";

// Two servers, between which projects are moved back and forth: under load, and interrupted at each of their steps.

const environment = { LONGSHORE_MOVE_SILENCE_SECONDS: "20", LONGSHORE_SSH_CONNECT_TIMEOUT_SECONDS: "10" };

let stage: Stage;
let faults: Faults;
let gates: Gates;
let east: Place;
let west: Place;
let pool: Pool;
let shop: Project;
let album: Project;
/** Serves over TLS. */
let diary: Project;
/** The requests taken so far. */
let contents: { orders: number[]; photos: number[] };

const password = "a password of 'some' \\ length";

// Without external packages: the database's own program queries it.
const shopServer = `
  const { execFile } = require("node:child_process");
  const ask = (sql, answer) => execFile("mariadb", ["-ushop", "-hlocalhost", "shop", "-Ne", sql],
    { env: { ...process.env, MYSQL_PWD: process.env.DATABASE_PASSWORD } }, (error, out) => answer(error ? 500 : 200, out));
  require("node:http").createServer((request, response) => {
    const n = Number(new URL(request.url, "http://x").searchParams.get("order"));
    ask(n ? "insert into orders values (" + n + "); select 'taken'" : "select group_concat(n order by n) from orders",
      (status, body) => { response.statusCode = status; response.end(body); });
  }).listen(process.env.PORT, "127.0.0.1");
`;

const albumPage = `<?php
  $photo = (int) ($_GET["photo"] ?? 0);
  if ($photo) { file_put_contents(__DIR__ . "/../uploads/$photo", "photo $photo"); echo "kept"; exit; }
  $all = array_diff(scandir(__DIR__ . "/../uploads"), [".", ".."]);
  sort($all, SORT_NUMERIC);
  echo implode(",", $all), "\\n";
`;

before(async () => {
  stage = await openStage("move", environment);
  faults = new Faults(stage, environment);
  east = { server: stage.server, id: stage.serverId, bash: stage.bash };
  west = await secondServer(stage, "west");
  await connectDatabase();
  [shop, album, diary] = await Promise.all([installShop(), installAlbum(), installDiary()]);
}, lengthy);

after(async () => {
  await pool?.end();
  await gates?.close();
  await faults?.end();
  if (west) await downServer(west.server.name);
  await stage?.close();
});

const config = () => loadConfig({ LONGSHORE_DATA: stage.platform.dataDirectory });

async function connectDatabase(): Promise<void> {
  const { url } = await openDatabase(config(), "admin");
  pool = openPool(url, { applicationName: "longshore-test" });
  gates = Gates.open({ url, dataDirectory: stage.platform.dataDirectory }, [east, west]);
}

async function installShop(): Promise<Project> {
  await east.bash(`mariadb <<'SQL'
    create database shop; create user shop@localhost identified by ${JSON.stringify(password)};
    grant all on shop.* to shop@localhost; create table shop.orders (n int primary key);
SQL
    export MYSQL_PWD=${JSON.stringify(password)}
    mariadb -ushop shop -e "create view latest as select max(n) as n from orders"`);
  const project = await install(stage, {
    name: "shop",
    files: { "server.js": shopServer },
    frameworkId: 8,
    commands: {
      install: "true",
      build: "mariadb -ushop -hlocalhost shop -e 'select 1' > built",
      dev: "node server.js",
    },
    more: {
      environment_variables: `DATABASE_PASSWORD=${JSON.stringify(password)}\nMYSQL_PWD=${JSON.stringify(password)}`,
    },
  });
  const encrypted = openSecretBox(keySource(config())).encrypt(password);
  await pool.query(
    `insert into databases (server_id, project_id, database_type, database_name, username, password, status)
     values ($1, $2, 'mariadb', 'shop', 'shop', $3, 1)`,
    [east.id, project.id, encrypted],
  );
  return project;
}

async function installAlbum(): Promise<Project> {
  const project = await install(stage, {
    name: "album",
    files: { "public/index.php": albumPage },
    frameworkId: 4,
    more: { shared_directories: ["uploads"] },
  });
  const params = { id: project.id };
  const background = { name: "develop", command: "exec sleep infinity" };
  await stage.client("POST /api/v1/projects/{id}/background-jobs", { params, body: background });
  const scheduled = { name: "tidy", command: "true", cron_expression: "0 3 * * *" };
  await stage.client("POST /api/v1/projects/{id}/scheduler-jobs", { params, body: scheduled });
  return project;
}

// With a self-signed certificate, in the certificates' directory.
async function installDiary(): Promise<Project> {
  const project = await install(stage, { name: "diary", files: { "index.html": "dear diary\n" } });
  const directory = `/etc/longshore/tls/project-${project.id}/1`;
  await east.bash(`install -d -m 700 ${directory} && cd ${directory} && umask 077
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=diary \
      -addext subjectAltName=DNS:${project.domain} -keyout privkey.pem -out fullchain.pem 2>/dev/null`);
  await pool.query(
    `insert into certificates (project_id, status, version, server_id, names, not_before, not_after)
     values ($1, 1, 1, $2, $3, now(), now() + interval '30 days')`,
    [project.id, east.id, [project.domain]],
  );
  await stage.client("GET /api/v1/projects/{id}/publish", { params: { id: project.id }, query: { force_ssl: 1 } });
  return project;
}

// Moving ----------------------------------------------------------------------------------------------------------------------

async function move({ id }: Project, to: Place): Promise<number> {
  const request = { params: { id }, body: { server_id: to.id } };
  return (await stage.client("POST /api/v1/projects/{id}/move", request)).deployment_id;
}

const endOf = (id: number): Promise<DeploymentReply> => deploymentEnd(stage.client, id, waiting);

const serverOf = async (project: Project): Promise<number> =>
  (await stage.client("GET /api/v1/projects/{id}", { params: { id: project.id } })).server_id;

/** Where a project is, and where it could go. */
const sidesOf = async (project: Project): Promise<[Place, Place]> =>
  (await serverOf(project)) === east.id ? [east, west] : [west, east];

/** Status 0: no answer, as over TLS without a certificate. */
const ask = (place: Place, project: Project, query = ""): Promise<{ status: number; body: string }> =>
  project === diary
    ? askSecurely(place, diary).catch(() => ({ status: 0, body: "" }))
    : visit({ address: place.server.address, host: project.domain, path: `/${query}` });

/** What a visitor of a site with TLS gets, and the owner of its certificate. */
const askSecurely = (
  { server }: Place,
  { domain }: Project,
): Promise<{ status: number; body: string; fingerprint: string | undefined }> =>
  new Promise((resolve, reject) => {
    // No session is resumed: a resumed one shows no certificate.
    const identity = { servername: domain, headers: { host: domain } };
    const options = { host: server.address, ...identity, rejectUnauthorized: false, agent: false as const };
    request(options, (response) => {
      const fingerprint = (response.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256;
      response.setEncoding("utf8");
      let body = "";
      response.on("data", (piece: string) => {
        body += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body, fingerprint }));
    })
      .on("error", reject)
      .end();
  });

/** Everything that a project, or its move, may have left on a server. */
const leftoversOn = ({ bash }: Place, { id }: Project): Promise<string> =>
  bash(`
    ls -d /srv/longshore/projects/${id} /etc/longshore/tls/project-${id} /usr/local/lib/longshore/move-* 2>/dev/null || true
    find /etc /run/longshore-php -name '*longshore-project-${id}*' -o -name '${id}.sock' -o -name '${id}.nft' 2>/dev/null || true
    getent passwd project-${id} project-${id}-git || true
    grep longshore-move /root/.ssh/authorized_keys || true
    systemctl list-units --all --no-legend --plain 'longshore-project-${id}@*' 'longshore-project-${id}-*'
    mariadb -Ne "show databases like 'shop'; select User from mysql.user where User = 'shop'" | sed 's/^/database /' |
      grep -v '${id === shop?.id ? "^$" : "database"}' || true`);

/** Whether a server that the project has left forwards its visitors. */
const isForwarding = async ({ id }: Place, project: Project): Promise<boolean> =>
  (await pool.query("select 1 from forwardings where project_id = $1 and server_id = $2", [project.id, id]))
    .rowCount === 1;

/** What is left of a project on a server besides what it needs to forward visitors. */
async function leftoversBesidesForwarding(place: Place, project: Project): Promise<string> {
  const left = await leftoversOn(place, project);
  if (!(await isForwarding(place, project))) return left;
  const site = `/etc/nginx/sites-(available|enabled)/longshore-project-${project.id}\\.conf(\\.served)?`;
  const kept = new RegExp(`^(${site}|/etc/longshore/tls/project-${project.id})$`);
  return left
    .split("\n")
    .filter((line) => !kept.test(line))
    .join("\n");
}

/**
 * Only this place serves the project, and nothing of it is left at the other, which forwards visitors if the project was there; both
 * reach that state automatically.
 */
async function assertOnlyAt(place: Place, project: Project): Promise<void> {
  const other = place === east ? west : east;
  await waitFor(
    `nothing to be left of ${project.name} on the other server`,
    async () => (await pool.query("select 1 from moves")).rowCount === 0,
    waiting,
  );
  assert.equal(await serverOf(project), place.id);
  assert.equal(await leftoversBesidesForwarding(other, project), "");
  for (const asked of (await isForwarding(other, project)) ? [place, other] : [place]) {
    await waitFor(`${project.name} to be served`, async () => (await ask(asked, project)).status === 200, waiting);
    const { status, body } = await ask(asked, project);
    assert.deepEqual({ status, body }, { status: 200, body: bodyOf(project) });
  }
  assert.equal(await place.bash("grep longshore-move /root/.ssh/authorized_keys || true"), "");
}

const bodyOf = (project: Project): string =>
  project === diary ? "dear diary\n" : `${(project === shop ? contents.orders : contents.photos).join(",")}\n`;

// Faults --------------------------------------------------------------------------------------------------------------------

interface Blow {
  fault: FaultName;
  /** Whose server it hits; by default that of the step, and between runs the destination. */
  of?: "source" | "destination";
}

const plans = ["opening", "copying", "building", "holding", "finishing", "removing", "releasing", "undoing"];

/** Leads a project to the other server, with blows by turns at the steps of its runs and at the phases in between. */
async function leadOver(project: Project, blows: readonly Blow[], strikes: Strikes, t: TestContext): Promise<void> {
  const [source, destination] = await sidesOf(project);
  await gates.clear();
  for (const plan of ["move", ...plans.map((each) => `move-${each}`)]) await gates.hold(plan);
  // It fails first, at its last step, so that what puts it back is struck too.
  await gates.fail("move-finishing", "verify-served");
  const says = [/made to fail/, ...blows.map(({ fault }) => reasonOf[fault])];
  const boots = blows.some(({ fault }) => fault === "reboot");
  const isDecided = async () => (await pool.query("select 1 from moves where outcome is null")).rowCount === 0;
  let id = 0;
  await leadThrough(
    gates,
    {
      begin: async () => {
        id = await move(project, destination);
      },
      isOver: async () => (await pool.query("select 1 from moves")).rowCount === 0,
      look: async (gate) => {
        const look = async () => assertServedOnce(project, { source, destination }, gate, await isDecided());
        // A server that has just booted takes a moment.
        await (boots ? waitFor("the sites to be served", () => look().then(() => true), waiting) : look());
      },
      strike: async (gate, count) => {
        const { fault, of } = blows[count % blows.length] as Blow;
        const place = of ? { source, destination }[of] : (gate.server ?? destination);
        await strike({ faults, gates }, fault, place, gate, async () => {
          await gates.passToEnd(gate);
          // Its server is silent while visitors are held: the move is given up before it is back.
          if (gate.server === place && /^move-(holding|finishing)/.test(gate.name)) {
            await waitFor("the move to be given up", isDecided, waiting);
          }
        });
      },
      end: async () => {
        const ended = await endOf(id);
        await gates.mend();
        await assertOnlyAt(ended.status === 1 ? destination : source, project);
        if (blows.every(({ fault }) => survives(fault) && fault !== "network")) await assertRecords(id);
        assert.ok(ended.status === 1 || says.some((reason) => reason.test(ended.error ?? "")), ended.error ?? "");
        return ended.status === 1;
      },
    },
    strikes,
    t,
  );
}

/**
 * Until visitors are held only the source serves them, from the switch on only the destination. When a move is given up because
 * the destination is silent, its run there continues until it can be cancelled: the source, to which the names lead, serves then.
 */
async function assertServedOnce(
  project: Project,
  { source, destination }: { source: Place; destination: Place },
  { name }: Gate,
  isDecided: boolean,
): Promise<void> {
  const [there, here] = await Promise.all([ask(source, project), ask(destination, project)]);
  const isServed = ({ status, body }: typeof there) => status === 200 && body === bodyOf(project);
  const seen = `${name}: ${there.status} ${there.body} at the source, ${here.status} ${here.body} at the destination`;
  if (/^move(-opening|-copying|-building|\.(open|copy|build|hold)$)/.test(name)) {
    // It forwards, if the project was there before.
    assert.ok(isServed(there) && (here.status !== 200 || isServed(here)), seen);
  } else if (/^move(-finishing|\.(finish|switch)$)/.test(name)) {
    assert.ok(there.status === 503 || (isDecided && isServed(there)), seen);
  } else if (/^move(-removing|\.succeeded$)/.test(name)) {
    assert.ok(isServed(here) && (there.status === 503 || isServed(there)), seen);
  }
}

/** The database has what the runs of a move reported on both servers. */
async function assertRecords(id: number): Promise<void> {
  const { rows } = await pool.query("select * from runs where subject = 'deployment' and subject_id = $1", [id]);
  for (const place of [east, west]) {
    await assertRecordsAreWhole(
      { pool, stage: place },
      rows.filter((run) => run.server_id === place.id),
    );
  }
}

/** A visitor that writes in a loop, and remembers what the site acknowledged. */
function startWriter(place: Place, project: Project, verb: "order" | "photo", from: number) {
  const taken: number[] = [];
  const wrong: string[] = [];
  let held = 0;
  let heldMs = 0;
  let isStopped = false;
  const walk = async () => {
    let heldAt = 0;
    for (let n = from; !isStopped; n++) {
      const { status, body } = await ask(place, project, `?${verb}=${n}`);
      if (status === 200) taken.push(n);
      else if (status === 503 && body.includes("Back in a moment")) {
        held += 1;
        heldAt ||= performance.now();
        heldMs = performance.now() - heldAt;
      } else wrong.push(`${status}: ${body.slice(0, 200)}`);
    }
  };
  const walking = walk();
  const stop = async () => {
    isStopped = true;
    await walking;
    return { taken, wrong, held, heldMs };
  };
  return { stop };
}

// -----------------------------------------------------------------------------------------------------------------------------

describe("a move", () => {
  it("takes files and databases along, with what is written until visitors are held, and forwards them then", async (t) => {
    const writers = [startWriter(east, shop, "order", 1), startWriter(east, album, "photo", 1)];
    const ids = [await move(shop, west), await move(album, west)];
    const [moved, other] = await Promise.all(ids.map(endOf));
    const [orders, photos] = await Promise.all(writers.map((writer) => writer.stop()));
    assert.equal(moved?.status, 1, moved && logTail(moved, 40));
    assert.equal(other?.status, 1, other?.error ?? "");
    assert.deepEqual([orders?.wrong.slice(0, 3), photos?.wrong.slice(0, 3)], [[], []]);
    assert.ok(orders && photos && orders.taken.length > 5 && photos.taken.length > 5, "there was load");
    assert.ok(orders.held > 0 && photos.held > 0, "visitors were asked to come back");
    contents = { orders: orders.taken, photos: photos.taken };
    await assertOnlyAt(west, shop);
    await assertOnlyAt(west, album);
    t.diagnostic(`${orders.taken.length} orders and ${photos.taken.length} photos were taken meanwhile, none is lost`);
    t.diagnostic(`held for ${Math.round(orders.heldMs)} ms (Node, MariaDB) and ${Math.round(photos.heldMs)} ms (PHP)`);
    assert.match(moved.description, new RegExp(`^Moved to .* Point ${shop.domain} at ${west.server.address} `));
    assert.equal(moved.output?.process_type, "move");
    assert.ok(!JSON.stringify(moved).includes(password), "the log shows no password");
  });

  it("has the project's jobs run on its new server", async () => {
    const isActive = async () => {
      const { data } = await stage.client("GET /api/v1/projects/{id}/background-jobs", { params: { id: album.id } });
      return data.every((job) => job.status === "active");
    };
    await waitFor("the jobs to be active", isActive, waiting);
    const units = await west.bash(`systemctl list-units --no-legend --plain 'longshore-project-${album.id}-job-*'`);
    assert.match(units, /active +running/);
    assert.match(await west.bash(`cat /etc/cron.d/longshore-project-${album.id}`), /^0 3 \* \* \* /m);
  });

  it("names a shared file that it cannot copy, and leaves sparse files sparse", async () => {
    const uploads = `${album.home}/shared/uploads`;
    await west.bash(`cd ${uploads} && echo mine > by-root.txt && chmod 600 by-root.txt`);
    const refused = await endOf(await move(album, east));
    assert.equal(refused.status, 2);
    assert.match(refused.error ?? "", /by-root\.txt \(Permission denied\).*project-\d+ must be able to read/);
    await west.bash(`rm ${uploads}/by-root.txt`);
    await assertOnlyAt(west, album);
    await west.bash(
      `cd ${uploads} && runuser -u project-${album.id} -- bash -c 'truncate -s 300M disk.img && printf end >> disk.img'`,
    );
    const moved = await endOf(await move(album, east));
    assert.equal(moved.status, 1, moved.error ?? "");
    const [size, kilobytes] = (await east.bash(`cd ${uploads} && stat -c %s disk.img && du -k disk.img`)).split(/\s+/);
    assert.equal(Number(size), 300 * 1024 * 1024 + 3);
    assert.ok(Number(kilobytes) < 1_000, `${kilobytes} kB on the disk`);
    await east.bash(`rm ${uploads}/disk.img`);
    await assertOnlyAt(east, album);
    const back = await endOf(await move(album, west));
    assert.equal(back.status, 1, back.error ?? "");
    await assertOnlyAt(west, album);
  });

  it("takes the certificate and the deploy key along, so that TLS works and the repository is read as before", async () => {
    const before = await askSecurely(east, diary);
    const keyOf = (place: Place) => place.bash(`cat ${diary.home}/deploy_key ${diary.home}/deploy_key.pub`);
    const key = await keyOf(east);
    const ended = await endOf(await move(diary, west));
    assert.equal(ended.status, 1, logTail(ended, 40));
    assert.deepEqual(await askSecurely(west, diary), before);
    assert.equal(before.body, "dear diary\n");
    assert.equal(await keyOf(west), key);
    const modes = await west.bash(`cd /etc/longshore/tls && find project-${diary.id} -printf '%P %m %U\n' | sort`);
    assert.equal(modes, "700 0\n1 700 0\n1/fullchain.pem 644 0\n1/privkey.pem 600 0");
    await waitFor(
      "nothing to be left of it",
      async () => (await pool.query("select 1 from moves")).rowCount === 0,
      waiting,
    );
    assert.equal(await leftoversBesidesForwarding(east, diary), "");
    assert.deepEqual(
      await askSecurely(east, diary),
      before,
      "visitors who still come to the former server are forwarded",
    );
    const log = JSON.stringify(ended);
    assert.ok(!/PRIVATE KEY/.test(log), "the log shows no key");
  });

  const blows: Blow[] = complete ? [{ fault: "control plane" }] : [{ fault: "control plane" }, { fault: "PostgreSQL" }];
  const where = complete ? "at every step of every run" : `or PostgreSQL, at some of its steps (seed ${seed})`;
  it(`continues wherever the control plane is killed: ${where}`, (t) =>
    leadOver(shop, blows, complete ? everywhere : { every: 7, first: chosenStart(7) }, t));

  const failing: [plan: string, key: string][] = [
    ["move-opening", "authorize-destination"],
    ["move-copying", "copy-shared-files"],
    ["move-building", "build"],
    ["move-holding", "hold"],
    ["move-finishing", "copy-database-shop"],
    ["move-finishing", "verify-served"],
  ];
  for (const [plan, key] of failing) {
    it(`that fails in ${plan}, ${key} leaves the source serving and nothing on the destination`, async () => {
      await gates.clear();
      await gates.fail(plan, key);
      const ended = await endOf(await move(shop, west));
      assert.equal(ended.status, 2);
      assert.match(ended.error ?? "", /made to fail/);
      await assertOnlyAt(east, shop);
    });
  }

  it("leaves alone what another installation has under the project's number", async () => {
    await gates.clear();
    const [source, destination] = await sidesOf(shop);
    const directory = `/srv/longshore/projects/${shop.id}`;
    await destination.bash(`mkdir -p ${directory}/shared && echo theirs > ${directory}/shared/photo`);
    const ended = await endOf(await move(shop, destination));
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /Another installation of Longshore/);
    await waitFor("the end of the move", async () => (await pool.query("select 1 from moves")).rowCount === 0, waiting);
    assert.equal(await destination.bash(`cat ${directory}/shared/photo`), "theirs");
    await destination.bash(`rm -r ${directory}`);
    await assertOnlyAt(source, shop);
  });

  for (const [plan, key] of [
    ["move-building", "build"],
    ["move-finishing", "check-health"],
  ] as const) {
    it(`that is cancelled in ${plan}, ${key} leaves the source serving and nothing on the destination`, async () => {
      await gates.clear();
      await gates.hold(plan, key);
      const id = await move(shop, west);
      await gates.reached(west, `${plan}.${key}`);
      await stage.client("POST /api/v1/deployments/{id}/cancel", { params: { id } });
      assert.equal((await endOf(id)).status, 5);
      await assertOnlyAt(east, shop);
    });
  }

  it("fails when the destination is rebooted while visitors wait, and the source serves", async () => {
    await gates.clear();
    const [source, destination] = await sidesOf(shop);
    await gates.hold("move-finishing", "verify-served");
    const id = await move(shop, destination);
    await gates.reached(destination, "move-finishing.verify-served");
    await rebootServer(destination.server.name);
    assert.equal((await endOf(id)).status, 2);
    await assertOnlyAt(source, shop);
  });

  it("is given up when the destination falls silent while visitors wait, and cleared when it is back", async (t) => {
    await gates.clear();
    await gates.hold("move-finishing", "verify-served");
    const id = await move(shop, west);
    await gates.reached(west, "move-finishing.verify-served");
    await cutNetwork(west.server.name);
    const cutAt = performance.now();
    const ended = await endOf(id).finally(() => healNetwork(west.server.name));
    t.diagnostic(`the source served again ${((performance.now() - cutAt) / 1000).toFixed(1)} s after the cut`);
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /did not answer.*was not moved/);
    // What it would have done next comes too late.
    await gates.pass({ server: west, name: "move-finishing.verify-served" });
    await assertOnlyAt(east, shop);
  });

  it("has succeeded when the source is lost after the switch, which is cleared when it is back", async () => {
    await gates.clear();
    await gates.hold("move-finishing", "verify-served");
    const id = await move(shop, west);
    await gates.reached(west, "move-finishing.verify-served");
    await cutNetwork(east.server.name);
    try {
      await gates.pass({ server: west, name: "move-finishing.verify-served" });
      const ended = await endOf(id);
      assert.equal(ended.status, 1, ended.error ?? "");
      assert.equal((await ask(west, shop)).status, 200);
      assert.notEqual(await leftoversOn(east, shop), "");
    } finally {
      await healNetwork(east.server.name);
    }
    await assertOnlyAt(west, shop);
  });

  it("keeps visitors held through a reboot of the source, and continues", async () => {
    await gates.clear();
    const [source, destination] = await sidesOf(shop);
    await gates.hold("move-finishing", "verify-served");
    const id = await move(shop, destination);
    await gates.reached(destination, "move-finishing.verify-served");
    await rebootServer(source.server.name);
    // SSH answers before the web server does.
    const answer = await waitFor("nginx to answer", () => ask(source, shop).catch(() => undefined), waiting);
    assert.equal(answer.status, 503);
    assert.equal(await source.bash(`systemctl list-units --no-legend --plain 'longshore-project-${shop.id}@*'`), "");
    await gates.pass({ server: destination, name: "move-finishing.verify-served" });
    const ended = await endOf(id);
    assert.equal(ended.status, 1, ended.error ?? "");
    await assertOnlyAt(destination, shop);
  });

  const eachTime: [what: string, blow: Blow, project: () => Project][] = [
    ["PostgreSQL is killed", { fault: "PostgreSQL" }, () => shop],
    ["the source is cut off", { fault: "network", of: "source" }, () => shop],
    ["the destination is cut off", { fault: "network", of: "destination" }, () => shop],
    ["the server of the step is rebooted", { fault: "reboot" }, () => diary],
    ["the disk of its server is full", { fault: "disk" }, () => diary],
  ];
  for (const [what, blow, project] of complete ? eachTime : []) {
    it(`continues or is given up wherever ${what}: at every step of every run`, async (t) => {
      // Last, since it does not survive a boot.
      if (blow.fault === "disk") await Promise.all([east, west].map(mountSmallDisk));
      await leadOver(project(), [blow], everywhere, t);
    });
  }
});
