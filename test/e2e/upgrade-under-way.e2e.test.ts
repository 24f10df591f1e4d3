import assert from "node:assert/strict";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, it } from "node:test";
import { mustRun, runCommand } from "../../sandbox/command.ts";
import { downServer, upServer } from "../../sandbox/sandbox.ts";
import { type Api, api, firstDeployment, waitFor } from "../../stage/api-client.ts";
import {
  addServer,
  localNode,
  removeDirectory,
  setupSuccess,
  startGitFor,
  startPlatform,
  startProcess,
} from "../../stage/fixture.ts";
import { bashOn } from "../../stage/stage.ts";
import { bodyOf, createProject, endOf, lengthy, type Project, waiting } from "../../stage/support.ts";

// The last release deploys many projects at once. In the middle it ends, as in an upgrade, and this version takes its place with the
// same data. The release is the commit with which its database was kept.

const root = resolve(import.meta.dirname, "../..");
const release = "0.2.0";
const count = 40;
const name = `under-way-${process.pid}`;
const endings: (() => Promise<unknown>)[] = [];

const git = (...args: string[]) => runCommand(["git", "-C", root, ...args]);
const commit = (await git("log", "-1", "--format=%H", "--", `test/upgrades/${release}.sql`)).stdout.trim();
const isKnown =
  commit !== "" && (await git("show", `${commit}:package.json`)).stdout.includes(`"version": "${release}"`);

after(async () => {
  for (const end of endings.reverse()) await end();
});

/** Every tenth build fails. */
const isBad = (index: number): boolean => index % 10 === 3;

/** Waits in the middle for a file in the project's directory. */
const buildOf = (index: number): string =>
  `echo begun ${index}; until [ -e ../../go ]; do sleep 2; done; echo released ${index}; exit ${isBad(index) ? 3 : 0}`;

it(`of ${count} deployments under way none is lost, and each ends as it should`, {
  ...lengthy,
  skip: !isKnown && `${release} is not in this clone`,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), "longshore-under-way-"));
  endings.push(() => removeDirectory(directory));
  const program = join(directory, "program");
  await mkdir(program);
  await mustRun(["bash", "-c", 'git -C "$0" archive "$1" | tar -x -C "$2"', root, commit, program]);
  const server = await upServer({ name });
  endings.push(() => downServer(name));
  const node = await localNode(server);
  endings.push(node.close);
  const repositories = await startGitFor(server, join(directory, "git"));
  endings.push(repositories.close);
  const dataDirectory = join(directory, "data");
  const former = await startPlatform({
    dataDirectory,
    // The release does not know the setting.
    env: { ...node.env, LONGSHORE_SESSION_RATE_LIMIT: undefined },
    program,
  });
  endings.push(former.stop);
  const serverId = await addServer(former, server);
  await setupSuccess(former.client, serverId);
  await repositories.createRepository("site", { files: { "index.html": "served" } });
  const stage = { client: former.client, serverId, git: { ...repositories, urlOf: () => repositories.urlOf("site") } };
  const projects: { project: Project; index: number; deploymentId: number }[] = [];
  for (let index = 0; index < count; index++) {
    const project = await createProject(stage, {
      name: `site-${index}`,
      commands: { build: buildOf(index) },
    });
    projects.push({ project, index, deploymentId: await firstDeployment(former.client, project.id, waiting) });
  }
  const linesOf = async (client: Api, id: number): Promise<readonly string[]> =>
    (await client("GET /api/v1/deployments/{id}", { params: { id } })).output?.client_payload ?? [];
  const bash = bashOn(name);
  const filesOf = (some: typeof projects, file: string) => some.map(({ project }) => `${project.home}/${file}`);
  const letGo = (some: typeof projects) => bash(`touch ${filesOf(some, "go").join(" ")}`);
  await waitFor(
    "all builds to have begun",
    async () => {
      const logs = await Promise.all(projects.map(({ deploymentId }) => linesOf(former.client, deploymentId)));
      return logs.every((lines, index) => lines.includes(`begun ${index}`));
    },
    waiting,
  );
  const countEnded = async () => Number(await bash("find /var/lib/longshore/runs -name ended | wc -l"));
  const endedBefore = await countEnded();
  await former.stop();
  const unwatched = projects.slice(0, count / 2);
  await letGo(unwatched);
  await waitFor(
    "the runs that nothing watches to end",
    async () => (await countEnded()) === endedBefore + unwatched.length,
    waiting,
  );
  const present = await startProcess({ dataDirectory, env: { ...node.env, LONGSHORE_CONSOLE: "off" } });
  endings.push(present.stop);
  const client = api({ url: present.url, token: former.token });
  await letGo(projects.slice(count / 2));
  for (const { project, index, deploymentId } of projects) {
    const { status, error } = await endOf({ client }, deploymentId);
    assert.equal(status, isBad(index) ? 2 : 1, `${project.name}: ${error}`);
    const lines = await linesOf(client, deploymentId);
    const printed = lines.filter((line) => /^(begun|released) /.test(line));
    assert.deepEqual(printed, [`begun ${index}`, `released ${index}`], project.name);
    if (!isBad(index)) assert.match(await bodyOf({ server }, project), /served/);
  }
});
