import type { TestContext } from "node:test";
import type { FastifyInstance, InjectOptions } from "fastify";
import { loadConfig } from "../../config.ts";
import type { Context } from "../../context.ts";
import type { Pool } from "../../db/pool.ts";
import { placeEventsOf } from "../../engine/events.ts";
import { adminMember, adminToken, adminUser } from "../../features/accounts/admin.ts";
import { authenticator } from "../../features/accounts/authenticator.ts";
import { accountRoutes } from "../../features/accounts/routes.ts";
import { cloudDrivers } from "../../features/cloud-servers/providers/connection.ts";
import { hooksOf } from "../../features.ts";
import { openLog } from "../../lib/log.ts";
import { newKey, openSecretBox } from "../../lib/secrets.ts";
import { buildApp } from "../app.ts";
import type { Route } from "../route.ts";

export interface Call {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  text: string;
}

const secrets = openSecretBox({ key: newKey(), file: "" });

/** No test calls a provider. */
const noMail = {
  cloudAUrl: "http://127.0.0.1:9",
  cloudBUrl: "http://127.0.0.1:9",
  cloudBPricesUrl: "http://127.0.0.1:9",
  cloudBSsmUrl: "http://127.0.0.1:9",
  cloudCUrl: "http://127.0.0.1:9",
};

/** A context with a real database; parts that HTTP does not use are missing. */
export function contextOn(pool: Pool, settings: Record<string, string> = {}): Context {
  // No test queries the machine's DNS: nothing listens on that port.
  const config = loadConfig(
    {},
    { rateLimit: "1000000", dnsServers: "127.0.0.1:9", consoleDirectory: "off", ...noMail, ...settings },
  );
  const log = openLog("silent");
  placeEventsOf(pool, log);
  return {
    config,
    pool,
    log,
    queue: { healthy: async () => true } as unknown as Context["queue"],
    secrets,
    hosts: { get: () => Promise.reject(new Error("There are no servers.")) } as unknown as Context["hosts"],
    listener: {} as Context["listener"],
    clouds: cloudDrivers(config),
    hooks: hooksOf(),
  };
}

export function appOn(ctx: Context, routes: readonly Route[] = []): FastifyInstance {
  return buildApp(ctx, [...accountRoutes, ...routes], authenticator(ctx));
}

/** An application that is closed with the test. */
export function appFor(t: TestContext, ctx: Context, routes: readonly Route[] = []): FastifyInstance {
  const app = appOn(ctx, routes);
  t.after(() => app.close());
  return app;
}

/** Sends one request; objects are sent as JSON, strings unchanged with the JSON type. */
export async function call(
  app: FastifyInstance,
  line: string,
  { token, body, headers = {} }: Call = {},
): Promise<Reply> {
  const [method, url] = line.split(" ") as [NonNullable<InjectOptions["method"]>, string];
  const payload =
    body === undefined || typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body);
  const answer = await app.inject({
    method,
    url,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: tryJson(answer.body), text: answer.body };
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Alice owns the organization, Adam administers it, Bob is a member, Victor a viewer; Charlie has a separate organization. */
export interface Cast {
  organizationId: number;
  charlieOrganizationId: number;
  alice: string;
  adam: string;
  bob: string;
  victor: string;
  charlie: string;
  userIds: Record<"alice" | "adam" | "bob" | "victor" | "charlie", number>;
}

export async function createCast(pool: Pool): Promise<Cast> {
  const add = (name: string, organization: string, role: string) =>
    adminUser({ pool }, { email: emailOf(name), name, organization, role, defaultPlan: "starter" });
  const alice = await add("Alice", "Acme", "Owner");
  const adam = await add("Adam", "Acme", "Admin");
  const bob = await add("Bob", "Acme", "Member");
  const victor = await add("Victor", "Acme", "Viewer");
  const charlie = await add("Charlie", "Charlie's", "Owner");
  return {
    organizationId: alice.organization_id,
    charlieOrganizationId: charlie.organization_id,
    alice: await tokenOf(pool, "Alice"),
    adam: await tokenOf(pool, "Adam"),
    bob: await tokenOf(pool, "Bob"),
    victor: await tokenOf(pool, "Victor"),
    charlie: await tokenOf(pool, "Charlie"),
    userIds: {
      alice: alice.user_id,
      adam: adam.user_id,
      bob: bob.user_id,
      victor: victor.user_id,
      charlie: charlie.user_id,
    },
  };
}

const emailOf = (name: string): string => `${name.toLowerCase()}@example.com`;

export async function tokenOf(pool: Pool, name: string, permissions = "*"): Promise<string> {
  return (await adminToken({ pool }, { email: emailOf(name), name: `${name}'s token`, permissions })).token;
}

export const restrict = (
  pool: Pool,
  name: string,
  organizationId: number,
  to: { servers?: number[]; projects?: number[] },
) => adminMember({ pool }, { email: emailOf(name), organization: String(organizationId), role: "Member", ...to });
