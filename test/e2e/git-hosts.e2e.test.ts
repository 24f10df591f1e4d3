import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { GitRepository } from "../../contract/types.ts";
import { deploy, firstDeployment, logTail, waitFor } from "../../stage/api-client.ts";
import { bridgeAddress } from "../../stage/fixture.ts";
import {
  bodyOf,
  createProject as createStageProject,
  deployToEnd,
  endOf,
  lengthy,
  openStage,
  type Project,
  type Stage,
  waiting,
} from "../../stage/support.ts";
import { dialectA } from "../git-hosts/git-host-a.ts";
import { GitHost, type HostedRepository } from "../git-hosts/host.ts";
import { type GitSshServer, repositoriesIn, startGitSsh } from "../git-ssh.ts";

// A private repository from the first deployment to a push, with a real server that fetches it over SSH: the host's API
// is a stand-in, whose SSH server accepts exactly the deploy keys that were registered with it.

const publicUrl = "https://panel.example.test";

let host: GitHost;
let stage: Stage;
let ssh: GitSshServer;
/** Keys that a person added by hand, for repositories that no connected account can see. */
const addedByHand: string[] = [];

/** The credentials for the large files of a private repository, which the host issues over SSH. */
const lfsCredentials = { username: "lfs", password: "handed out for a while" };

before(async () => {
  host = await new GitHost(dialectA).listen();
  stage = await openStage("githosts", {
    LONGSHORE_GIT_HOST_A_API_URL: host.apiUrl,
    LONGSHORE_PUBLIC_URL: publicUrl,
  });
  ssh = await startGitSsh({
    host: bridgeAddress(stage.server),
    repositoryOf: repositoriesIn(stage.gitRoot),
    keysOf: (path) => host.repositories.get(path)?.keys.map((key) => key.key) ?? addedByHand,
    largeFilesOf: (path) => ({
      href: `${stage.git.urlOf(path.split("/").at(-1) ?? "")}/info/lfs`,
      header: { Authorization: `Basic ${btoa(Object.values(lfsCredentials).join(":"))}` },
    }),
  });
}, lengthy);

after(async () => {
  await ssh?.close();
  await stage?.close();
  await host?.close();
});

const sourceOf = async ({ id }: Project) =>
  (await stage.client("GET /api/v1/projects/{id}/source", { params: { id } })).data;

const publicKeyOf = async (project: Project) => (await sourceOf(project)).deploy_key.public_key as string;

const createProject = (name: string, repository: Omit<GitRepository, "branch">): Promise<Project> =>
  createStageProject(stage, {
    name,
    more: { auto_deploy_is_active: 1, git_repository: { branch: "main", ...repository } },
  });

/** Delivers a push to the platform like the proxy in front of it. */
async function push(repository: HostedRepository, commits: { before: string; after: string }, times = 1) {
  const hook = repository.hooks[0] ?? assert.fail("no webhook is registered");
  assert.ok(hook.url.startsWith(`${publicUrl}/`), hook.url);
  const pushed = { branch: "main", author: "Jane Doe", message: "Second version", ...commits };
  const { headers, body } = dialectA.deliver(repository, hook, pushed);
  const address = hook.url.replace(publicUrl, stage.platform.url);
  const answers: { status: number; deployment_id: number | null }[] = [];
  for (let n = 0; n < times; n += 1) {
    const response = await fetch(address, { method: "POST", headers, body });
    answers.push({ ...((await response.json()) as { deployment_id: number | null }), status: response.status });
  }
  return answers;
}

