import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { deploy, deploymentEnd } from "../stage/api-client.ts";
import type { Files } from "../stage/git-server.ts";
import { openGate, setHolds, waitUntilHeld } from "../stage/instrument.ts";
import { assertServes, commitVersion, deployNow, rollBack, type SampleProject } from "../stage/projects.ts";
import { filesOfVersion, type SampleKind, sampleDirectory } from "../stage/samples.ts";
import type { Stage } from "./stage.ts";

// Operations on a project under load. Each ends with the project as it began, or with its next version.

/** Where an act is played. */
export interface Scene {
  stage: Stage;
  project: SampleProject;
  /** Runs bash as root on the server, beside its network. */
  bash(script: string): Promise<string>;
}

export interface Act {
  name: string;
  /** `once` is called before each repetition of the operation. */
  play(scene: Scene, quick: boolean, once: () => void): Promise<void>;
}

/** The version of what must not be seen. */
const badVersion = "9.9.9";
export const never = `version ${badVersion}`;

export const actsOf = (kind: SampleKind): Act[] => [
  deployments,
  rollbacks,
  ...(kind === "node" ? [recycles, deaths] : []),
  cancels,
  ...(kind === "static" ? [] : [failingReleases]),
  rejectedPublications,
];

const waiting = { timeoutMs: 300_000, intervalMs: 20 };

let versions = 0;

/** Commits the next version, which is served once it is deployed. */
async function nextVersion({ stage, project }: Scene): Promise<string> {
  const version = `2.0.${++versions}`;
  await commitVersion(stage.git, project, version);
  return version;
}

const serving = ({ stage, project }: Scene, version: string): Promise<void> =>
  assertServes(stage.server.address, project, version);

async function deployVersion(scene: Scene): Promise<string> {
  const version = await nextVersion(scene);
  await deployNow(scene.stage.platform.client, scene.project);
  await serving(scene, version);
  return version;
}

const deployments: Act = {
  name: "deployment",
  async play(scene, quick, once) {
    for (let at = 0; at < (quick ? 2 : 10); at++) {
      once();
      await deployVersion(scene);
    }
  },
};

const rollbacks: Act = {
  name: "rollback to a kept release",
  async play(scene, quick, once) {
    const { client } = scene.stage.platform;
    const versionOf = new Map<number, string>();
    for (let at = 0; at < 2; at++) {
      const version = await nextVersion(scene);
      versionOf.set(await deployNow(client, scene.project), version);
    }
    const [first, second] = [...versionOf.keys()] as [number, number];
    for (let at = 0; at < (quick ? 2 : 6); at++) {
      once();
      const id = at % 2 === 0 ? first : second;
      await rollBack(client, id);
      await serving(scene, versionOf.get(id) as string);
    }
  },
};

const recycles: Act = {
  name: "recycle",
  async play({ stage, project }, quick, once) {
    const { client } = stage.platform;
    for (let at = 0; at < (quick ? 1 : 5); at++) {
      once();
      const { deployment_id } = await client("POST /api/v1/projects/{id}/recycle", { params: { id: project.id } });
      await endsAs(client, deployment_id, 1);
    }
  },
};

async function endsAs(client: Stage["platform"]["client"], id: number, status: number): Promise<void> {
  const ended = await deploymentEnd(client, id, waiting);
  const { error } = ended as { error?: string | null };
  assert.equal(ended.status, status, `deployment ${id} ended with ${ended.status}: ${error}`);
}

/** Deploys the files, which must fail; the project keeps its state, also in git. */
async function deployBad(scene: Scene, files: Files): Promise<void> {
  const { git, platform } = scene.stage;
  const { repository, kind } = scene.project;
  const bad = await filesOfVersion(kind, badVersion);
  await git.commit(repository, { files: { ...bad, ...files } });
  await endsAs(platform.client, await deploy(platform.client, scene.project.id), 2);
}

/** Brings the sample's own code back, and proves that the project can still be deployed. */
async function recover(scene: Scene, files: Files): Promise<void> {
  await scene.stage.git.commit(scene.project.repository, { files });
  await deployVersion(scene);
}

const serverThat = (code: string): Files => ({
  "server.js": `
    const { createServer } = require("node:http");
    const listen = (answer) => createServer(answer).listen(process.env.PORT, "127.0.0.1");
    const page = "version ${badVersion}";
    ${code}`,
});

