import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { deploy, waitFor } from "../../stage/api-client.ts";
import { filesOfVersion, sampleDirectory, samples } from "../../stage/samples.ts";
import { createProject, lengthy, openStage, type Project, type Stage, waiting } from "../../stage/support.ts";
import {
  type Answer,
  type Asked,
  ask,
  askHalf,
  assertAnswered,
  balance,
  carried,
  cutBetween,
  echo,
  healBetween,
  open,
  openPlace,
  type Place,
  roll,
  seen,
  stagePlace,
  startEveryKind,
  startVisitors,
  stopVisitors,
  succeeded,
  tally,
  untilStates,
  upgrade,
  upload,
  uploaded,
} from "./balanced.ts";
import { nodeApp, phpPage } from "./balanced-apps.ts";

// Projects of all families side by side on two App servers behind one load balancer: what visitors of each get.

let stage: Stage;
let east: Place;
let west: Place;
let front: Place;
/** Replaces the second App server. */
let north: Promise<Place>;
/** A Node project, one that is replaced in place, and the samples. */
let chat: Project;
let stall: Project;
let forum: Project;
let leaflet: Project;

before(async () => {
  stage = await openStage("families");
  east = stagePlace(stage);
  [west, front] = await Promise.all([openPlace(stage, "west"), openPlace(stage, "front", { server_type: 4 })]);
  await stage.git.createRepository("forum", {
    fromDirectory: sampleDirectory("php"),
    files: { "public/who.php": phpPage },
  });
  await stage.git.createRepository("leaflet", { fromDirectory: sampleDirectory("static") });
  for (const name of ["chat", "stall"]) await stage.git.createRepository(name, { files: { "server.js": nodeApp(1) } });
  const commands = { install: "true", build: "true", dev: "node server.js" };
  [chat, stall, forum, leaflet] = await Promise.all([
    createProject(stage, {
      name: "chat",
      frameworkId: samples.node.frameworkId,
      commands: { ...commands, build: "while [[ -e ~/hold ]]; do sleep 0.1; done" },
    }),
    createProject(stage, {
      name: "stall",
      frameworkId: samples.node.frameworkId,
      commands: { ...commands, build: "sleep 1" },
      more: { zero_downtime: false },
    }),
    createProject(stage, { name: "forum", frameworkId: samples.php.frameworkId }),
    createProject(stage, { name: "leaflet", frameworkId: samples.static.frameworkId }),
  ]);
  await Promise.all([chat, stall, forum, leaflet].map(putBehind));
  north = openPlace(stage, "north");
  // The test that needs it gets a failure.
  north.catch(() => {});
}, lengthy);

after(async () => {
  await stopVisitors();
  const places = [front, west, await north?.catch(() => undefined)];
  await Promise.all(places.map((place) => place?.down()));
  await stage?.close();
});

async function putBehind(project: Project): Promise<void> {
  const isLive = async () => {
    const { data } = await stage.client("GET /api/v1/projects/{id}/deployments", { params: { id: project.id } });
    return data[0]?.status === 1;
  };
  await waitFor(`${project.name} to be installed`, isLive, waiting);
  await balance(stage, project, front, [west]);
  await untilStates(stage, project, "serving serving");
}

const at = (project: Project, more: Partial<Asked> = {}): Asked => ({
  address: front.server.address,
  host: project.domain,
  ...more,
});

async function rollUnderVisitors(
  project: Project,
  path: string,
  report: (text: string) => void,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const visitors = startEveryKind(at(project, { path }));
  const places = [east, west].map(({ server: { name } }) => name);
  await waitFor(
    "visitors of all servers",
    () => places.every((name) => seen(visitors.visits, `1.0.0 on ${name}`)),
    waiting,
  );
  await Promise.all([roll(stage, project), meanwhile?.()]);
  await waitFor("the new version", () => places.every((name) => seen(visitors.visits, `2.0.0 on ${name}`)), waiting);
  const counted = await visitors.stop();
  for (const [kind, visits] of Object.entries(counted)) report(`${kind}: ${tally(visits)}`);
  assertAnswered(...Object.values(counted));
}

async function upgradeAt(project: Project, place: Place) {
  for (;;) {
    const found = await upgrade(at(project));
    if (found.name.endsWith(` ${place.server.name}`)) return found;
    found.socket.destroy();
  }
}

async function comeAndEcho(): Promise<Answer> {
  const { socket, name } = await upgrade(at(chat));
  const said = await echo(socket, "hello");
  socket.destroy();
  return { status: said === "hello" ? 200 : 0, body: name };
}

