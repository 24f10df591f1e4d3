import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { readShape } from "../call.ts";
import { refusalIn as refusalInA } from "../cloud-a/errors.ts";
import * as shapesB from "../cloud-b/api.ts";
import { parseXml, refusalIn as refusalInB } from "../cloud-b/errors.ts";
import { listPrices } from "../cloud-b/prices.ts";
import { refusalIn as refusalInC } from "../cloud-c/errors.ts";
import { type Description, digitalOcean, hetzner } from "./descriptions.ts";
import { answers, priceOf, refusalOf } from "./ec2-answers.ts";
import { openBench, owner, placeOrder, prepareOrder } from "./support.ts";

// What the driver reads from the answer to an action.
const { SetOf, Text } = shapesB;
const shapes: Record<string, TSchema> = {
  DescribeRegions: Type.Object({ regionInfo: SetOf(Type.Object({ regionName: Text })) }),
  DescribeInstanceTypes: Type.Object({ instanceTypeSet: SetOf(shapesB.InstanceType) }),
  DescribeInstanceTypeOfferings: Type.Object({ instanceTypeOfferingSet: SetOf(Type.Object({ instanceType: Text })) }),
  DescribeVpcs: Type.Object({ vpcSet: SetOf(shapesB.Vpc) }),
  DescribeSubnets: Type.Object({ subnetSet: SetOf(shapesB.Subnet) }),
  DescribeImages: Type.Object({ imagesSet: SetOf(shapesB.Image) }),
  CreateSecurityGroup: Type.Object({ groupId: Text }),
  AuthorizeSecurityGroupIngress: shapesB.Done,
  DescribeSecurityGroups: Type.Object({ securityGroupInfo: SetOf(shapesB.SecurityGroup) }),
  RunInstances: Type.Object({ instancesSet: SetOf(shapesB.Instance) }),
  DescribeInstances: Type.Object({ reservationSet: SetOf(shapesB.Reservation) }),
  "DescribeInstances-terminated": Type.Object({ reservationSet: SetOf(shapesB.Reservation) }),
  DescribeVolumes: Type.Object({ volumeSet: SetOf(shapesB.Volume) }),
  AllocateAddress: shapesB.Address,
  AssociateAddress: shapesB.Done,
  DescribeAddresses: Type.Object({ addressesSet: SetOf(shapesB.Address) }),
  StopInstances: shapesB.Done,
  StartInstances: shapesB.Done,
  DisassociateAddress: shapesB.Done,
  ReleaseAddress: shapesB.Done,
  TerminateInstances: shapesB.Done,
  DeleteKeyPair: shapesB.Done,
};

describe("Answers of EC2", () => {
  it("have the shapes that the driver reads", () => {
    assert.deepEqual(answers.map(({ name }) => name).sort(), Object.keys(shapes).sort());
    for (const { name, action, text } of answers) {
      readShape("EC2", Type.Object({ [`${action}Response`]: shapes[name] as TSchema }), parseXml(text));
    }
  });

  it("that refuse become errors with their codes", () => {
    for (const [status, code] of [
      [412, "DryRunOperation"],
      [400, "InvalidInstanceID.NotFound"],
      [400, "InvalidKeyPair.Duplicate"],
    ] as const) {
      const error = refusalInB({ status, headers: new Headers(), text: refusalOf(code) });
      assert.equal(error?.cause, code);
    }
  });

  it("of the price list give a month's price", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const PriceList = [priceOf("t3.micro", "0.0120000000"), priceOf("t3.small", "0.0240000000")];
    bench.cloud.override(/GetProducts/, { status: 200, body: { FormatVersion: "aws_v1", PriceList } }, 2);
    const { prices } = await listPrices(
      shapesB.makeApi({ baseUrls: bench.clouds.settings }),
      bench.access,
      "eu-central-1",
    );
    assert.equal(prices["t3.micro"]?.net, "8.76");
  });
});