const dying: Files[] = [
  serverThat("process.exit(1);"),
  serverThat("listen((_, response) => response.end(page)); setTimeout(() => process.exit(1), 1500);"),
];

const deaths: Act = {
  name: "new process dies at once, dies while it is watched",
  async play(scene, quick, once) {
    const own = await sourceOf(scene.project);
    for (const files of quick ? dying : [...dying, ...dying]) {
      once();
      await deployBad(scene, files);
    }
    await recover(scene, own);
  },
};

const failing: Record<SampleKind, Files> = {
  static: {},
  php: { "public/index.php": `<?php http_response_code(500); echo "version ${badVersion}";` },
  // Healthy when requested directly; only broken through the web server.
  node: serverThat(
    'listen((request, response) => { response.statusCode = request.headers["x-forwarded-for"] ? 500 : 200; response.end(page); });',
  ),
};

const failingReleases: Act = {
  name: "release that answers 500 through nginx",
  async play(scene, quick, once) {
    const own = await sourceOf(scene.project);
    for (let at = 0; at < (quick ? 1 : 4); at++) {
      once();
      await deployBad(scene, failing[scene.project.kind]);
    }
    await recover(scene, own);
  },
};

/** Two acts that take a minute each: they are played side by side. */
export const silentActs: Act[] = [
  {
    name: "new process never answers",
    play: (scene, _quick, once) => deployOnce(scene, once, serverThat("setInterval(() => {}, 1000);")),
  },
  {
    name: "new process answers 500",
    play: (scene, _quick, once) =>
      deployOnce(
        scene,
        once,
        serverThat("listen((_, response) => { response.statusCode = 500; response.end(page); });"),
      ),
  },
];

async function deployOnce(scene: Scene, once: () => void, files: Files): Promise<void> {
  once();
  await deployBad(scene, files);
}

/** What the bad commits overwrite. */
async function sourceOf({ kind }: SampleProject): Promise<Files> {
  const file = Object.keys(failing[kind])[0];
  return file === undefined ? {} : { [file]: await readFile(`${sampleDirectory(kind)}${file}`, "utf8") };
}

/**
 * Each step of a deployment in turn is held, and the deployment cancelled there; after the point of no return, the cancel is
 * refused.
 */
const cancels: Act = {
  name: "cancel at each step",
  async play(scene, _quick, once) {
    const { client } = scene.stage.platform;
    let last = await deployVersion(scene);
    const steps = await stepsOf(scene);
    for (const [position] of steps.entries()) {
      once();
      const hold = { project: scene.project.id, position, moment: "before", gate: "cancel" } as const;
      await setHolds(scene, [hold]);
      const version = await nextVersion(scene);
      const id = await deploy(client, scene.project.id);
      await waitUntilHeld(scene, [hold]);
      const { status } = await client.answer("POST /api/v1/deployments/{id}/cancel", { params: { id } });
      await openGate(scene, "cancel");
      await endsAs(client, id, status === 202 ? 5 : 1);
      if (status !== 202) last = version;
      await serving(scene, last);
    }
  },
};

/** The steps of the project's last deployment. */
async function stepsOf({ stage, project }: Scene): Promise<{ key: string }[]> {
  const { client } = stage.platform;
  const { data } = await client("GET /api/v1/projects/{id}/deployments", { params: { id: project.id } });
  return (await client("GET /api/v1/deployments/{id}", { params: { id: data[0]?.id as number } })).steps;
}

const broken = "/etc/nginx/sites-enabled/foreign.conf";
const mistakes = [
  "nonsense_by_hand;",
  "server { listen 443 ssl; server_name a.invalid; ssl_certificate /nonexistent; ssl_certificate_key /nonexistent; }",
];

/** Domains that nginx rejects, because of a foreign file; and deployments at the same time, which need no reload. */
const rejectedPublications: Act = {
  name: "publication that nginx rejects",
  async play(scene, quick, once) {
    for (const mistake of quick ? mistakes.slice(0, 1) : mistakes) {
      await scene.bash(`echo '${mistake}' > ${broken}`);
      try {
        for (const name of ["one", "two"]) {
          once();
          const domain = `${name}.${scene.project.domain}`;
          const { status, body } = await scene.stage.platform.client.refusal("POST /api/v1/projects/{id}/domains", {
            params: { id: scene.project.id },
            body: { domain },
          });
          assert.equal(status, 422, body.message);
        }
        await deployVersion(scene);
      } finally {
        await scene.bash(`rm ${broken}`);
      }
    }
  },
};
