import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { credentials } from "../../../../test/clouds/all.ts";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import type { Worker } from "../../../engine/queue/worker.ts";
import { call } from "../../../http/tests/support.ts";
import { driverFor } from "../../../providers/cloud/drivers.ts";
import { openStage, type Stage } from "../../servers/tests/support.ts";
import { provider, providerRequest } from "../providers/examples.ts";
import { withFakes } from "./fakes.ts";
import { startWorker, untilOrders } from "./support.ts";

// What docs/clouds.md and the documentation of the API show works as it is written there.

const page = readFileSync(new URL("../../../../docs/clouds.md", import.meta.url), "utf8");

const placeholders: Record<string, string> = {
  HETZNER_TOKEN: credentials.cloud_a.token ?? "",
  AWS_KEY_ID: credentials.cloud_b.access_key_id ?? "",
  AWS_SECRET: credentials.cloud_b.secret_access_key ?? "",
  DIGITALOCEAN_TOKEN: credentials.cloud_c.token ?? "",
  SUBNET_ID: subnetB("eu-central-1", "a"),
};

/** The requests of the page in their order, with the values of the fakes. */
function requestsOf(text: string): { path: string; body: unknown }[] {
  const filled = Object.entries(placeholders).reduce(
    (all, [name, value]) => all.replaceAll(`"${name}"`, `"${value}"`),
    text,
  );
  const curl = /^curl [^\n]*"\$API\/([^"]+)"(?: -d '([^']+)')?/gm;
  return [...filled.matchAll(curl)].map(([, path = "", body]) => ({ path, body: body && JSON.parse(body) }));
}

let stage: Stage;
let fakes: Awaited<ReturnType<typeof withFakes>>;
let worker: Worker;

before(async () => {
  stage = await openStage();
  fakes = await withFakes(stage, { looksUntilRunning: 1 });
  worker = await startWorker(stage.ctx);
});
after(async () => {
  await worker?.stop();
  await fakes?.clouds.close();
  await stage?.close();
});

describe("The requests of docs/clouds.md", () => {
  it("connect accounts, list what they sell, order servers and resize one", { timeout: 120_000 }, async () => {
    const requests = requestsOf(page);
    assert.equal(requests.length, 9);
    for (const { path, body } of requests) {
      if (path.endsWith("/resize")) await untilOrders(stage, ["active"]);
      const method = body === undefined ? "GET" : "POST";
      const reply = await call(stage.app, `${method} /api/v1/${path}`, { token: stage.cast.alice, body });
      const expected = path === "server-providers" ? 201 : method === "GET" ? 200 : 202;
      assert.equal(reply.status, expected, `${path}: ${reply.text}`);
      if (body !== undefined) assert.ok(!("warnings" in reply.body), reply.text);
    }
  });
});

describe("The policy of docs/clouds.md", () => {
  const [, text = ""] = /```json\n(\{\n {2}"Version"[^`]+)```/.exec(page) ?? [];
  const statements = (JSON.parse(text) as { Statement: { Action: string | string[]; Condition?: object }[] }).Statement;
  const actions = statements.flatMap(({ Action }) => Action);

  it("allows every action that the requests above used, each once", () => {
    const used = fakes.clouds.b.requests.flatMap((request) => /^POST ([A-Z][A-Za-z]+)$/.exec(request)?.[1] ?? []);
    const free = ["GetCallerIdentity"];
    for (const action of new Set(used))
      if (!free.includes(action)) assert.ok(actions.includes(`ec2:${action}`), action);
    assert.equal(new Set(actions).size, actions.length);
  });

  it("allows tags only at the creation of a resource, and removals only of tagged ones", () => {
    for (const { Action, Condition } of statements) {
      const names = [Action].flat();
      if (names.includes("ec2:CreateTags")) assert.match(JSON.stringify(Condition), /ec2:CreateAction/);
      if (names.some((name) => /Terminate|Delete|Release|Deregister|Modify|Stop/.test(name))) {
        assert.match(JSON.stringify(Condition), /aws:ResourceTag\/longshore/);
      }
    }
  });
});

describe("The examples of the API", () => {
  it("have credentials of the right form", () => {
    const driver = driverFor("cloud_a", { baseUrls: {} });
    assert.deepEqual(driver.parseCredentials(providerRequest.credentials), providerRequest.credentials);
    assert.equal(driver.label, provider.label);
  });
});
