import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { initialPhp } from "../../projects/php/schema.ts";
import type { PlacedProject } from "../../projects/schema.ts";
import { renewalTime } from "../authority/renewal.ts";
import { isOvertaken, namesOf, nextTry, reasonToOrder } from "../orders.ts";
import type { CertificateState, OrderRow } from "../schema.ts";

const now = new Date("2026-03-01T12:00:00Z");
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();

interface Given {
  site?: Partial<PlacedProject["site"]>;
  placement?: Partial<PlacedProject["placement"]>;
}

const domain = (name: string, more: object = {}) => ({
  id: 1,
  domain_name: name,
  is_primary: name === "a.test",
  is_active: true,
  redirect_to: null,
  redirect_status_code: null,
  created_at: "",
  ...more,
});

const project = ({ site = {}, placement = {} }: Given = {}) =>
  ({
    id: 7,
    framework_id: 10,
    custom_commands: {},
    shared_directories: [],
    shared_files: [],
    php: initialPhp,
    site: {
      front_server_id: 3,
      load_balancer_id: null,
      balance: null,
      ssl_is_enabled: true,
      www_redirect: 0,
      redirect_status_code: 301,
      domains: [domain("a.test")],
      redirects: [],
      certificate: null,
      load_balancers: [],
      forwarders: [],
      trusted_proxies: [],
      ...site,
    },
    placement: { server_id: 3, is_prepared: true, ...placement },
  }) as unknown as PlacedProject;

const state = (more: Partial<CertificateState> = {}): CertificateState => ({
  id: 1,
  project_id: 7,
  source: "acme",
  version: 5,
  server_id: 3,
  names: ["a.test"],
  not_after: inHours(200),
  renew_at: inHours(100),
  failures: 0,
  failed_names: null,
  retry_at: null,
  announced_at: null,
  ...more,
});

describe("the names of a certificate", () => {
  test("are all names of its site, with www forms and redirects", () => {
    const domains = [domain("a.test"), domain("old.test", { redirect_to: "https://a.test" })];
    assert.deepEqual(namesOf(project({ site: { domains } })), ["a.test", "old.test"]);
    assert.deepEqual(namesOf(project({ site: { domains, www_redirect: 2 } })), ["a.test", "old.test", "www.a.test"]);
  });
});

describe("a project needs another certificate", () => {
  const reason = (given: Given, found: CertificateState | undefined) => reasonToOrder(project(given), found, now);

  test("when it has none, once SSL is enabled and its site is there", () => {
    assert.equal(reason({}, undefined), "issue");
    assert.equal(reason({ site: { ssl_is_enabled: false } }, undefined), undefined);
    assert.equal(reason({ placement: { is_prepared: false } }, undefined), undefined);
  });

  test("when names were added or removed", () => {
    assert.equal(reason({}, state()), undefined);
    assert.equal(reason({ site: { domains: [domain("a.test"), domain("b.test")] } }, state()), "issue");
    assert.equal(reason({}, state({ names: ["a.test", "b.test"] })), "issue");
  });

  test("when a third of its life is left", () => {
    assert.equal(reason({}, state({ renew_at: inHours(-1) })), "renewal");
    assert.equal(reason({}, state({ renew_at: inHours(1) })), undefined);
  });

  test("when it was moved to another server", () => {
    assert.equal(reason({ site: { front_server_id: 4 } }, state()), "issue");
    assert.equal(reason({ site: { front_server_id: 4 } }, state({ source: "custom" })), "issue");
  });

  test("not before the next attempt is due, unless the names have changed since the failure", () => {
    const failed = { failed_names: ["a.test"], retry_at: inHours(1) };
    assert.equal(reason({}, state({ ...failed, version: null, server_id: null, names: [] })), undefined);
    assert.equal(reason({}, state({ ...failed, renew_at: inHours(-1) })), undefined);
    assert.equal(reason({}, state({ ...failed, retry_at: inHours(-1), renew_at: inHours(-1) })), "renewal");
    assert.equal(reason({ site: { domains: [domain("a.test"), domain("b.test")] } }, state(failed)), "issue");
  });

  test("never in place of an uploaded one", () => {
    assert.equal(reason({}, state({ source: "custom", names: ["b.test"], renew_at: null })), undefined);
  });
});

describe("an order is overtaken", () => {
  const order = (more: Partial<OrderRow> = {}) =>
    ({ names: ["a.test"], left_out: [], server_id: 3, purpose: "issue", ...more }) as OrderRow;

  test("by other names, another server or the end of SSL", () => {
    assert.equal(isOvertaken(order(), project()), false);
    assert.equal(isOvertaken(order({ names: ["b.test"] }), project()), true);
    const leftOut = [{ name: "b.test", reason: "" }];
    assert.equal(
      isOvertaken(order({ left_out: leftOut }), project({ site: { domains: [domain("a.test"), domain("b.test")] } })),
      false,
    );
    assert.equal(isOvertaken(order({ left_out: leftOut }), project()), true);
    assert.equal(isOvertaken(order({ purpose: "custom", names: ["b.test"] }), project()), false);
    assert.equal(isOvertaken(order(), project({ site: { front_server_id: 4 } })), true);
    assert.equal(isOvertaken(order(), project({ site: { ssl_is_enabled: false } })), true);
  });
});

describe("the next attempt", () => {
  const minutes = (failures: number, more: { isCounted: boolean; until?: string }, random = 0.5) =>
    Math.round((nextTry(failures, more, () => random).getTime() - Date.now()) / 60_000);

  test("comes later each time, up to a day", () => {
    const waits = [1, 2, 3, 4, 40].map((failures) => minutes(failures, { isCounted: false }));
    assert.deepEqual(waits, [1, 2, 4, 8, 1_440]);
    assert.deepEqual(
      [1, 2].map((failures) => minutes(failures, { isCounted: true })),
      [10, 20],
    );
  });

  test("is randomized, and not before the authority accepts orders again", () => {
    assert.deepEqual([minutes(2, { isCounted: true }, 0), minutes(2, { isCounted: true }, 1)], [16, 24]);
    assert.equal(minutes(1, { isCounted: false, until: new Date(Date.now() + 7_200_000).toISOString() }), 120);
  });
});

test("a certificate is renewed when less than a third of its life is left, and not all on one day", () => {
  const [from, to] = [new Date("2026-01-01T00:00:00Z"), new Date("2026-04-01T00:00:00Z")];
  const dayOf = (random: number) =>
    renewalTime(from, to, () => random)
      .toISOString()
      .slice(0, 10);
  assert.deepEqual([dayOf(0), dayOf(1)], ["2026-03-02", "2026-03-08"]);
});
