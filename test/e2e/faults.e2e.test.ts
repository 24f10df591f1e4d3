import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { DeploymentReply } from "../../contract/types.ts";
import { cutNetwork, healNetwork } from "../../sandbox/sandbox.ts";
import { deploy } from "../../stage/api-client.ts";
import {
  bodyOf,
  deployToEnd,
  endOf,
  gitIn,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
  stateOf,
} from "../../stage/support.ts";

// Every possible fault of a deployment ends in a sentence, and does not change the live release.

const unreachableAfterSeconds = 25;

let stage: Stage;
let site: Project;
let app: Project;
let mute: Project;
/** The deployment of `mute` that is given up after a minute: it continues while other projects are tested. */
let muteDeployment: number;
let muteBefore: string;

const serverOf = (version: string, andThen = ""): string => `
  require("node:http").createServer((_, response) => {
    response.end("${version}");
    ${andThen}
  }).listen(process.env.PORT, "127.0.0.1");
`;

before(async () => {
  stage = await openStage("faults", {
    LONGSHORE_UNREACHABLE_AFTER_SECONDS: String(unreachableAfterSeconds),
    LONGSHORE_SSH_CONNECT_TIMEOUT_SECONDS: "10",
  });
  const node = { frameworkId: 8, commands: { install: "true", build: "true", dev: "node server.js" } };
  [site, app, mute] = await Promise.all([
    install(stage, {
      name: "site",
      branch: "release",
      files: { "index.html": "site 1", "build.sh": "echo built" },
      commands: { build: "bash build.sh" },
    }),
    install(stage, { name: "app", files: { "server.js": serverOf("app 1") }, ...node }),
    install(stage, { name: "mute", files: { "server.js": serverOf("mute 1") }, ...node }),
  ]);
  muteBefore = await stateOf(stage, mute);
  await stage.git.commit("mute", { files: { "server.js": "setInterval(() => console.log('I wait'), 1000);" } });
  muteDeployment = await deploy(stage.client, mute.id);
}, lengthy);

after(() => stage?.close());

/** The next commit of a project's branch. */
const commit = (project: Project, files: Record<string, string | null>): Promise<string> =>
  stage.git.commit(project.name, { files, branch: project === site ? "release" : "main" });

interface Fault {
  project: Project;
  /** The expected error in the record. */
  says: RegExp;
  /** Causes the fault. */
  breakIt: () => Promise<unknown>;
  /** Removes the fault. */
  mend: () => Promise<unknown>;
}

/** Deploys with the fault and then without; the live release serves all along. */
async function survive({ project, says, breakIt, mend }: Fault): Promise<void> {
  const body = await bodyOf(stage, project);
  const before = await stateOf(stage, project);
  const visitor = startVisitor(stage, project, (got) => got === body);
  let ended: DeploymentReply;
  let seen: { visits: number; wrong: string[] };
  try {
    await breakIt();
    ended = await deployToEnd(stage, project);
    assert.equal(await stateOf(stage, project), before);
  } finally {
    try {
      await mend();
    } finally {
      seen = await visitor.stop();
    }
  }
  assert.deepEqual(seen.wrong.slice(0, 3), []);
  assert.ok(seen.visits > 0);
  assert.equal(ended.status, 2);
  assert.match(ended.error ?? "", says);
  assert.equal(await bodyOf(stage, project), body);
  assert.equal(await stateOf(stage, project), before);
  await deployAgain(project);
}

let versions = 1;

async function deployAgain(project: Project): Promise<void> {
  const version = `${project.name} ${++versions}`;
  await commit(
    project,
    project === site ? { "index.html": version, "build.sh": "true" } : { "server.js": serverOf(version) },
  );
  const ended = await deployToEnd(stage, project);
  assert.equal(ended.status, 1, ended.error ?? "");
  assert.equal(await bodyOf(stage, project), version);
}

const nothing = async (): Promise<void> => undefined;

describe("a source that cannot be had", () => {
  it("a repository that does not exist", async () => {
    const path = join(stage.gitRoot, "site.git");
    await survive({
      project: site,
      says: /repository .*(does not exist|was not found|not found)/i,
      breakIt: () => rename(path, `${path}.away`),
      mend: () => rename(`${path}.away`, path),
    });
  });

  it("a branch that does not exist", async () => {
    const head = await gitIn(stage, "site", "rev-parse", "refs/heads/release");
    await survive({
      project: site,
      says: /branch release does not exist/i,
      breakIt: () => gitIn(stage, "site", "update-ref", "-d", "refs/heads/release"),
      mend: () => gitIn(stage, "site", "update-ref", "refs/heads/release", head),
    });
  });
});

