import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "../../src/db/pool.ts";
import { adminUser } from "../../src/features/accounts/admin.ts";
import { type Cast, createCast } from "../../src/http/tests/support.ts";
import { newKey } from "../../src/lib/secrets.ts";
import { type Platform, startPlatform } from "../../src/tests/platform.ts";
import { testDatabase } from "../database.ts";

/** A platform under attack over HTTP, from an attacker's view; the tests also read its database. */
export interface Target {
  url: string;
  pool: Pool;
  cast: Cast;
  close(): Promise<void>;
}

/** The password of the cast, with which all of them can sign in. */
export const password = "correct horse battery";

export async function startTarget(settings: Record<string, string> = {}): Promise<Target> {
  const database = await testDatabase();
  const data = await mkdtemp(join(tmpdir(), "longshore-attacked-"));
  const cast = await createCast(database.pool);
  for (const name of ["Alice", "Bob"]) {
    await adminUser({ pool: database.pool }, { email: emailOf(name), name, organization: "Acme", password });
  }
  const platform = await startPlatform(data, {
    DATABASE_URL: database.url,
    LONGSHORE_SECRET_KEY: newKey(),
    LONGSHORE_RATE_LIMIT: "1000000",
    ...settings,
  });
  const close = async () => {
    await stop(platform);
    await database.drop();
    await rm(data, { recursive: true });
  };
  return { url: platform.url, pool: database.pool, cast, close };
}

async function stop(platform: Platform): Promise<void> {
  platform.signal("SIGTERM");
  await platform.ended;
}

export const emailOf = (name: string): string => `${name.toLowerCase()}@example.com`;

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  text: string;
}

interface Ask {
  token?: string | undefined;
  cookie?: string | undefined;
  body?: object;
  headers?: Record<string, string>;
}

/** One request: `POST /api/v1/me/tokens`. */
export async function ask(target: Target, line: string, { token, cookie, body, headers }: Ask = {}): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie, "sec-fetch-site": "same-origin", origin: target.url }),
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text), text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The cookies that a browser sends back after an answer. */
export const cookieOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .filter((cookie) => !/max-age=0/i.test(cookie))
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

export const signIn = (
  target: Target,
  name: string,
  given = password,
  { cookie, headers = {} }: Pick<Ask, "cookie" | "headers"> = {},
): Promise<Answer> =>
  ask(target, "POST /api/auth/sign-in/email", {
    cookie,
    body: { email: emailOf(name), password: given },
    headers: { origin: target.url, ...headers },
  });

/** The cookies of a new session. */
export async function signedIn(target: Target, name: string): Promise<string> {
  const answer = await signIn(target, name);
  assert.equal(answer.status, 200, answer.text);
  return cookieOf(answer);
}

/** A token created over the API; throws when it is refused. */
export async function makeToken(target: Target, by: string, more: object): Promise<{ id: number; token: string }> {
  const answer = await ask(target, "POST /api/v1/me/tokens", { token: by, body: { name: "made", ...more } });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}