describe("a private repository of a connected account", () => {
  let project: Project;
  let repository: HostedRepository;
  let first: string;

  before(async () => {
    first = await stage.git.createRepository("shop", { files: { "index.html": "version 1\n" } });
    repository = host.addRepository("acme/shop", { sshUrl: ssh.urlOf("acme/shop") });
    await stage.client("POST /api/v1/source-providers", {
      body: { name: "Acme", provider_type: "git_host_a", credentials: { token: host.token } },
    });
    // At first the host does not answer: the deployment waits for its key.
    host.troubles.push({ line: /^GET .repos.acme.shop$/, trouble: { status: 502 } });
    project = await createProject("shop", { repo: "acme/shop", type: "git_host_a" });
  });

  it("is deployed at the first go: the server's key is registered before the fetch", async () => {
    const ended = await endOf(stage, await firstDeployment(stage.client, project.id, waiting));
    assert.equal(ended.status, 1, ended.error ?? "");
    assert.equal(ended.commit_id, first);
    assert.equal(await bodyOf(stage, project), "version 1\n");
    assert.deepEqual(ssh.fetched, ["acme/shop"]);
    const key = await publicKeyOf(project);
    assert.deepEqual(
      repository.keys.map((each) => each.key),
      [key.split(" ").slice(0, 2).join(" ")],
    );
  });

  it("has its webhook at the host", async () => {
    const source = await waitFor(
      "the webhook to be registered",
      async () => {
        const found = await sourceOf(project);
        return found.webhook.is_registered && found;
      },
      { timeoutMs: 120_000 },
    );
    assert.deepEqual([source.deploy_key.is_registered, source.deploy_key.error], [true, null]);
    assert.deepEqual(
      repository.hooks.map(({ url, secret }) => ({ url, secret })),
      [{ url: source.webhook.url, secret: source.webhook.secret }],
    );
  });

  it("keeps the private half of its key on the server, where root alone reads it", async () => {
    const file = `${project.home}/deploy_key`;
    assert.equal(await stage.bash(`stat -c '%U:%G %a' ${file}`), "root:root 600");
    const derived = await stage.bash(`ssh-keygen -y -f ${file}`);
    assert.equal(derived, await publicKeyOf(project));
    const tried = await stage.bash(`runuser -u project-${project.id} -- cat ${file} 2>&1 || true`);
    assert.match(tried, /Permission denied/);
  });

  it("is deployed again by a push, once, however often it is sent", async () => {
    const second = await stage.git.commit("shop", { files: { "index.html": "version 2\n" } });
    const [answer, ...repeated] = await push(repository, { before: first, after: second }, 3);
    assert.equal(answer?.status, 202);
    assert.deepEqual(
      repeated.map(({ status, deployment_id }) => [status, deployment_id]),
      [
        [200, null],
        [200, null],
      ],
    );
    const ended = await endOf(stage, answer?.deployment_id ?? assert.fail());
    assert.equal(ended.status, 1, ended.error ?? "");
    assert.deepEqual(
      [ended.commit_id, ended.description, ended.commit_message],
      [second, "Push by Jane Doe", "Second version"],
    );
    assert.equal(await bodyOf(stage, project), "version 2\n");
    const deployments = await stage.client("GET /api/v1/projects/{id}/deployments", { params: { id: project.id } });
    assert.equal(deployments.total_items, 2);
  });

  it("leaves neither key nor webhook behind when its project is deleted", async () => {
    await stage.client("DELETE /api/v1/project/{id}", { params: { id: project.id } });
    await waitFor("the host to be cleared", () => repository.keys.length + repository.hooks.length === 0, waiting);
  });
});

