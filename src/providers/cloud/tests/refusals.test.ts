import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refusalIn as refusalInA } from "../cloud-a/errors.ts";
import { refusalIn as refusalInB } from "../cloud-b/errors.ts";
import { refusalIn as refusalInC } from "../cloud-c/errors.ts";
import { type CloudDriver, cloudProviderTypes, type OrderField } from "../driver.ts";
import { driverFor } from "../drivers.ts";
import { count, failure, openBench, prepareOrder, serversAt, withEach } from "./support.ts";

const readers = { cloud_a: refusalInA, cloud_b: refusalInB, cloud_c: refusalInC };

interface Expected {
  field?: OrderField;
  permanent: boolean;
  isUncertain?: boolean;
  message?: RegExp;
}

const a = (code: string, message = "words", details: unknown = null) =>
  JSON.stringify({ error: { code, message, details } });
const b = (code: string, message = "words") =>
  `<?xml version="1.0"?><Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>1</RequestID></Response>`;
const c = (message: string, id = "unprocessable_entity") => JSON.stringify({ id, message, request_id: "1" });

const refusals: [keyof typeof readers, number, string, Expected][] = [
  ["cloud_a", 401, a("unauthorized"), { field: "credentials", permanent: true }],
  ["cloud_a", 401, a("token_readonly"), { field: "credentials", permanent: true, message: /only read/ }],
  [
    "cloud_a",
    422,
    a("invalid_input", "x", { fields: [{ name: "server_type", messages: [] }] }),
    { field: "server_type", permanent: true },
  ],
  [
    "cloud_a",
    422,
    a("invalid_input", "x", { fields: [{ name: "networks.0" }] }),
    { field: "network", permanent: true },
  ],
  ["cloud_a", 412, a("resource_unavailable"), { field: "location", permanent: true, message: /no capacity/ }],
  ["cloud_a", 422, a("placement_error"), { field: "location", permanent: true }],
  [
    "cloud_a",
    403,
    a("resource_limit_exceeded", "server limit exceeded"),
    { field: "server_type", permanent: true, message: /server limit/ },
  ],
  ["cloud_a", 423, a("locked"), { permanent: false }],
  ["cloud_a", 423, a("protected"), { permanent: true }],
  ["cloud_a", 409, a("conflict"), { permanent: false }],
  ["cloud_a", 504, a("timeout"), { permanent: false, isUncertain: true }],
  ["cloud_a", 502, "<html>Bad Gateway</html>", { permanent: false, isUncertain: true }],
  ["cloud_a", 500, a("something_new"), { permanent: false, isUncertain: true }],
  ["cloud_a", 400, a("something_new"), { permanent: true }],
  ["cloud_b", 401, b("AuthFailure"), { field: "credentials", permanent: true }],
  [
    "cloud_b",
    403,
    b("UnauthorizedOperation", "No. Encoded authorization failure message: abcdef"),
    { field: "credentials", permanent: true, message: /No\. \(Una/ },
  ],
  ["cloud_b", 400, b("VcpuLimitExceeded"), { field: "server_type", permanent: true, message: /quota/ }],
  [
    "cloud_b",
    500,
    b("InsufficientInstanceCapacity"),
    { field: "server_type", permanent: true, message: /no capacity/ },
  ],
  ["cloud_b", 400, b("Unsupported"), { field: "server_type", permanent: true }],
  ["cloud_b", 400, b("AddressLimitExceeded"), { field: "static_address", permanent: true }],
  ["cloud_b", 400, b("InvalidSubnetID.NotFound"), { field: "network", permanent: true }],
  ["cloud_b", 400, b("InsufficientFreeAddressesInSubnet"), { field: "network", permanent: true }],
  ["cloud_b", 400, b("InvalidAMIID.NotFound"), { field: "image", permanent: true }],
  ["cloud_b", 400, b("InvalidBlockDeviceMapping"), { field: "volume_size", permanent: true }],
  [
    "cloud_b",
    400,
    b("InvalidParameterValue", "Volume size 8 GiB is smaller than snapshot"),
    { field: "volume_size", permanent: true },
  ],
  ["cloud_b", 400, b("OptInRequired"), { field: "location", permanent: true }],
  ["cloud_b", 503, b("RequestLimitExceeded"), { permanent: false }],
  ["cloud_b", 500, b("InternalError"), { permanent: false, isUncertain: true }],
  ["cloud_b", 400, b("DependencyViolation"), { permanent: false }],
  ["cloud_b", 400, JSON.stringify({ __type: "com.amazon#ThrottlingException", message: "slow" }), { permanent: false }],
  ["cloud_c", 401, c("Unable to authenticate you", "unauthorized"), { field: "credentials", permanent: true }],
  ["cloud_c", 403, c("You are not authorized", "forbidden"), { field: "credentials", permanent: true }],
  ["cloud_c", 422, c("Size is not available in this region."), { field: "server_type", permanent: true }],
  ["cloud_c", 422, c("Region is not available"), { field: "location", permanent: true }],
  ["cloud_c", 422, c("You specified an invalid image for Droplet creation."), { field: "image", permanent: true }],
  ["cloud_c", 422, c("Failed to resolve VPC"), { field: "network", permanent: true }],
  [
    "cloud_c",
    422,
    c("creating this/these droplet(s) will exceed your droplet limit"),
    { field: "server_type", permanent: true },
  ],
  ["cloud_c", 422, c("Droplet already has a pending event."), { permanent: false }],
  ["cloud_c", 500, c("Unexpected server-side error", "server_error"), { permanent: false, isUncertain: true }],
];

describe("A provider's refusal", () => {
  it("becomes a sentence with its field, and whether it passes", () => {
    for (const [providerType, status, text, expected] of refusals) {
      const error = readers[providerType]({ status, headers: new Headers(), text });
      const { field, permanent, isUncertain = false, message = /./ } = expected;
      assert.deepEqual([error?.field, error?.permanent, error?.isUncertain], [field, permanent, isUncertain], text);
      assert.match(error?.message ?? "", message);
      assert.match(error?.message ?? "", /^(Hetzner Cloud|AWS EC2|DigitalOcean) .*\.$/s);
    }
  });

  it("in another form than the API's passes, blames no field, and does not prove that anything is missing", () => {
    const pages = [
      "<!DOCTYPE html><title>Access denied</title>",
      '{"id": "forbidden", "mess',
      "",
      "[]",
      "<Response><Errors>",
      JSON.stringify({ status: "blocked", ray: "8f1" }),
    ];
    for (const [name, refusalIn] of Object.entries(readers)) {
      for (const status of [301, 302, 307, 400, 401, 403, 404, 405, 410, 418, 451, 502, 503]) {
        for (const text of pages) {
          const error = refusalIn({ status, headers: new Headers({ location: "https://elsewhere.example/" }), text });
          const seen = [error?.code, error?.permanent, error?.isUncertain, error?.field];
          assert.deepEqual(seen, ["unavailable", false, true, undefined], `${name} ${status} ${text}`);
          assert.match(error?.message ?? "", new RegExp(`status ${status}`));
        }
      }
    }
  });

  it("is one bounded line, whatever the provider writes", () => {
    const words = `bad\r\n\u001b[31m${"x".repeat(5_000)}`;
    const errors = [
      refusalInA({ status: 400, headers: new Headers(), text: a("code", words) }),
      refusalInB({ status: 400, headers: new Headers(), text: b("Code", words.replace(/[^\x20-\x7e\n]/g, "")) }),
      refusalInC({ status: 422, headers: new Headers(), text: c(words) }),
    ];
    for (const error of errors) {
      assert.ok(error && error.message.length < 500);
      assert.doesNotMatch(error.message, /\p{Cc}/u);
    }
  });

  it("never quotes credentials or user data that the provider sends back", () =>
    withEach(async (bench) => {
      const { access, driver, case: at } = bench;
      const order = await prepareOrder(bench);
      const secret = Object.values(access.credentials).at(-1) ?? "";
      const words = `no ${secret} -----BEGIN OPENSSH PRIVATE KEY----- AAAA`;
      const body = {
        cloud_a: a("invalid_input", words),
        cloud_b: b("InvalidParameterValue", words),
        cloud_c: c(words),
      };
      bench.cloud.override(at.orderCall, { status: 422, body: body[at.providerType] });
      const error = await failure(driver.ensureServer(access, order));
      assert.doesNotMatch(error.message, /AAAA/);
      assert.ok(!error.message.includes(secret));
      assert.ok(!JSON.stringify(error).includes(secret));
    }));

  it("of capacity at the moment of the order is permanent and orders nothing", () =>
    withEach(async (bench) => {
      const order = await prepareOrder(bench);
      const { a: one, b: two, c: three } = bench.clouds;
      for (const cloud of [one, two, three]) cloud.soldOut.add(order.serverType);
      const error = await failure(bench.driver.ensureServer(bench.access, order));
      assert.equal(error.permanent, true);
      assert.ok(error.field === "server_type" || error.field === "location");
      assert.equal(count(bench, bench.case.orderCall), bench.case.providerType === "cloud_b" ? 2 : 1);
      assert.deepEqual(serversAt(bench), []);
    }));

  it("of a quota is permanent", async () => {
    for (const providerType of ["cloud_a", "cloud_b"] as const) {
      const bench = await openBench(providerType, { serverLimit: 0 });
      const error = await failure(bench.driver.ensureServer(bench.access, await prepareOrder(bench)));
      assert.deepEqual([error.field, error.permanent], ["server_type", true]);
      await bench.clouds.close();
    }
  });

  it("by a limit of calls is waited for when that is short, and handed on with its time when it is long", () =>
    withEach(async (bench) => {
      const { driver, access, cloud } = bench;
      cloud.faults.next(/./, "limit");
      await driver.listLocations(access);
      assert.equal(cloud.requests.length, 2);
      const reset = { "ratelimit-reset": String(Math.floor(Date.now() / 1000) + 600) };
      if (bench.case.providerType !== "cloud_c") return;
      cloud.override(/./, {
        status: 429,
        headers: reset,
        body: { id: "too_many_requests", message: "API Rate limit exceeded." },
      });
      const error = await failure(driver.listLocations(access));
      assert.equal(error.permanent, false);
      assert.ok((error.retryAfterMs ?? 0) > 500_000);
    }));

  it("by a limit of cloud_c's calls may give the end of the wait as a date", async () => {
    const { driver, access, cloud, clouds } = await openBench("cloud_c");
    const headers = { "retry-after": new Date(Date.now() + 600_000).toUTCString() };
    cloud.override(/./, { status: 429, headers, body: { id: "too_many_requests", message: "Too many." } });
    const error = await failure(driver.listLocations(access));
    assert.ok((error.retryAfterMs ?? 0) > 500_000);
    await clouds.close();
  });
});

describe("A provider that cannot be reached", () => {
  it("is asked again, and then reported as unavailable", async () => {
    for (const providerType of cloudProviderTypes) {
      const { clouds } = await openBench(providerType);
      const url = clouds.a.url;
      await clouds.close();
      const baseUrls = { cloudAUrl: url, cloudBUrl: url, cloudBPricesUrl: url, cloudBSsmUrl: url, cloudCUrl: url };
      const driver: CloudDriver = driverFor(providerType, { baseUrls, pauseMs: 1 });
      const credentials = {
        token: "x".repeat(64),
        access_key_id: "AKIAIOSFODNN7EXAMPLE",
        secret_access_key: "x".repeat(40),
      };
      const error = await failure(driver.listLocations({ credentials }));
      assert.deepEqual([error.code, error.permanent], ["unavailable", false]);
      assert.match(error.message, /could not be reached: it refused the connection\.$/);
    }
  });
});
