import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { MonitorDetails, MonitorEvent } from "../../contract/types.ts";
import { waitFor } from "../../stage/api-client.ts";
import { type DnsServer, startDnsServer } from "../../stage/dns-server.ts";
import { bridgeAddress } from "../../stage/fixture.ts";
import {
  bodyOf,
  deployToEnd,
  endOf,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
} from "../../stage/support.ts";
import { openPlace, type Place } from "./balanced.ts";

// A monitored site, with a second server of the organization that is asked before the site counts as down.

let dns: DnsServer;
let stage: Stage;
let other: Place;
let project: Project;

before(async () => {
  dns = await startDnsServer();
  stage = await openStage("monitors", { LONGSHORE_DNS: dns.address });
  dns.zone.set("shop.example.test", { A: [stage.server.address] });
  const files = { "index.html": "version 1\n", "health.txt": "fine\n" };
  [other, project] = await Promise.all([openPlace(stage, "other"), install(stage, { name: "shop", files })]);
}, lengthy);

after(async () => {
  await other?.down();
  await stage?.close();
  await dns?.close();
});

/** What an event knows besides its message. */
const contextOf = (event: MonitorEvent | undefined) =>
  event?.context as {
    disturbed?: boolean;
    deployment?: { id: number };
    rollback?: { deployment_id?: number; target_id?: number; refusal?: string };
    second_opinion?: { server_id: number; is_up: boolean };
  };

/** An interval, plus the delay of a busy machine. */
const patient = { timeoutMs: 120_000 };

async function watchSite(path: string): Promise<number> {
  const config = { url: `http://${project.domain}${path}`, confirmation_threshold: 1, interval_seconds: 60 };
  const { data } = await stage.client("POST /api/v1/monitors", {
    body: {
      ...{ type: "http", name: "Shop", monitorable_type: "App\\Models\\Project", monitorable_id: project.id },
      config,
    },
  });
  return data.id;
}

const readMonitor = async (id: number): Promise<MonitorDetails> =>
  (await stage.client("GET /api/v1/monitors/{id}", { params: { id } })).data;

/** Several monitors of one address have several slots, so that the first of them sees a change soon. */
const watchSeveralTimes = (path: string): Promise<number[]> => Promise.all([1, 2, 3].map(() => watchSite(path)));

const until = (status: string, id: number): Promise<MonitorDetails> =>
  waitFor(
    `the monitor to be ${status}`,
    async () => {
      const monitor = await readMonitor(id);
      return monitor.current_status === status && monitor;
    },
    patient,
  );

const untilAnyIs = (status: string, ids: readonly number[]): Promise<MonitorDetails> =>
  Promise.any(ids.map((id) => until(status, id)));

/** The monitor that detected that nginx was stopped. */
let fallen: number;

describe("a monitor of a deployed site", () => {
  it("is down when nginx is stopped, with the deployment named and the other server's word", async () => {
    const { data } = await stage.client("GET /api/v1/projects/{id}/deployments", { params: { id: project.id } });
    const [installed] = data;
    const ids = await watchSeveralTimes("/");
    await Promise.all(ids.map((id) => until("up", id)));

    await stage.bash("systemctl stop nginx");
    const down = await untilAnyIs("down", ids);
    await stage.bash("systemctl start nginx");

    const [event] = down.events;
    assert.equal(event?.status, "down");
    assert.equal(contextOf(event).deployment?.id, installed?.id);
    assert.equal(contextOf(event).second_opinion?.server_id, other.id);
    assert.equal(contextOf(event).second_opinion?.is_up, false);
    assert.equal(contextOf(event).rollback, undefined);
    fallen = down.id;
  });

  it("stays up while its address is blocked from here alone", async () => {
    const rule = `ip saddr ${bridgeAddress(stage.server)} tcp dport 80 reject with tcp reset`;
    await stage.bash(`
      nft add table inet blocked
      nft add chain inet blocked input '{ type filter hook input priority -300; }'
      nft add rule inet blocked input ${rule}`);
    const id = await watchSite("/");
    const monitor = await until("up", id);
    await stage.bash("nft delete table inet blocked");
    const [event, ...more] = monitor.events;
    assert.deepEqual(more, []);
    assert.match(event?.message ?? "", /but not Longshore: the way from here is disturbed/);
    assert.equal(contextOf(event).disturbed, true);
    assert.equal(contextOf(event).second_opinion?.is_up, true);
  });

  it("rolls a faulty deployment back when the project asks for it, once", async () => {
    const body = { rollback_on_down: true };
    await stage.client("PUT /api/v1/projects/{id}", { params: { id: project.id }, body });
    const ids = await watchSeveralTimes("/health.txt");
    await Promise.all(ids.map((id) => until("up", id)));
    await stage.git.commit(project.name, { files: { "index.html": "version 2\n", "health.txt": null } });
    const faulty = await deployToEnd(stage, project);
    assert.equal(faulty.status, 1, String(faulty.error));

    const [event] = (await untilAnyIs("down", ids)).events;
    assert.equal(contextOf(event).deployment?.id, faulty.id);
    const rollback = contextOf(event).rollback;
    assert.ok(rollback?.deployment_id, JSON.stringify(rollback));
    const ended = await endOf(stage, rollback.deployment_id);
    assert.equal(ended.status, 1, String(ended.error));
    assert.equal(await bodyOf(stage, project), "version 1\n");
    await Promise.all(ids.map((id) => until("up", id)));
    const { data } = await stage.client("GET /api/v1/projects/{id}/deployments", { params: { id: project.id } });
    assert.equal(data.filter(({ process_type }) => process_type === "rollback").length, 1);
  });

  // Last, since its next check takes an interval.
  it("is up again since nginx was started", async () => {
    const [recovered, outage] = (await until("up", fallen)).events;
    assert.equal(recovered?.status, "up");
    assert.notEqual(outage?.resolved_at, null);
  });
});