describe("a private repository without a connected account", () => {
  it("fails with the key to add in its sentence, and is deployed when that was added", async () => {
    await stage.git.createRepository("blog", { files: { "index.html": "blog\n" } });
    const project = await createProject("blog", { repo: ssh.urlOf("acme/blog"), type: "git" });
    const failed = await endOf(stage, await firstDeployment(stage.client, project.id, waiting));
    assert.equal(failed.status, 2);
    const key = await publicKeyOf(project);
    assert.ok(failed.error?.endsWith(`deploy again: ${key}`), failed.error ?? "");
    addedByHand.push(key);
    const ended = await endOf(stage, await deploy(stage.client, project.id));
    assert.equal(ended.status, 1, ended.error ?? "");
    assert.equal(await bodyOf(stage, project), "blog\n");
  });

  it("brings its private submodules, each with the same key", async () => {
    const theme = await stage.git.createRepository("theme", { files: { "style.css": "private style\n" } });
    const gitmodules = '[submodule "theme"]\n\tpath = assets/theme\n\turl = ../theme.git\n';
    await stage.git.createRepository("paper", {
      files: { "index.html": "paper\n", ".gitmodules": gitmodules, "assets/theme": { commit: theme } },
    });
    const project = await createProject("paper", { repo: ssh.urlOf("acme/paper"), type: "git" });
    await endOf(stage, await firstDeployment(stage.client, project.id, waiting));
    addedByHand.push(await publicKeyOf(project));
    const ended = await endOf(stage, await deploy(stage.client, project.id));
    assert.equal(ended.status, 1, ended.error ?? "");
    assert.equal(await bodyOf(stage, project, "/assets/theme/style.css"), "private style\n");
    assert.deepEqual(ssh.fetched.slice(-2), ["acme/paper", "acme/theme"]);
  });
});

describe("a repository with files in Git LFS", () => {
  const attributes = { ".gitattributes": "*.png filter=lfs diff=lfs merge=lfs -text\n" };
  let project: Project;

  before(async () => {
    const files = { ...attributes, "index.html": "page", "a/-photo one.png": { large: "first photo" } };
    await stage.git.createRepository("photos", { files });
    project = await createStageProject(stage, { name: "photos" });
    const ended = await endOf(stage, await firstDeployment(stage.client, project.id, waiting));
    assert.equal(ended.status, 1, `${ended.error}\n${logTail(ended)}`);
  }, lengthy);

  const photo = () => bodyOf(stage, project, "/a/-photo%20one.png");
  const kept = () => stage.bash(`find ${project.home} -path '*/lfs/objects/*' -type f | wc -l`);

  it("serves the files, not their pointers", async () => {
    assert.equal(await photo(), "first photo");
  });

  it("serves those of the next commit, and writes an unchanged one again", async () => {
    await stage.git.commit("photos", { files: { "b.png": { large: "second photo" } } });
    assert.equal((await deployToEnd(stage, project)).status, 1);
    assert.deepEqual([await photo(), await bodyOf(stage, project, "/b.png")], ["first photo", "second photo"]);
    assert.equal(await kept(), "2");
  });

  it("may be private: the deploy key opens them, too", async () => {
    const files = { ...attributes, "index.html": "page", "a.png": { large: "private photo" } };
    await stage.git.createRepository("album", { files, credentials: lfsCredentials });
    const album = await createProject("album", { repo: ssh.urlOf("acme/album"), type: "git" });
    await endOf(stage, await firstDeployment(stage.client, album.id, waiting));
    addedByHand.push(await publicKeyOf(album));
    const ended = await endOf(stage, await deploy(stage.client, album.id));
    assert.equal(ended.status, 1, `${ended.error}\n${logTail(ended)}`);
    assert.equal(await bodyOf(stage, album, "/a.png"), "private photo");
  });

  it("is not deployed with a file that Git LFS does not have", async () => {
    await stage.git.commit("photos", { files: { "c.png": { large: "lost photo" } } });
    stage.git.dropLargeFiles();
    const ended = await deployToEnd(stage, project);
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /Git LFS/);
    assert.equal(await photo(), "first photo");
  });

  it("is not deployed on a server without git-lfs", async () => {
    await stage.bash("mv /usr/bin/git-lfs /usr/bin/git-lfs.away");
    const ended = await deployToEnd(stage, project);
    await stage.bash("mv /usr/bin/git-lfs.away /usr/bin/git-lfs");
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /Run the setup/);
  });
});
