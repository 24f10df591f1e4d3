import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { must, waitFor } from "../api-client.ts";
import {
  type AppsStage,
  appWaiting,
  detailsOf,
  installEnd,
  openAppsStage,
  requestInstall,
  updateToEnd,
} from "./apps-support.ts";
import { startVisitor } from "./support.ts";

// Applications that npm installs and that run as Node services, on a real server, from the npm registry.

const domain = "flows.example.test";
let stage: AppsStage;
let id: number;

before(async () => {
  stage = await openAppsStage("apps-node");
  stage.mirror.offer("node-red", ["4.1.0"]);
});

after(() => stage?.close());

/** Asks Node-RED through nginx, as root on the server; `json` is sent. */
async function ask(method: string, path: string, more: { token?: string; json?: object } = {}): Promise<string> {
  const header = more.token === undefined ? "" : `-H 'Authorization: Bearer ${more.token}'`;
  const body = more.json === undefined ? "" : `-H 'Content-Type: application/json' -d '${JSON.stringify(more.json)}'`;
  return stage.bash(`curl -s -X ${method} ${header} ${body} -H 'Host: ${domain}' http://127.0.0.1${path}`);
}

async function logIn(): Promise<string> {
  const { credentials } = await detailsOf(stage, id);
  const json = {
    client_id: "node-red-admin",
    grant_type: "password",
    scope: "*",
    username: credentials.admin_username?.value,
    password: credentials.admin_password?.value,
  };
  return (JSON.parse(await ask("POST", "/auth/token", { json })) as { access_token: string }).access_token;
}

const flow = {
  id: "tab1",
  label: "Kept by updates",
  nodes: [{ id: "n1", type: "comment", z: "tab1", name: "hello", wires: [] }],
};

describe("Node-RED", () => {
  it("is installed, and serves its own pages", async () => {
    const made = await must("Installing", requestInstall(stage, { name: "Flows", domain, app_slug: "node-red" }));
    id = made.data.id;
    const ended = await installEnd(stage, id);
    assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
    assert.equal(ended.app_version, "4.1.0");
    assert.match(await ask("GET", "/"), /Node-RED/);
  });

  it("lets the shown credentials in, and no others", async () => {
    assert.match(await ask("GET", "/flows"), /Unauthorized/);
    const token = await logIn();
    assert.match(await ask("POST", "/flow", { token, json: flow }), /"id"/);
  });

  it("leaves the former version when an update fails", async () => {
    stage.mirror.offer("node-red", ["5.0.7", "4.1.0"]);
    const npm = `/srv/longshore/projects/${id}/cache/apps`;
    await stage.bash(`mv ${npm}/npm ${npm}/npm.kept; : > ${npm}/npm`);
    const { last_update: update, app_version: version } = await updateToEnd(stage, id);
    await stage.bash(`rm ${npm}/npm; mv ${npm}/npm.kept ${npm}/npm`);
    assert.deepEqual([update?.state, version], ["failed", "4.1.0"]);
    assert.match(await ask("GET", "/"), /Node-RED/);
  });

  it("is updated without a lost request, with its flows", async () => {
    const visitor = startVisitor(stage, { id, name: "Flows", domain, home: "" }, (body) => body.includes("Node-RED"));
    const details = await updateToEnd(stage, id).finally(() => visitor.stop());
    const { visits, wrong } = await visitor.stop();
    assert.equal(details.last_update?.state, "succeeded", JSON.stringify(details.last_update));
    assert.equal(details.app_version, "5.0.7");
    assert.deepEqual(wrong, []);
    assert.ok(visits > 20);
    const token = await logIn();
    assert.match(await ask("GET", "/flows", { token }), /Kept by updates/);
  });

  it("is deleted with its process and its files", async () => {
    await must("Deleting", stage.client.delete(`/api/v1/project/${id}`));
    const left = `
      ls -d /srv/longshore/projects/${id} || true
      getent passwd project-${id} || true
      systemctl list-units --no-legend --plain 'longshore-project-${id}@*' || true`;
    await waitFor("everything to be gone", async () => (await stage.bash(left)) === "", appWaiting);
  });
});