describe("Documented refusals", () => {
  // Codes and details, which may be missing.
  const ofHetzner: [code: string, details?: object | null][] = [
    ["unauthorized", null],
    ["token_readonly", null],
    ["forbidden", null],
    ["not_found", null],
    ["maintenance", null],
    ["conflict", null],
    ["locked", null],
    ["protected", null],
    ["rate_limit_exceeded", null],
    ["resource_unavailable", null],
    ["placement_error", null],
    ["service_error"],
    ["unavailable"],
    ["primary_ip_assigned", null],
    ["uniqueness_error", { fields: [{ name: "name" }] }],
    ["invalid_input", { fields: [{ name: "server_type", messages: ["no such type"] }] }],
    ["resource_limit_exceeded", { limits: [{ name: "server_limit" }] }],
    ["deprecated_api_endpoint", { announcement: "https://example.com/changelog" }],
  ];

  it("of Hetzner Cloud are read with their codes", () => {
    for (const [code, details] of ofHetzner) {
      const text = JSON.stringify({ error: { code, message: "No.", details } });
      assert.equal(refusalInA({ status: 422, headers: new Headers(), text })?.cause, code);
    }
  });

  const ofDigitalOcean = [
    "unauthorized",
    "not_found",
    "bad_request",
    "conflict",
    "precondition_failed",
    "server_error",
    "unprocessable_entity",
  ];

  it("of DigitalOcean are read with their codes", () => {
    for (const id of ofDigitalOcean) {
      for (const more of [{}, { request_id: "1" }]) {
        const text = JSON.stringify({ id, message: "No.", ...more });
        assert.equal(refusalInC({ status: 422, headers: new Headers(), text })?.cause, id);
      }
    }
  });
});

// The fakes answer as the providers promise, so that a driver that reads the fakes reads the provider. --------------------

/** Why an answer is not as described; undefined when it is. `seen` collects the descriptions that were used. */
function problemWith(
  description: Description,
  seen: Set<string>,
  { method, path, status, body }: { method: string; path: string; status: number; body: unknown },
): string | undefined {
  const answer = `${method} ${path} ${status}`;
  const found = Object.keys(description).find((each) => new RegExp(`^${each.replaceAll("*", "[^/ ]+")}$`).test(answer));
  if (found === undefined) return `${answer} is not described`;
  seen.add(found);
  const schema = description[found];
  if (schema === undefined) return body === null ? undefined : `${answer} has a body`;
  const [error] = Value.Errors(schema, body);
  return error && `${answer}: ${error.instancePath} ${error.message}`;
}

describe("The fakes answer as described", () => {
  for (const [providerType, description] of [
    ["cloud_a", hetzner],
    ["cloud_c", digitalOcean],
  ] as const) {
    it(`for ${providerType}`, async (t) => {
      const bench = await openBench(providerType);
      t.after(bench.clouds.close);
      const answer = bench.cloud.answer.bind(bench.cloud);
      const seen = new Set<string>();
      const problems = new Set<string>();
      bench.cloud.answer = async (asked) => {
        const given = await answer(asked);
        const body = JSON.parse(JSON.stringify(given.body ?? null));
        const problem = problemWith(description, seen, { ...asked, status: given.status, body });
        if (problem) problems.add(problem);
        return given;
      };
      const {
        driver,
        access,
        case: { request },
      } = bench;
      await driver.checkCredentials(access);
      await driver.listLocations(access);
      const { order, server } = await placeOrder(bench);
      await driver.powerOff(access, server);
      await driver.resize(access, server, bench.case.biggerType);
      await driver.ensureImage(access, server, { key: "golden", owner });
      await driver.listTagged(access, { owner });
      await driver.removeOrder(access, { ...order, known: [] }, async () => undefined);
      await driver.removeOrder(access, { ...order, known: [] }, async () => undefined);
      await prepareOrder(bench);
      assert.equal(request.location, order.location);
      assert.deepEqual([...problems], []);
      assert.deepEqual([...seen].sort(), Object.keys(description).sort());
    });
  }
});
