import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Pool } from "../../../src/db/pool.ts";
import { deploy, deploymentEnd, firstDeployment, waitFor } from "../../../stage/api-client.ts";
import { bridgeAddress } from "../../../stage/fixture.ts";
import {
  createProject,
  deployToEnd,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  waiting,
} from "../../../stage/support.ts";
import {
  attackFiles,
  canary,
  duringJob,
  filesWith,
  fingerprintOf,
  forgetPreparation,
  openPlatformDatabase,
  runOnce,
  soon,
} from "./support.ts";

// Code of a project attacks what root does for that project: secrets, facts, folders, fetches.

let stage: Stage;
let pool: Pool;
let hostile: Project;
let victim: Project;

const secret = canary();
const ownEnvironment = "OWN=my-own-value\n";

/** Many files make writing a release take longer. */
const manyFiles = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`many/${n}.txt`, `${n}\n`]));

before(async () => {
  stage = await openStage("attack-secrets");
  pool = await openPlatformDatabase(stage);
  const files = { "index.html": "hostile", ...manyFiles, ...(await attackFiles()) };
  const more = { environment_variables: ownEnvironment, shared_directories: ["storage"] };
  [hostile, victim] = await Promise.all([
    install(stage, { name: "hostile", files, more }),
    install(stage, {
      name: "victim",
      files: { "index.html": "victim" },
      more: { environment_variables: `SECRET=${secret}\n` },
    }),
  ]);
}, lengthy);

after(async () => {
  await pool?.end();
  await stage?.close();
});

/** Creates a file that only root can read. */
async function plantSecret() {
  const content = canary();
  const path = `/root/attack-${randomUUID()}`;
  await stage.bash(`umask 077; echo ${content} > ${path}`);
  return { path, content };
}

const deployKeyOf = async ({ id }: Project) =>
  (await stage.client("GET /api/v1/projects/{id}/source", { params: { id } })).data.deploy_key;

/** The environment of the project's live release, as seen by its code. */
const liveEnvironment = ({ home }: Project): Promise<string> => stage.bash(`cat ${home}/current/.env`);

describe("a job that puts links in the place of a run's secrets", () => {
  it("is handed no file of root's as the project's environment", async () => {
    const { path, content } = await plantSecret();
    await duringJob(stage, hostile, `perl attack/swap-secrets.pl ${path}`, async () => {
      for (let n = 1; n <= 5; n++) {
        await deployToEnd(stage, hostile);
        assert.equal(await filesWith(stage, hostile, content), "", `after deployment ${n}`);
      }
    });
    assert.match(await liveEnvironment(hostile), /OWN=my-own-value/);
  });

  it("is handed none as the password of its site", async () => {
    const { path, content } = await plantSecret();
    const params = { id: hostile.id };
    const basic_auth = { username: "me", password: "a long password" };
    await stage.client("PUT /api/v1/projects/{id}", { params, body: { basic_auth } });
    await duringJob(stage, hostile, `perl attack/swap-secrets.pl ${path}`, async () => {
      for (let n = 1; n <= 3; n++) {
        await forgetPreparation(pool, hostile);
        await deployToEnd(stage, hostile);
        const passwords = await stage.bash(`cat ${hostile.home}/state/basic-auth`);
        assert.ok(!passwords.includes(content), `after deployment ${n}`);
      }
    });
    await stage.client("PUT /api/v1/projects/{id}", { params, body: { basic_auth: null } });
  });
});

describe("a project whose folders are links to those of root", () => {
  it("is given nothing of root's when its preparation is repeated, nor afterwards", async () => {
    const target = "/var/lib/attack-target";
    await stage.bash(`install -d ${target}/inside; install -m 600 /dev/null ${target}/file`);
    const former = await fingerprintOf(stage, target);
    const replaced = await runOnce(stage, hostile, `bash attack/replace-directories.sh ${target}`);
    assert.match(replaced, /^replaced .*home\/tmp$/m);
    for (let n = 1; n <= 2; n++) {
      await forgetPreparation(pool, hostile);
      await deployToEnd(stage, hostile);
      assert.equal(await fingerprintOf(stage, target), former, `after deployment ${n}`);
    }
    const owned = `find /etc /usr /root /opt /boot /var/lib /var/log /var/spool -user project-${hostile.id} -o -group project-${hostile.id}`;
    assert.equal(await stage.bash(owned), "");
  });
});

