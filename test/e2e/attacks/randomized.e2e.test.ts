import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DeploymentReply } from "../../../contract/types.ts";
import type { Pool } from "../../../src/db/pool.ts";
import { deploy, deploymentEnd, requestRollback, waitFor } from "../../../stage/api-client.ts";
import { visit } from "../../../stage/projects.ts";
import {
  createProject,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
} from "../../../stage/support.ts";
import { attackFiles, canary, forgetPreparation, openPlatformDatabase, soon, startJob } from "./support.ts";

// A project whose job causes all the harm it can, at random, while other actions change it and its neighbour. It must
// never read or change anything of the other project or of root, and no other work may fail.

const seed = Number(process.env.LONGSHORE_TEST_SEED || Date.now() % 1_000_000);
const actions = Number(process.env.LONGSHORE_TEST_ACTIONS || 200);

let stage: Stage;
let pool: Pool;
let hostile: Project;
let victim: Project;
let jobOfVictim: { id: number; jobId: number };

const secret = canary();
const rootSecret = canary();
const rootFile = "/var/lib/attack-target/file";
/** Hostile projects that come and go. */
const passing: Project[] = [];
let comings = 0;
let version = 0;

const victimFiles = () => ({ "index.html": `version ${++version}`, ".private": secret });

before(async () => {
  stage = await openStage("attack-random");
  pool = await openPlatformDatabase(stage);
  await stage.bash(`mkdir -p ${rootFile.replace(/[^/]+$/, "")}inside; umask 077; echo ${rootSecret} > ${rootFile}`);
  const attack = await attackFiles();
  await stage.git.createRepository("passing", { files: { "index.html": "passing", ...attack } });
  [victim, hostile] = await Promise.all([
    install(stage, {
      name: "victim",
      files: victimFiles(),
      more: { environment_variables: `SECRET=${secret}\n`, shared_files: ["kept.txt"] },
    }),
    install(stage, {
      name: "hostile",
      files: { "index.html": "hostile", ...attack },
      more: { environment_variables: "OWN=own\n", shared_directories: ["storage"] },
    }),
  ]);
  await stage.bash(`echo ${secret} > ${victim.home}/shared/kept.txt; chmod 600 ${victim.home}/shared/kept.txt`);
  const params = { id: victim.id };
  const body = { name: "Job", command: "true", cron_expression: "@yearly" };
  const { data } = await stage.client("POST /api/v1/projects/{id}/scheduler-jobs", { params, body });
  jobOfVictim = { ...params, jobId: data.id };
  const isSetUp = async () => {
    const job = await stage.client("GET /api/v1/projects/{id}/scheduler-jobs/{jobId}", { params: jobOfVictim });
    return job.data.status === "active";
  };
  await waitFor("the job", isSetUp, soon);
}, lengthy);

after(async () => {
  await pool?.end();
  await stage?.close();
});

const endOf = (id: number): Promise<DeploymentReply> => deploymentEnd(stage.client, id, soon);

async function deployVictim(): Promise<void> {
  await stage.git.commit("victim", { files: victimFiles() });
  const ended = await endOf(await deploy(stage.client, victim.id));
  assert.equal(ended.status, 1, ended.error ?? "");
}

async function rollVictimBack(): Promise<void> {
  const [former] = await stage.client("GET /api/v1/projects/{id}/rollback-candidates", { params: { id: victim.id } });
  if (!former) return;
  const ended = await endOf(await requestRollback(stage.client, former.id));
  assert.equal(ended.status, 1, ended.error ?? "");
}

const publishVictim = async (): Promise<void> => {
  await forgetPreparation(pool, victim);
  const { status, body } = await stage.client.success("GET /api/v1/projects/{id}/publish", {
    params: { id: victim.id },
  });
  assert.equal(status, 200, body.message);
};

const runJobOfVictim = async (): Promise<void> => {
  const running = { params: jobOfVictim };
  const { status, body } = await stage.client.answer("POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run", running);
  // Two at the same instant are refused.
  assert.ok(status === 202 || /is running already/.test(body.message), JSON.stringify(body));
};

// The hostile project decides whether the deployment succeeds, or a step waits for one of its pipes. But it must be
// possible to end it.
const deployHostile = async (): Promise<void> => {
  const id = await deploy(stage.client, hostile.id);
  const isEnded = await deploymentEnd(stage.client, id, { timeoutMs: 15_000 }).then(
    () => true,
    () => false,
  );
  if (isEnded) return;
  await stage.client.answer("POST /api/v1/deployments/{id}/cancel", { params: { id } });
  await endOf(id);
};

const prepareHostile = async (): Promise<void> => {
  await forgetPreparation(pool, hostile);
  await deployHostile();
};

const publishHostile = async (): Promise<void> => {
  await stage.client.answer("GET /api/v1/projects/{id}/publish", { params: { id: hostile.id } });
};

async function addOrRemoveAnother(): Promise<void> {
  const leaving = passing.pop();
  if (leaving) {
    await stage.client("DELETE /api/v1/project/{id}", { params: { id: leaving.id } });
    return;
  }
  const name = `passing-${++comings}`;
  const git_repository = { type: "git" as const, repo: stage.git.urlOf("passing"), branch: "main" };
  const project = await createProject(stage, { name, more: { git_repository } });
  passing.push(project);
}

