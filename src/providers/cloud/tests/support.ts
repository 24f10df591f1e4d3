import assert from "node:assert/strict";
import { credentials, startClouds } from "../../../../test/clouds/all.ts";
import type { Cloud, CloudOptions } from "../../../../test/clouds/cloud.ts";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import { paperMachines } from "../../../../test/clouds/machines.ts";
import {
  type CloudAccess,
  type CloudDriver,
  CloudError,
  type CloudProviderType,
  type CloudServer,
  cloudProviderTypes,
  type OrderRequest,
  type ServerOrder,
} from "../driver.ts";
import { driverFor } from "../drivers.ts";
import { userData } from "../user-data.ts";

/** Facts about each provider for the shared cases. */
export interface Case {
  providerType: CloudProviderType;
  request: OrderRequest;
  /** A type that its catalogue lists, and a bigger one. */
  biggerType: string;
  /** In another region or unknown. */
  otherNetwork: string;
  /** The request that orders a server, in the fake's log. */
  orderCall: RegExp;
  addressCall: RegExp;
  firewallCall: RegExp;
}

const network = (providerType: CloudProviderType) => (providerType === "cloud_b" ? subnetB("eu-central-1", "a") : null);

const common = (providerType: CloudProviderType) => ({
  serverOs: "ubuntu_24_04" as const,
  network: network(providerType),
  useStaticAddress: true,
  useFirewall: true,
});

export const cases: readonly Case[] = [
  {
    providerType: "cloud_a",
    request: { ...common("cloud_a"), location: "fsn1", serverType: "cx23", volume: null },
    biggerType: "cx33",
    otherNetwork: "4712",
    orderCall: /^POST \/v1\/servers$/,
    addressCall: /^POST never$/,
    firewallCall: /^POST \/v1\/firewalls$/,
  },
  {
    providerType: "cloud_b",
    request: {
      ...common("cloud_b"),
      location: "eu-central-1",
      serverType: "t3.micro",
      volume: { sizeGb: 20, type: "gp3" },
    },
    biggerType: "t3.small",
    otherNetwork: subnetB("us-east-1", "a"),
    orderCall: /^POST RunInstances$/,
    addressCall: /^POST AllocateAddress$/,
    firewallCall: /^POST CreateSecurityGroup$/,
  },
  {
    providerType: "cloud_c",
    request: { ...common("cloud_c"), location: "fra1", serverType: "s-1vcpu-1gb", volume: null },
    biggerType: "s-2vcpu-2gb",
    otherNetwork: "e0fe0f4d-596a-465e-a902-571ce57b79fa",
    orderCall: /^POST \/v2\/droplets$/,
    addressCall: /^POST \/v2\/reserved_ips$/,
    firewallCall: /^POST \/v2\/firewalls$/,
  },
];

export const owner = "ls-test";

export interface Bench {
  driver: CloudDriver;
  access: CloudAccess;
  cloud: Cloud;
  clouds: Awaited<ReturnType<typeof startClouds>>;
  machines: ReturnType<typeof paperMachines>;
  case: Case;
}

type BenchOptions = CloudOptions & { timeoutMs?: number };

/** For calls that get no answer. */
export const impatient: BenchOptions = { timeoutMs: 2_000 };
// A busy machine is no fault of a provider.
const patientMs = 10_000;

/** A driver with its fake. */
export async function openBench(providerType: CloudProviderType, options: BenchOptions = {}): Promise<Bench> {
  const machines = paperMachines();
  const clouds = await startClouds({ machines, ...options });
  const found = cases.find((each) => each.providerType === providerType);
  assert.ok(found);
  return {
    driver: driverFor(providerType, {
      baseUrls: clouds.settings,
      timeoutMs: options.timeoutMs ?? patientMs,
      pauseMs: 10,
    }),
    access: { credentials: credentials[providerType] },
    cloud: clouds[providerType.slice(-1) as "a" | "b" | "c"],
    clouds,
    machines,
    case: { ...found },
  };
}

/** Runs with a fake of each provider. */
export async function withEach(body: (bench: Bench) => Promise<void>, options: BenchOptions = {}): Promise<void> {
  for (const providerType of cloudProviderTypes) {
    const bench = await openBench(providerType, options);
    try {
      await body(bench);
    } catch (error) {
      throw new Error(`${providerType}: ${(error as Error).message}`, { cause: error });
    } finally {
      await bench.clouds.close();
    }
  }
}

export const firstBoot = userData({
  hostKey: {
    privateKey: "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
    publicKey: "ssh-ed25519 AAAAHOST longshore",
  },
  loginKey: "ssh-ed25519 AAAALOGIN longshore",
});

let orders = 0;

/** Checks an order and creates its firewall: the calls before it is placed. */
export async function prepareOrder({ driver, access, case: { request } }: Bench, key?: string): Promise<ServerOrder> {
  orders += 1;
  const ref = { key: key ?? `o${orders}`, owner, location: request.location };
  const quote = await driver.checkOrder(access, request);
  const { id } = await driver.ensureFirewall(access, { ...ref, network: request.network });
  return { ...request, ...ref, image: quote.image, name: "Web 1", userData: firstBoot, firewallId: id };
}

/** Waits until the server runs. */
export async function running({ driver, access }: Bench, { id, location }: CloudServer): Promise<CloudServer> {
  for (let look = 0; look < 20; look += 1) {
    const server = await driver.getServer(access, { id, location });
    if (server.state === "running" && server.publicIp !== null) return server;
    assert.equal(server.state, "starting");
  }
  throw new Error("The server never ran.");
}

/** Orders a server with a static address, and returns both. */
export async function placeOrder(bench: Bench, key?: string) {
  const order = await prepareOrder(bench, key);
  const server = await running(bench, await bench.driver.ensureServer(bench.access, order));
  const address = await bench.driver.ensureAddress(bench.access, { ...order, serverId: server.id });
  return { order, server, address };
}

/** The error that a call fails with. */
export async function failure(call: Promise<unknown>): Promise<CloudError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof CloudError, `A ${(error as Error).name}: ${(error as Error).stack}`);
    return error;
  }
  return assert.fail("The call succeeded.");
}

/** How many requests of the log match. */
export const count = ({ cloud }: Bench, pattern: RegExp): number =>
  cloud.requests.filter((request) => pattern.test(request)).length;

/** Servers that exist at the fake and are billed. */
export function serversAt({ clouds, case: { providerType } }: Bench): string[] {
  if (providerType === "cloud_a") return [...clouds.a.servers.keys()].map(String);
  if (providerType === "cloud_c") return [...clouds.c.droplets.keys()].map(String);
  return [...clouds.b.instances.values()].filter(({ state }) => state !== "terminated").map(({ id }) => id);
}

/** Addresses that exist at the fake in addition to the servers' own. */
export function addressesAt({ clouds, case: { providerType } }: Bench): string[] {
  if (providerType === "cloud_a") return [];
  return providerType === "cloud_b" ? [...clouds.b.addresses.keys()] : [...clouds.c.reservedIps.keys()];
}

export function firewallsAt({ clouds, case: { providerType } }: Bench): string[] {
  if (providerType === "cloud_a") return [...clouds.a.firewalls.keys()].map(String);
  return providerType === "cloud_b" ? [...clouds.b.groups.keys()] : [...clouds.c.firewalls.keys()];
}
