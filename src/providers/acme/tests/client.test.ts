import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { type Authority, startAuthority } from "../../../../stage/pebble.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { AcmeClient, type AcmeOrder } from "../client.ts";
import { AcmeError } from "../problem.ts";
import { externalBinding } from "../signature.ts";

const run = promisify(execFile);

let directory: string;
let authority: Authority;
let site: Server;
let trusted: string;
const answers = new Map<string, string>();

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-acme-"));
  site = createServer((request, response) => {
    const answer = answers.get(request.url?.split("/").at(-1) ?? "");
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => site.once("listening", resolve));
  const httpPort = (site.address() as AddressInfo).port;
  authority = await startAuthority({ directory, address: "127.0.0.1", nonceReject: 40, httpPort });
  trusted = await readFile(authority.trustFile, "utf8");
});

afterEach(() => authority.mend());

after(async () => {
  site?.close();
  await authority?.close();
  await rm(directory, { recursive: true, force: true });
});

const newKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "sec1", format: "pem" }) as string;

function clientWith(options: { accountKey?: string; trusted?: string | undefined } = {}): AcmeClient {
  return new AcmeClient({ directoryUrl: authority.directoryUrl, accountKey: newKey(), trusted, ...options });
}

async function registered(): Promise<AcmeClient> {
  const client = clientWith();
  await client.register("owner@example.com");
  return client;
}

async function requestFor(names: readonly string[]): Promise<string> {
  const key = join(directory, "site.key");
  await run("openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key]);
  const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`;
  const args = ["req", "-new", "-key", key, "-subj", "/", "-addext", alternatives, "-outform", "DER"];
  const { stdout } = await run("openssl", args, { encoding: "buffer" });
  return stdout.toString("base64");
}

/** Answers the challenges of an order, and waits until the authority has validated them. */
async function prove(client: AcmeClient, order: AcmeOrder, answer = (token: string) => client.keyAuthorization(token)) {
  for (const url of order.authorizations) {
    const { challenge } = await client.getAuthorization(url);
    assert.ok(challenge);
    answers.set(challenge.token, answer(challenge.token));
    await client.respond(challenge.url);
  }
  const ended = await pollUntil(
    async () => {
      const now = await client.getOrder(order.url);
      return now.status !== "pending" && now;
    },
    { timeoutMs: 60_000, everyMs: 50 },
  );
  assert.ok(ended);
  return ended;
}

describe("an order", () => {
  test("ends with a certificate for its names, though the authority rejects many nonces", async () => {
    const client = await registered();
    const names = ["shop.example.test", "www.shop.example.test"];
    const order = await client.newOrder(names);
    assert.equal(order.status, "pending");
    const ready = await prove(client, order);
    assert.equal(ready.status, "ready");
    await client.finalize(ready, await requestFor(names));
    const valid = await pollUntil(
      async () => {
        const now = await client.getOrder(order.url);
        return now.status === "valid" && now;
      },
      { timeoutMs: 60_000, everyMs: 50 },
    );
    const chain = await client.download(valid?.certificate ?? "");
    assert.equal(chain.match(/BEGIN CERTIFICATE/g)?.length, 2, "the certificate and who signed it");
    const certificate = new X509Certificate(chain);
    assert.equal(certificate.subjectAltName, names.map((name) => `DNS:${name}`).join(", "));
    client.close();
  });

  test("reports why a challenge was not met", async () => {
    const client = await registered();
    const order = await client.newOrder(["wrong.example.test"]);
    const ended = await prove(client, order, () => "something else");
    assert.equal(ended.status, "invalid");
    const [url = ""] = order.authorizations;
    const { status, challenge } = await client.getAuthorization(url);
    assert.equal(status, "invalid");
    assert.equal(challenge?.error?.type, "unauthorized");
    assert.match(challenge?.error?.message ?? "", /key authorization/i);
    client.close();
  });
});

describe("an account", () => {
  test("is found again by its key", async () => {
    const accountKey = newKey();
    const [one, other] = [clientWith({ accountKey }), clientWith({ accountKey })];
    assert.equal(await one.register(undefined), await other.register(undefined));
    one.close();
    other.close();
  });

  test("can be bound to one that is registered at the authority", () => {
    const jwk = { crv: "P-256", kty: "EC", x: "x", y: "y" };
    const bound = externalBinding({ keyId: "kid-1", key: "c2VjcmV0" }, "https://ca.test/new-account", jwk) as Record<
      "protected" | "payload" | "signature",
      string
    >;
    const read = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString());
    assert.deepEqual(read(bound.protected), { alg: "HS256", kid: "kid-1", url: "https://ca.test/new-account" });
    assert.deepEqual(read(bound.payload), jwk);
    assert.equal(Buffer.from(bound.signature, "base64url").length, 32);
  });
});

describe("a refusal", () => {
  const thrownBy = async (work: Promise<unknown>): Promise<AcmeError> => {
    const error = await work.then(() => undefined).catch((reason: unknown) => reason);
    assert.ok(error instanceof AcmeError, String(error));
    return error;
  };

  test("keeps its type, its words and when to ask again", async () => {
    const client = await registered();
    const headers = { "Retry-After": "120" };
    authority.fail(/order-plz/, { status: 429, type: "rateLimited", detail: "Too many orders.", headers });
    const error = await thrownBy(client.newOrder(["shop.example.test"]));
    assert.deepEqual([error.type, error.status, error.message], ["rateLimited", 429, "Too many orders."]);
    assert.ok(error.isLimit);
    const inMs = (error.retryAfter?.getTime() ?? 0) - Date.now();
    assert.ok(inMs > 110_000 && inMs <= 120_000, `${inMs}`);
    client.close();
  });

  test("of a broken authority passes", async () => {
    const client = await registered();
    authority.fail(/order-plz/, { status: 500 });
    const error = await thrownBy(client.newOrder(["shop.example.test"]));
    assert.deepEqual([error.isPassing, error.isLimit, error.status], [true, false, 500]);
    client.close();
  });

  test("of nonces for ever ends", async () => {
    const client = await registered();
    authority.fail(/order-plz/, { status: 400, type: "badNonce", detail: "Stale." });
    const error = await thrownBy(client.newOrder(["shop.example.test"]));
    assert.deepEqual([error.type, error.isPassing], ["badNonce", true]);
    client.close();
  });

  test("of an authority that is not trusted names it, and a directory that failed is asked again", async () => {
    const distrusting = clientWith({ trusted: undefined });
    const error = await thrownBy(distrusting.register(undefined));
    assert.equal(error.type, "network");
    assert.match(error.message, /^127\.0\.0\.1:\d+ could not be reached: .*certificate/);
    const client = clientWith();
    authority.fail(/\/dir/, { status: 502 }, 1);
    await thrownBy(client.register(undefined));
    assert.ok(await client.register(undefined));
    client.close();
  });
});