const random = mulberry32(seed);

/** Each occurs as often as its number. */
const onVictim: [number, () => Promise<void>][] = [
  [6, deployVictim],
  [2, rollVictimBack],
  [3, publishVictim],
  [3, runJobOfVictim],
];
const onHostile: [number, () => Promise<void>][] = [
  [7, deployHostile],
  [2, prepareHostile],
  [2, publishHostile],
  [3, addOrRemoveAnother],
];

/** Chosen before anything runs, so that a seed always gives the same actions in the same order. */
function choose(from: readonly [number, () => Promise<void>][], count: number): (() => Promise<void>)[] {
  const all = from.flatMap(([often, action]) => Array<() => Promise<void>>(often).fill(action));
  return Array.from({ length: count }, () => all[Math.floor(random() * all.length)] as () => Promise<void>);
}

/** Stops early when the other list has failed. */
async function inOrder(list: readonly (() => Promise<void>)[], either: AbortController): Promise<void> {
  for (const [n, action] of list.entries()) {
    if (either.signal.aborted) return;
    try {
      await action();
      if (n % 10 === 9) await assertNothingIsSeen();
    } catch (cause) {
      either.abort();
      throw new Error(`Action ${n + 1} (${action.name}) failed: ${(cause as Error).message}`, { cause });
    }
  }
}

/** The hostile projects contain, serve and print nothing secret. */
async function assertNothingIsSeen(): Promise<void> {
  const homes = [hostile, ...passing].map(({ home }) => home).join(" ");
  const found = await stage.bash(`grep -rsE --devices=skip 'canary-[0-9a-f]{24}' ${homes} || true`);
  assert.equal(found, "", "files of the hostile project");
  for (const path of ["/", "/leak", "/leak/file", "/leak/.private", "/leak/shared/kept.txt", "/leak/kept.txt"]) {
    const { body } = await visit({ address: stage.server.address, host: hostile.domain, path });
    assert.ok(!/canary-[0-9a-f]{24}/.test(body), `its site: ${path}`);
  }
}

/**
 * Files that belong to root, or to the victim and that its own deployments do not change, one per line. Users are added and
 * removed with projects: their tables and the locks and copies beside them change.
 */
const untouchable = async (): Promise<string[]> => {
  const lines = await stage.bash(`
    find /etc /usr/local /root /var/lib/attack-target -regextype egrep \\
      -not -regex '.*(longshore|\\.cache|\\.bash_history).*' -not -regex '/etc(/(group|gshadow|passwd|shadow|subuid|subgid)([-+.].*)?|/\\.pwd\\.lock)?' \\
      -type f -printf '%p %m %U:%G\\n' -exec sha256sum {} + | sort
    sha256sum ${victim.home}/shared/* ${victim.home}/deploy_key* ${victim.home}/current/.private ${victim.home}/current/.env
    find ${victim.home} -printf '%u\\n' | sort -u | grep -vE '^(root|www-data|project-${victim.id}(-git)?)$' || true`);
  return lines.split("\n");
};

const changed = (former: readonly string[], now: readonly string[]): string[] => [
  ...former.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
  ...now.filter((line) => !former.includes(line)).map((line) => `+ ${line}`),
];

/** Files in root's directories that the hostile project owns, or that others may write. */
const outOfPlace = (): Promise<string> =>
  stage.bash(`
    find /etc /usr /root /opt /boot -user project-${hostile.id} -o -group project-${hostile.id}
    find /etc /usr /root /opt /boot -type f -perm -o+w
    find /etc /usr/local /root ${victim.home} -type l -lname '${hostile.home}*'`);

describe(`${actions} actions beside a hostile project`, () => {
  it("neither fail, nor show or change anything of others", lengthy, async (t) => {
    t.diagnostic(`LONGSHORE_TEST_SEED=${seed}`);
    const former = await untouchable();
    const targets = [
      victim.home,
      `${victim.home}/shared/kept.txt`,
      `${victim.home}/current/.env`,
      `${victim.home}/deploy_key`,
    ];
    const ofRoot = [rootFile, "/var/lib/attack-target", "/etc", "/root", "/var/lib/longshore", "/run/longshore"];
    const lists = [choose(onVictim, Math.floor(actions / 2)), choose(onHostile, Math.ceil(actions / 2))] as const;
    const either = new AbortController();
    const job = await startJob(stage, hostile, `perl attack/rampage.pl ${seed} ${[...targets, ...ofRoot].join(" ")}`);
    const visitor = startVisitor(stage, victim, (body) => /^version \d+$/.test(body));
    const results = await Promise.allSettled(lists.map((list) => inOrder(list, either)));
    const { visits, wrong } = await visitor.stop();
    for (const result of results) if (result.status === "rejected") throw result.reason;
    await job.end();
    await assertNothingIsSeen();
    assert.deepEqual(wrong, [], `${wrong.length} of ${visits} visits failed`);
    assert.deepEqual(changed(former, await untouchable()), []);
    assert.equal(await outOfPlace(), "");
    t.diagnostic(`${visits} visits`);
  });
});

function mulberry32(seedOfIt: number): () => number {
  let state = seedOfIt;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