describe("projects of all families behind a load balancer", () => {
  it("PHP: slow requests and uploads are answered, too, while it is deployed from server to server", async (context) => {
    await stage.git.commit("forum", { files: await filesOfVersion("php", "2.0.0") });
    await rollUnderVisitors(forum, "/who.php", (text) => context.diagnostic(text));
  });

  it("PHP: another server answers when the workers of one are gone, also who waited for them", async (context) => {
    const visitors = startVisitors(4, () => ask(at(forum, { path: "/who.php?took=200" })));
    await waitFor("visitors of west", () => seen(visitors.visits, west.server.name), waiting);
    await west.bash(
      "systemctl stop 'longshore-project-*-php.socket'; systemctl kill --kill-whom=all --signal=KILL 'longshore-project-*-php.service'",
    );
    await untilStates(stage, forum, "serving unreachable");
    await west.bash(
      "systemctl list-unit-files --no-legend 'longshore-project-*-php.socket' | awk '{ print $1 }' | xargs systemctl start",
    );
    await untilStates(stage, forum, "serving serving");
    const visits = await visitors.stop();
    context.diagnostic(tally(visits));
    assertAnswered(visits);
  });

  it("static: every visitor is answered while it is deployed from server to server", async (context) => {
    await stage.git.commit("leaflet", { files: await filesOfVersion("static", "2.0.0") });
    const visitors = startVisitors(6, () => ask(at(leaflet)));
    await roll(stage, leaflet);
    const visits = await visitors.stop();
    context.diagnostic(tally(visits));
    assertAnswered(visits);
    assert.ok(seen(visits, "version 1.0.0") && seen(visits, "version 2.0.0"));
    for (const place of [east, west]) {
      const lines = await place.bash(`wc -l < /srv/longshore/projects/${leaflet.id}/logs/access.log`);
      assert.ok(Number(lines) > 20, `${lines} visitors at ${place.server.name}`);
    }
  });

  it("in place: the same, while a server is out for as long as its files are replaced", async (context) => {
    await stage.git.commit("stall", { files: { "server.js": nodeApp(2) } });
    // Each server has some of these requests; those on the first one finish once it accepts no new ones.
    const halves = await Promise.all(
      Array.from({ length: 8 }, () => askHalf({ ...at(stall), method: "POST", body: upload })),
    );
    const finishHalves = async () => {
      await untilStates(stage, stall, "draining serving");
      for (const { status, body } of await Promise.all(halves.map((half) => half.finish()))) {
        assert.equal(status, 200, body);
        assert.match(body, new RegExp(`on ${west.server.name} got ${uploaded}$`));
      }
    };
    await rollUnderVisitors(stall, "/", (text) => context.diagnostic(text), finishHalves);
  });

  it("Node: an upgraded connection stays while another server is deployed to, and ends with its own server's old process", async (context) => {
    const there = await upgradeAt(chat, west);
    const visitors = startEveryKind(at(chat));
    const upgrading = startVisitors(1, comeAndEcho);
    const held = `/srv/longshore/projects/${chat.id}/home/hold`;
    await west.bash(`touch ${held}`);
    context.after(() => west.bash(`rm -f ${held}`));
    const first = await deploy(stage.client, chat.id);
    await succeeded(stage, first);
    // At the new process of the first server, while the build on the second is held.
    const here = await upgradeAt(chat, east);
    for (const { socket } of [here, there]) assert.equal(await echo(socket, "hello"), "hello");
    const ended: string[] = [];
    here.closed.then(() => ended.push("east"));
    there.closed.then(() => ended.push("west"));
    await west.bash(`rm ${held}`);
    const end = await carried(stage, chat, first, west.id);
    await there.closed;
    assert.deepEqual(ended, ["west"]);
    assert.equal(await echo(here.socket, "still here"), "still here");
    const again = await upgradeAt(chat, west);
    assert.equal(await echo(again.socket, "back"), "back");
    for (const { socket } of [here, again]) socket.destroy();
    const { quick, slow, uploads } = await visitors.stop();
    const upgrades = await upgrading.stop();
    context.diagnostic(`quick: ${tally(quick)}, slow: ${tally(slow)}, uploads: ${tally(uploads)}`);
    context.diagnostic(`upgrades: ${tally(upgrades)}`);
    assertAnswered(quick, slow, uploads, upgrades);
    // The deployment does not keep the server from visitors.
    const left = end.steps.find(({ key }) => key === "leave-balancer");
    assert.ok(left && (left.duration_ms ?? Infinity) < 60_000, JSON.stringify(left));
  });

  it("Node: what an application streams arrives as it is written", async () => {
    const response = await open(at(chat, { path: "/events" }));
    const [data] = await once(response, "data", { signal: AbortSignal.timeout(30_000) });
    assert.match(String(data), /^data: version/);
    response.destroy();
  });

  it("a server that answers 500 is taken out, and taken back", async (context) => {
    const file = `/srv/longshore/projects/${chat.id}/current/broken`;
    await west.bash(`touch ${file}`);
    await untilStates(stage, chat, "serving unreachable");
    const visitors = startVisitors(4, () => ask(at(chat)));
    // The other project is not affected.
    await untilStates(stage, leaflet, "serving serving");
    await west.bash(`rm ${file}`);
    await untilStates(stage, chat, "serving serving");
    await waitFor("visitors of west", () => seen(visitors.visits, west.server.name), waiting);
    const visits = await visitors.stop();
    context.diagnostic(tally(visits));
    assertAnswered(visits);
  });

  it("a server that is cut off is taken out, requests that wait there are answered by another, and it is taken back", async (context) => {
    const visitors = startEveryKind(at(chat));
    const { closed } = await upgradeAt(chat, west);
    await cutBetween(west, front);
    const from = performance.now();
    await untilStates(stage, chat, "serving unreachable");
    const out = performance.now() - from;
    await closed;
    const { quick, slow, uploads } = await visitors.stop();
    context.diagnostic(
      `out after ${Math.round(out)} ms, all answered after ${Math.round(performance.now() - from)} ms`,
    );
    context.diagnostic(`quick: ${tally(quick)}, slow: ${tally(slow)}, uploads: ${tally(uploads)}`);
    assertAnswered(quick, slow);
    // A request that was completely sent there may have been executed.
    assert.ok(uploads.failed.length <= 1 && uploads.failed.every((each) => each.startsWith("0: 502")));
    const others = startEveryKind(at(chat));
    await healBetween(west);
    await untilStates(stage, chat, "serving serving");
    await waitFor("visitors of west", () => seen(others.visits, west.server.name), waiting);
    assertAnswered(...Object.values(await others.stop()));
  });

  it("more visitors are answered than the load balancer has ports to ask from", async (context) => {
    const ports = await front.bash("cat /proc/sys/net/ipv4/ip_local_port_range");
    await front.bash("echo 61000 62499 > /proc/sys/net/ipv4/ip_local_port_range");
    const visitors = startVisitors(4, () => ask(at(leaflet)));
    await waitFor("4,500 visitors", () => visitors.visits.total > 4_500, waiting);
    const visits = await visitors.stop();
    await front.bash(`echo ${ports} > /proc/sys/net/ipv4/ip_local_port_range`);
    context.diagnostic(tally(visits));
    assertAnswered(visits);
  });

  it("in maintenance no visitor sees what the deployments do", async (context) => {
    const toggle = () => stage.client("POST /api/v1/projects/{id}/maintenance/toggle", { params: { id: forum.id } });
    assert.equal((await toggle()).maintenance_mode, true);
    const visitors = startVisitors(2, () => ask(at(forum)));
    const index = await readFile(`${sampleDirectory("php")}public/index.php`);
    // As during a change of its database: its answers must not reach a visitor.
    await stage.git.commit("forum", { files: { "public/index.php": "<?php http_response_code(500);" } });
    await roll(stage, forum);
    await stage.git.commit("forum", { files: { "public/index.php": index } });
    await roll(stage, forum);
    const { failed, total } = await visitors.stop();
    context.diagnostic(`${total} visitors`);
    assert.equal(failed.length, total);
    assert.deepEqual(new Set(failed.map((each) => each.slice(0, 20))), new Set(["503: <!doctype html>"]));
    await untilStates(stage, forum, "serving serving");
    const others = startVisitors(2, () => ask(at(forum)));
    assert.equal((await toggle()).maintenance_mode, false);
    await waitFor("visitors", () => seen(others.visits, "version 2.0.0"), waiting);
    await others.stop();
    assert.equal((await ask(at(forum))).status, 200);
  });

  it("a server is replaced by another while visitors come", async (context) => {
    const other = await north;
    const visitors = [startEveryKind(at(stall)), startEveryKind(at(forum, { path: "/who.php" }))];
    for (const project of [stall, forum]) await balance(stage, project, front, [west, other]);
    for (const project of [stall, forum]) await untilStates(stage, project, "serving serving serving");
    await waitFor("visitors of north", async () => (await ask(at(stall))).body.includes(other.server.name), waiting);
    for (const project of [stall, forum]) await balance(stage, project, front, [other]);
    for (const { id } of [stall, forum]) {
      await waitFor(
        "the server to be cleared",
        async () => (await west.bash(`ls -d /srv/longshore/projects/${id} || true`)) === "",
        waiting,
      );
    }
    const counted = await Promise.all(visitors.map((each) => each.stop()));
    for (const each of counted)
      for (const [kind, visits] of Object.entries(each)) context.diagnostic(`${kind}: ${tally(visits)}`);
    for (const each of counted) assertAnswered(...Object.values(each));
  });
});