describe("a git server", () => {
  let server: Server;
  let source: string;

  before(async () => {
    // The list of branches is the real one; the objects never arrive.
    server = createServer((request, response) => {
      if (request.method === "POST") return;
      fetch(`${stage.git.url}${request.url}`, { headers: { "git-protocol": "version=2" } }).then(
        async (answer) => {
          response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
          response.end(Buffer.from(await answer.arrayBuffer()));
        },
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, bridgeAddress(stage.server), resolve));
    source = `http://${bridgeAddress(stage.server)}:${(server.address() as AddressInfo).port}/stuck.git`;
    await stage.git.createRepository("stuck", { files: { "index.html": "stuck" } });
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it("has root write none of its objects", async () => {
    const written = `find ${victim.home}/repository.git -path '*/objects/*' -type f`;
    assert.notEqual(await stage.bash(written), "");
    assert.equal(await stage.bash(`${written} -user root`), "");
  });

  it("gets by its client no right of root's, and no file of another project", async () => {
    const git_repository = { type: "git" as const, repo: source, branch: "main" };
    const project = await createProject(stage, { name: "stuck", more: { git_repository } });
    const id = await firstDeployment(stage.client, project.id, waiting);
    const clients = await waitFor("the fetch", findClients, soon);
    const reaches = await Promise.all(clients.map(reachOf));
    await stage.client("POST /api/v1/deployments/{id}/cancel", { params: { id } });
    await deploymentEnd(stage.client, id, waiting);
    for (const reach of reaches) assert.deepEqual(reach, { isRoot: false, capabilities: 0, opened: [] });
  });
});

async function findClients(): Promise<number[] | false> {
  const found = await stage.bash("pgrep -f '^(/usr/bin/)?git |^/usr/lib/git-core/' || true");
  return found !== "" && found.split("\n").map(Number);
}

/** What a program that takes over a process of the server could do as that process. */
async function reachOf(pid: number) {
  const { path } = await plantSecret();
  const status = await stage.bash(`cat /proc/${pid}/status`);
  const numbers = (name: string): string[] => new RegExp(`^${name}:(.*)$`, "m").exec(status)?.[1]?.match(/\S+/g) ?? [];
  const uids = numbers("Uid");
  const groups = numbers("Groups").join(",");
  const forbidden = [
    path,
    "/etc/shadow",
    `${victim.home}/current/index.html`,
    `${victim.home}/current/.env`,
    `${victim.home}/deploy_key`,
    `${victim.home}/shared`,
  ];
  const identity = `--reuid=${uids[1]} --regid=${numbers("Gid")[1]} ${groups ? `--groups=${groups}` : "--clear-groups"}`;
  const tries = forbidden.map((each) => `if ls ${each}/. || head -c 1 ${each}; then echo ${each} >&3; fi`);
  const opened = await stage.bash(
    `nsenter --target ${pid} --mount -- setpriv ${identity} bash -c '${tries.join("; ")}' 3>&1 > /dev/null 2>&1`,
  );
  return {
    isRoot: uids.includes("0"),
    capabilities: Number.parseInt(numbers("CapEff")[0] ?? "", 16),
    opened: opened.split("\n").filter(Boolean),
  };
}

describe("a job that adds to the facts of a run", () => {
  it("decides neither the deploy key nor the commit of the record", async () => {
    const key = await deployKeyOf(hostile);
    const forged = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"A".repeat(43)} forged`;
    const command = `perl attack/write-facts.pl 'deploy_key ${forged}' 'commit ${"deadbeef".repeat(5)}'`;
    await duringJob(stage, hostile, command, async () => {
      for (let n = 1; n <= 5; n++) {
        const commit = await stage.git.commit("hostile", { files: { "index.html": `hostile ${n}` } });
        const { commit_id } = await deployToEnd(stage, hostile);
        assert.deepEqual([commit_id, await deployKeyOf(hostile)], [commit, key], `deployment ${n}`);
      }
    });
  });

  it("does not keep the deployment from its end", async () => {
    await duringJob(stage, hostile, "perl attack/write-facts.pl 'live_port abc'", async () => {
      for (let n = 1; n <= 5; n++) {
        const ended = await deploymentEnd(stage.client, await deploy(stage.client, hostile.id), soon);
        assert.equal(ended.status, 1, `deployment ${n}`);
      }
    });
  });
});
