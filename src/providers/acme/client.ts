import { createHash, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { acmeTransport, type Transport } from "./http.ts";
import { AcmeError, problemOf, type Reply } from "./problem.ts";
import { type ExternalAccount, externalBinding, publicJwk, signedBody } from "./signature.ts";

// The part of RFC 8555 that orders over HTTP-01 and TLS-ALPN-01 (RFC 8737) need. The client retries only what it alone can detect (a stale nonce),
// and every refusal keeps its type and its Retry-After: one place decides for all organizations when to ask again, instead
// of a client that waits.

export interface AcmeOptions {
  directoryUrl: string;
  /** PEM of the account's private key (P-256). */
  accountKey: string;
  /** Known once the account exists; without it only `register` can be called. */
  accountUrl?: string | undefined;
  /** PEM of authorities to trust besides the system's, for a private authority. */
  trusted?: string | undefined;
}

export type OrderStatus = "pending" | "ready" | "processing" | "valid" | "invalid";

export interface AcmeOrder {
  url: string;
  status: OrderStatus;
  authorizations: string[];
  finalize: string;
  certificate?: string;
  /** When the authority drops the order. */
  expires?: Date;
  error?: AcmeError;
}

/** How the control of a name is proven. */
export type ChallengeType = "http-01" | "tls-alpn-01";

export interface Authorization {
  url: string;
  name: string;
  status: "pending" | "valid" | "invalid" | "deactivated" | "expired" | "revoked";
  /** The challenge of the requested type; undefined when the authority does not offer one. */
  challenge: { url: string; token: string; status: string; error?: AcmeError } | undefined;
}

type Json = Record<string, unknown>;

/** After this many rejected nonces the authority counts as broken. */
const nonceTries = 12;

export class AcmeClient {
  private readonly directoryUrl: string;
  private readonly key: KeyObject;
  private readonly transport: Transport;
  private readonly nonces: string[] = [];
  private directory: Promise<Json> | undefined;
  accountUrl: string | undefined;

  constructor({ directoryUrl, accountKey, accountUrl, trusted }: AcmeOptions) {
    this.directoryUrl = directoryUrl;
    this.key = createPrivateKey(accountKey);
    this.accountUrl = accountUrl;
    this.transport = acmeTransport(trusted);
  }

  /** Creates the account, or finds the one that has the key; resolves with its address. Agrees to the authority's terms. */
  async register(contact: string | undefined, external?: ExternalAccount): Promise<string> {
    const url = await this.resource("newAccount");
    const payload = {
      termsOfServiceAgreed: true,
      ...(contact ? { contact: [`mailto:${contact}`] } : {}),
      ...(external ? { externalAccountBinding: externalBinding(external, url, publicJwk(this.key)) } : {}),
    };
    const { headers } = await this.post(url, payload, "key");
    const location = headers.location;
    if (!location) throw new AcmeError({ type: "malformed", detail: "The new account has no address.", status: 200 });
    this.accountUrl = location;
    return location;
  }

  async newOrder(names: readonly string[]): Promise<AcmeOrder> {
    const identifiers = names.map((value) => ({ type: "dns", value }));
    const reply = await this.post(await this.resource("newOrder"), { identifiers });
    const location = reply.headers.location;
    if (!location) throw new AcmeError({ type: "malformed", detail: "The new order has no address.", status: 201 });
    return orderOf(location, reply.body);
  }

  async getOrder(url: string): Promise<AcmeOrder> {
    return orderOf(url, (await this.post(url, undefined)).body);
  }

  async getAuthorization(url: string, type: ChallengeType = "http-01"): Promise<Authorization> {
    return authorizationOf(url, type, (await this.post(url, undefined)).body);
  }

  /** Reports that the challenge is ready for validation. */
  async respond(challengeUrl: string): Promise<void> {
    await this.post(challengeUrl, {});
  }

  /** `request`: the certificate request, DER in base64. */
  async finalize(order: Pick<AcmeOrder, "url" | "finalize">, request: string): Promise<AcmeOrder> {
    const csr = Buffer.from(request, "base64").toString("base64url");
    return orderOf(order.url, (await this.post(order.finalize, { csr })).body);
  }

  /** The certificate with its chain, PEM. */
  async download(url: string): Promise<string> {
    return (await this.post(url, undefined)).text;
  }

  /** The content of a challenge's file; over TLS, the certificate has its digest. */
  keyAuthorization(token: string): string {
    const { crv, kty, x, y } = publicJwk(this.key);
    const thumbprint = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
    return `${token}.${thumbprint}`;
  }

  close(): void {
    this.transport.close();
  }

  private async resource(name: string): Promise<string> {
    // A failed request is not kept.
    this.directory ??= this.readDirectory().catch((error: unknown) => {
      this.directory = undefined;
      throw error;
    });
    const url = (await this.directory)[name];
    if (typeof url === "string") return url;
    throw new AcmeError({ type: "malformed", detail: `The directory of the authority has no ${name}.`, status: 200 });
  }

  private async readDirectory(): Promise<Json> {
    const reply = await this.transport.request("GET", this.directoryUrl);
    if (reply.status !== 200) throw problemOf(reply);
    return reply.body;
  }

  // A request without payload only reads (POST-as-GET). `by: key` is for the account itself, which has no address yet.
  private async post(url: string, payload: unknown, by: "account" | "key" = "account"): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.send(url, payload, by);
      if (reply.status < 300) return reply;
      const problem = problemOf(reply);
      if (problem.type !== "badNonce" || tries === nonceTries) throw problem;
    }
  }

  private async send(url: string, payload: unknown, by: "account" | "key"): Promise<Reply> {
    const nonce = this.nonces.pop() ?? (await this.freshNonce());
    const identity = by === "key" ? { jwk: publicJwk(this.key) } : { kid: this.account() };
    const body = signedBody({ alg: "ES256", ...identity, nonce, url }, payload, (text) =>
      sign("sha256", Buffer.from(text), { key: this.key, dsaEncoding: "ieee-p1363" }),
    );
    const reply = await this.transport.request("POST", url, body);
    this.keepNonce(reply);
    return reply;
  }

  private async freshNonce(): Promise<string> {
    const reply = await this.transport.request("HEAD", await this.resource("newNonce"));
    const nonce = reply.headers["replay-nonce"];
    if (reply.status < 300 && nonce) return nonce;
    throw problemOf(reply);
  }

  private keepNonce({ headers }: Reply): void {
    const nonce = headers["replay-nonce"];
    if (nonce && this.nonces.length < 20) this.nonces.push(nonce);
  }

  private account(): string {
    if (this.accountUrl) return this.accountUrl;
    throw new Error("The account of the authority was not made yet");
  }
}