describe("a build that goes wrong", () => {
  it("one that fails", () =>
    survive({
      project: site,
      says: /“Build” failed with exit status 3: .*cannot find the thing/,
      breakIt: () => commit(site, { "build.sh": "echo half > made; echo cannot find the thing >&2; exit 3" }),
      mend: nothing,
    }));

  it("one that ends itself with everything around it", () =>
    survive({
      project: site,
      says: /“Build” failed with exit status \d{3}/,
      breakIt: () => commit(site, { "build.sh": "kill -9 -1" }),
      mend: nothing,
    }));

  it("one that leaves the directory to serve empty-handed", () =>
    survive({
      project: site,
      says: /\S/,
      breakIt: () => commit(site, { "build.sh": 'rm -rf -- "$PWD"' }),
      mend: nothing,
    }));
});

describe("a process that is not fit to serve", () => {
  it("one that dies at once", () =>
    survive({
      project: app,
      says: /process ended before it answered/,
      breakIt: () => commit(app, { "server.js": "console.error('no database'); process.exit(1);" }),
      mend: nothing,
    }));

  it("one that dies after it has answered", () =>
    survive({
      project: app,
      says: /process (ended|answered nothing) shortly after/,
      breakIt: () => commit(app, { "server.js": serverOf("app bad", "setTimeout(() => process.exit(1), 800)") }),
      mend: nothing,
    }));

  it("one that answers with errors only", { timeout: 300_000 }, () =>
    survive({
      project: app,
      says: /process answers 500 on port \d+/,
      breakIt: () =>
        commit(app, {
          "server.js": `require("node:http").createServer((_, response) => { response.statusCode = 500; response.end(); })
            .listen(process.env.PORT, "127.0.0.1");`,
        }),
      mend: nothing,
    }),
  );

  it("a port that a foreign program has taken", async () => {
    const standby = Number(await stage.bash(`ls ${app.home}/slots`)) ^ 1;
    const listen = `require("node:http").createServer((_, r) => r.end("foreign")).listen(${standby}, "127.0.0.1")`;
    await survive({
      project: app,
      says: new RegExp(`Port ${standby}, .* is in use by \\S+ \\(process \\d+\\)`),
      breakIt: () =>
        stage.bash(`
          node=$(ls -d /opt/longshore/node/*/bin/node | head -n 1)
          systemd-run --quiet --unit=foreign --collect "$node" -e ${JSON.stringify(listen).replaceAll("$", "\\$")}
          until curl -sf http://127.0.0.1:${standby}/; do sleep 0.05; done`),
      mend: () => stage.bash("systemctl stop foreign"),
    });
  });

  it("one that never answers", { timeout: 300_000 }, async () => {
    const ended = await endOf(stage, muteDeployment);
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /nothing answers on port \d+/);
    assert.ok(ended.output?.system_payload.includes("I wait"), "its last output is shown");
    assert.equal(await bodyOf(stage, mute), "mute 1");
    assert.equal(await stateOf(stage, mute), muteBefore);
    await deployAgain(mute);
  });
});

describe("a server that is not well", () => {
  // Moved into place when it is complete, so that no visitor finds it empty.
  const remount = (size: string) => `
    mkdir /var/tmp/small && mount -t tmpfs -o size=${size},mode=755 tmpfs /var/tmp/small
    cp -a /srv/. /var/tmp/small/ && mount --bind /var/tmp/small /srv`;
  // Lazily: nginx may have reopened its logs in it, and keeps them open until it reloads.
  const putBack = () => stage.bash("umount -l /srv && umount -l /var/tmp/small && rmdir /var/tmp/small");

  it("a disk with too little room to begin", () =>
    survive({
      project: site,
      says: /disk has \d+ MB left; a deployment needs 300 MB/,
      breakIt: () => stage.bash(remount("200m")),
      mend: putBack,
    }));

  it("a disk that runs full in the middle of a build", () =>
    survive({
      project: site,
      says: /disk is full/,
      breakIt: async () => {
        await stage.bash(remount("400m"));
        await commit(site, { "build.sh": "cat /dev/zero > big" });
      },
      mend: putBack,
    }));

  it("one that does not answer", async () => {
    const body = await bodyOf(stage, site);
    const before = await stateOf(stage, site);
    await cutNetwork(stage.server.name);
    const ended = await deployToEnd(stage, site).finally(() => healNetwork(stage.server.name));
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /did not answer/);
    assert.equal(await bodyOf(stage, site), body);
    assert.equal(await stateOf(stage, site), before);
    await deployAgain(site);
  });

  it("one that shows another host key", async () => {
    const restart = "systemctl restart ssh && (pkill -f '^sshd: root' || true)";
    await survive({
      project: site,
      says: /host key of .* is not the one seen at first contact/,
      breakIt: () =>
        stage.bash(`
          cp -a /etc/ssh /var/tmp/ssh.kept
          for key in /etc/ssh/ssh_host_*_key; do
            type=\${key#*ssh_host_}; rm "$key"; ssh-keygen -q -t "\${type%_key}" -N '' -f "$key"
          done
          ${restart}`),
      mend: () => stage.bash(`rm -rf /etc/ssh && mv /var/tmp/ssh.kept /etc/ssh && ${restart}`),
    });
  });
});
