import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, describe, it } from "node:test";
import { deploy, waitFor } from "../../stage/api-client.ts";
import {
  bodyOf,
  deployToEnd,
  endOf,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
  stateOf,
  waiting,
} from "../../stage/support.ts";

// Builds that resist being ended.
const stubborn: Record<string, string> = {
  "waits for a child": "sleep 871",
  "ignores every signal that can be ignored": `
    trap '' TERM INT HUP QUIT USR1 USR2 PIPE
    (trap '' TERM; exec sleep 872) &
    while :; do sleep 873; done`,
  "has left daemons behind, in sessions of their own": `
    setsid --fork bash -c 'trap "" TERM; while :; do sleep 874; done' < /dev/null > /dev/null 2>&1
    nohup setsid sleep 875 > /dev/null 2>&1 &
    (setsid bash -c 'cd /; (exec -a innocent sleep 876) & disown; sleep 877' &) &
    sleep 878`,
  "starts new processes faster than one could name them": `
    spawn() { while :; do (sleep 0.01; sleep 879) & sleep 0.02; done; }
    trap '' TERM; spawn & spawn & wait`,
};

const server = `
  const { readFileSync } = require("node:fs");
  const version = readFileSync("version.txt");
  require("node:http").createServer((request, response) => {
    if (request.url === "/held") response.write("held\\n");
    else response.end(version);
  }).listen(process.env.PORT, "127.0.0.1");
`;

let stage: Stage;
let page: Project;
let app: Project;
let still: Project;

before(async () => {
  stage = await openStage("cancel");
  const build = { install: "", build: "bash build.sh" };
  [page, app, still] = await Promise.all([
    install(stage, { name: "page", commands: build, files: { "index.html": "first\n", "build.sh": "echo built\n" } }),
    install(stage, {
      name: "app",
      frameworkId: 8,
      commands: { install: "true", build: "bash build.sh", dev: "node server.js" },
      files: { "server.js": server, "version.txt": "first\n", "build.sh": "echo built\n" },
    }),
    install(stage, {
      name: "still",
      commands: build,
      files: { "index.html": "first\n", "build.sh": "echo built\n" },
      more: { zero_downtime: false },
    }),
  ]);
}, lengthy);

after(() => stage?.close());

/** Deploys with this build; resolves while the build runs. */
async function building({ name, id }: Project, build: string): Promise<number> {
  const script = `mkdir -p half/made && echo 1 > half/made/file\necho "the build has begun"\n${build}\n`;
  await stage.git.commit(name, { files: { "build.sh": script } });
  const deployment = await deploy(stage.client, id);
  await waitFor(
    "the build to begin",
    async () => {
      const { data } = await stage.client("GET /api/v1/deployments/{id}/log", { params: { id: deployment } });
      return data.some(({ text }) => text.includes("the build has begun"));
    },
    waiting,
  );
  return deployment;
}

const cancel = (id: number) => stage.client("POST /api/v1/deployments/{id}/cancel", { params: { id } });

const refusedCancel = (id: number) => stage.client.refusal("POST /api/v1/deployments/{id}/cancel", { params: { id } });

/** What is left of a deployment's build on the server: processes, the unit, its directory in memory, the release. */
const leftOf = (project: Project, deployment: number): Promise<string> =>
  stage.bash(`
    pgrep -af '[s]leep 87[0-9]|[i]nnocent' || true
    pgrep -u project-${project.id} -af '[b]uild.sh' || true
    systemctl list-units --no-legend --plain 'longshore-run-*' | awk '{ print $1 }'
    find /sys/fs/cgroup -path '*longshore-run-*' -name cgroup.procs -exec cat {} + 2>/dev/null || true
    find /run/longshore -mindepth 1 -maxdepth 1 -type d
    find ${project.home} -name ${String(deployment)} -not -path '*/repository.git/objects/*'
    grep -rl half/made ${project.home}/releases || true`);

describe("a cancel inside a build", () => {
  for (const kind of ["static", "node"] as const) {
    for (const [what, build] of Object.entries(stubborn).slice(kind === "node" ? 2 : 0)) {
      it(`of a ${kind} project that ${what} leaves nothing of it, and what serves as it was`, async (t) => {
        const project = kind === "static" ? page : app;
        const visitor = startVisitor(stage, project, (body) => body === "first\n");
        const before = await stateOf(stage, project);
        const id = await building(project, build);
        const askedAt = performance.now();
        assert.equal((await cancel(id)).state, "cancelling");
        assert.equal((await refusedCancel(id)).status, 409);
        const ended = await endOf(stage, id);
        t.diagnostic(`cancelled after ${Math.round(performance.now() - askedAt)} ms`);
        assert.equal(ended.status, 5, `${ended.error}`);
        // systemd removes the unit right after its end.
        const isGone = async () => (await leftOf(project, id)) === "";
        await waitFor("nothing to be left", isGone, waiting).catch(async () =>
          assert.equal(await leftOf(project, id), ""),
        );
        assert.equal(await stateOf(stage, project), before);
        const { visits, wrong } = await visitor.stop();
        assert.deepEqual(wrong, []);
        assert.ok(visits > 0);
      });
    }
  }
});

describe("a cancel that comes too late", () => {
  it("is refused once the release is live, with the advice to roll back", async () => {
    // A visitor that stays connected keeps the old process, and the deployment at its last steps.
    await stage.client("PUT /api/v1/projects/{id}", { params: { id: app.id }, body: { drain_timeout_seconds: 600 } });
    const held = await hold(app);
    await stage.git.commit("app", { files: { "version.txt": "second\n", "build.sh": "echo built\n" } });
    const id = await deploy(stage.client, app.id);
    await waitFor("the old process to be waited for", () => isAtStep(id, "drain-old"), waiting);
    assert.equal(await bodyOf(stage, app), "second\n");
    const refused = await refusedCancel(id);
    assert.equal(refused.status, 409);
    assert.match(refused.body.message, /[Rr]oll back/);
    held.destroy();
    assert.equal((await endOf(stage, id)).status, 1);
    assert.equal(await bodyOf(stage, app), "second\n");
  });
});

describe("a project in place", () => {
  it("is not cancelled while it is built, and continues to its end", async () => {
    const id = await building(still, `until [[ -e ~/go-on ]]; do sleep 0.05; done; echo second > index.html`);
    const refused = await refusedCancel(id);
    assert.equal(refused.status, 409);
    assert.match(refused.body.message, /in place/);
    await stage.bash(`touch ${still.home}/home/go-on`);
    assert.equal((await endOf(stage, id)).status, 1);
    assert.equal(await bodyOf(stage, still), "second\n");
  });
});

it("a deployment after a cancelled one finds everything as it should be", async () => {
  await stage.git.commit("page", { files: { "index.html": "third\n", "build.sh": "echo built\n" } });
  const ended = await deployToEnd(stage, page);
  assert.equal(ended.status, 1, `${ended.error}`);
  assert.equal(await bodyOf(stage, page), "third\n");
});

async function isAtStep(id: number, key: string): Promise<boolean> {
  const { steps } = await stage.client("GET /api/v1/deployments/{id}", { params: { id } });
  return steps.some((step) => step.key === key && step.status === "running");
}

/** Starts a request that never gets its complete answer. */
function hold({ domain }: Project): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const options = { host: stage.server.address, path: "/held", headers: { Host: domain }, agent: false };
    const request = get(options, (response) => {
      response.on("error", () => undefined);
      response.once("data", () => resolve(request));
    });
    request.on("error", reject);
  });
}