function orderOf(url: string, body: Json): AcmeOrder {
  const { status, authorizations, finalize, certificate, expires, error } = body as {
    status: OrderStatus;
    authorizations?: string[];
    finalize: string;
    certificate?: string;
    expires?: unknown;
    error?: Json;
  };
  const expiresAt = typeof expires === "string" ? new Date(expires) : undefined;
  return {
    url,
    status,
    authorizations: authorizations ?? [],
    finalize,
    ...(certificate ? { certificate } : {}),
    ...(expiresAt && !Number.isNaN(expiresAt.getTime()) ? { expires: expiresAt } : {}),
    ...(error ? { error: problemOf({ status: 0, headers: {}, body: error, text: "" }) } : {}),
  };
}

function authorizationOf(url: string, type: ChallengeType, body: Json): Authorization {
  const { identifier, status, challenges } = body as {
    identifier: { value: string };
    status: Authorization["status"];
    challenges: { type: string; url: string; token: string; status: string; error?: Json }[];
  };
  const found = challenges.find((challenge) => challenge.type === type);
  // The token becomes the name of a file on a server.
  if (found && !/^[A-Za-z0-9_-]{1,200}$/.test(found.token)) {
    throw new AcmeError({
      type: "malformed",
      detail: "The authority sent a challenge with an invalid token.",
      status: 200,
    });
  }
  const challenge = found && {
    url: found.url,
    token: found.token,
    status: found.status,
    ...(found.error ? { error: problemOf({ status: 0, headers: {}, body: found.error, text: "" }) } : {}),
  };
  return { url, name: identifier.value, status, challenge };
}
