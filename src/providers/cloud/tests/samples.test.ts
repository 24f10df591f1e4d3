import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { Type } from "typebox";
import { readShape } from "../call.ts";
import { refusalIn as refusalInA } from "../cloud-a/errors.ts";
import * as shapesB from "../cloud-b/api.ts";
import { parseXml, refusalIn as refusalInB } from "../cloud-b/errors.ts";
import { listPrices } from "../cloud-b/prices.ts";
import { refusalIn as refusalInC } from "../cloud-c/errors.ts";
import { openBench, owner, placeOrder, prepareOrder } from "./support.ts";

// The recorded answers and descriptions of the providers' APIs are stored beside the repository.
const specs = join(import.meta.dirname, "../../../../../shared/specs");
const options = existsSync(specs) ? {} : { skip: "the providers' API descriptions are not there" };

const readJson = (path: string) => JSON.parse(readFileSync(join(specs, path), "utf8"));

// Maps operations of the samples to what the driver reads from their answers.
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
  RebootInstances: shapesB.Done,
  StopInstances: shapesB.Done,
  StartInstances: shapesB.Done,
  DisassociateAddress: shapesB.Done,
  ReleaseAddress: shapesB.Done,
  TerminateInstances: shapesB.Done,
  DeleteKeyPair: shapesB.Done,
};

describe("Recorded answers of EC2", options, () => {
  it("have the shapes that the driver reads", () => {
    const files = readdirSync(join(specs, "aws/ec2-wire")).filter((file) => file.endsWith(".response.200.xml"));
    const read = files.flatMap((file) => {
      const operation = file.slice(3, -".response.200.xml".length);
      const schema = shapes[operation];
      if (!schema) return [];
      const body = parseXml(readFileSync(join(specs, "aws/ec2-wire", file), "utf8"));
      const root = `${operation.split("-")[0]}Response`;
      readShape("EC2", Type.Object({ [root]: schema }), body);
      return [operation];
    });
    assert.deepEqual(read.sort(), Object.keys(shapes).sort());
  });

  it("that refuse become errors with their codes", () => {
    const files = readdirSync(join(specs, "aws/ec2-wire")).filter((file) => /\.response\.4\d\d\.xml$/.test(file));
    assert.ok(files.length >= 3);
    for (const file of files) {
      const text = readFileSync(join(specs, "aws/ec2-wire", file), "utf8");
      const error = refusalInB({ status: Number(file.slice(-7, -4)), headers: new Headers(), text });
      assert.match(String(error?.cause), /^(DryRunOperation|InvalidInstanceID.NotFound|InvalidKeyPair.Duplicate)$/);
    }
  });

  it("of the price list give a month's price", async () => {
    const { response } = readJson("aws/pricing-getproducts.sample.json");
    const bench = await openBench("cloud_b");
    bench.cloud.override(/GetProducts/, { status: 200, body: { ...response.body, NextToken: undefined } }, 2);
    const { prices } = await listPrices(
      shapesB.makeApi({ baseUrls: bench.clouds.settings }),
      bench.access,
      "eu-central-1",
    );
    assert.equal(prices["t3.micro"]?.net, "8.76");
    await bench.clouds.close();
  });
});

describe("Documented refusals", options, () => {
  const errorsOf = (path: string): { status: number; text: string }[] =>
    Object.values<Record<string, unknown>>(readJson(path).components.responses).flatMap((response) => {
      const json = (
        response.content as Record<string, { example?: object; examples?: Record<string, { value: object }> }>
      )?.["application/json"];
      const values = [json?.example, ...Object.values(json?.examples ?? {}).map(({ value }) => value)];
      return values
        .filter((value) => value !== undefined)
        .map((value) => ({ status: 422, text: JSON.stringify(value) }));
    });

  it("of Hetzner Cloud are read with their codes", () => {
    const all = errorsOf("hetzner/openapi.json");
    assert.ok(all.length > 10);
    for (const { status, text } of all) {
      const code = JSON.parse(text).error?.code;
      if (code) assert.equal(refusalInA({ status, headers: new Headers(), text })?.cause, code);
    }
  });

  it("of DigitalOcean are read with their codes", () => {
    const all = errorsOf("digitalocean/openapi.json").filter(
      ({ text }) => "id" in JSON.parse(text) && "message" in JSON.parse(text),
    );
    assert.ok(all.length > 3);
    for (const { status, text } of all) {
      assert.equal(refusalInC({ status, headers: new Headers(), text })?.cause, JSON.parse(text).id);
    }
  });
});

// The fakes answer as the descriptions demand, so that a driver that reads the fakes reads the provider. -------------------

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
}

/** Validates the fake's answers to every request of an order's life. */
function answerCheck(file: string, root: string) {
  const description = readJson(file) as Description;
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false });
  ajv.addSchema(description, "api");
  const paths = Object.keys(description.paths).sort((x, y) => x.split("{").length - y.split("{").length);
  const checked = new Set<string>();
  return {
    checked,
    check(method: string, path: string, status: number, body: unknown): void {
      const found = paths.find((each) => new RegExp(`^${root}${each.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(path));
      const operation = found && description.paths[found]?.[method.toLowerCase()];
      assert.ok(found && operation, `${method} ${path} is not described`);
      const response = operation.responses[status];
      if (!response) assert.fail(`${method} ${found} never answers ${status}`);
      if (status === 204) return;
      const parts = response.$ref?.slice(2).split("/") ?? [
        "paths",
        found,
        method.toLowerCase(),
        "responses",
        String(status),
      ];
      const pointer = [...parts, "content", "application/json", "schema"];
      const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
      const validate = ajv.compile({ $ref: `api#/${escaped.join("/")}` });
      assert.ok(validate(body), `${method} ${found}: ${ajv.errorsText(validate.errors)}`);
      checked.add(`${method} ${found}`);
    },
  };
}

describe("The fakes answer as described", options, () => {
  for (const [providerType, file, root] of [
    ["cloud_a", "hetzner/openapi.json", "/v1"],
    ["cloud_c", "digitalocean/openapi.json", ""],
  ] as const) {
    it(`for ${providerType}`, async (t) => {
      const bench = await openBench(providerType);
      t.after(bench.clouds.close);
      const check = answerCheck(file, root);
      const answer = bench.cloud.answer.bind(bench.cloud);
      const problems: string[] = [];
      bench.cloud.answer = async (asked) => {
        const given = await answer(asked);
        try {
          check.check(asked.method, asked.path, given.status, JSON.parse(JSON.stringify(given.body ?? null)));
        } catch (error) {
          problems.push((error as Error).message);
        }
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
      assert.deepEqual([...new Set(problems)], []);
      assert.ok(check.checked.size >= 10, String(check.checked.size));
    });
  }
});
