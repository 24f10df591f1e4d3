import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { before, describe, test } from "node:test";
import { selfSigned } from "../../../../stage/self-signed.ts";
import { readUpload } from "../uploaded.ts";

type Own = Awaited<ReturnType<typeof selfSigned>>;

let own: Own;
let other: Own;
let now: Date;

before(async () => {
  [own, other] = await Promise.all([selfSigned(["a.test", "*.b.test"], 10), selfSigned(["a.test"])]);
  now = new Date(Date.now() + 1_000);
});

const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const errorsOf = (given: Own, names = ["a.test"], at = now) => {
  const read = readUpload(given, names, at);
  return "errors" in read ? read.errors : {};
};

describe("an uploaded certificate", () => {
  test("is accepted if it covers each name exactly or by a wildcard", () => {
    const read = readUpload(own, ["a.test", "www.b.test"], now);
    assert.ok("uploaded" in read);
    assert.equal(read.uploaded.chain.trim(), own.certificate.trim());
    assert.match(read.uploaded.key, /^-----BEGIN PRIVATE KEY-----/);
  });

  test("must cover every name", () => {
    const { certificate } = errorsOf(own, ["a.test", "b.test", "x.y.b.test"]);
    assert.equal(certificate, "The certificate does not cover b.test, x.y.b.test.");
  });

  test("must be valid now", () => {
    assert.match(
      errorsOf(own, ["a.test"], inDays(11)).certificate ?? "",
      /^The certificate has expired on \d{4}-\d\d-\d\d\.$/,
    );
    assert.match(errorsOf(own, ["a.test"], inDays(-1)).certificate ?? "", /^The certificate is not valid before \d{4}/);
  });

  test("must belong to the key", () => {
    assert.deepEqual(errorsOf({ ...own, private_key: other.private_key }), {
      private_key: "The private key does not belong to the certificate.",
    });
  });

  test("is reported as unreadable, with both fields at once", () => {
    const errors = errorsOf({ certificate: "certificate", private_key: "key" });
    assert.match(errors.certificate ?? "", /^The certificate must be PEM/);
    assert.match(errors.private_key ?? "", /^The private key must be PEM without a password/);
    const damaged = own.certificate.replace(/\n[A-Za-z0-9+/]{20}/, "\n");
    assert.equal(errorsOf({ ...own, certificate: damaged }).certificate, "The certificate cannot be read.");
  });

  test("must be followed by its chain in order", () => {
    const { certificate } = errorsOf({ ...own, certificate: own.certificate + other.certificate });
    assert.equal(certificate, "Certificate 2 of the chain did not sign the one before it.");
  });

  test("must have a key of a type and length that browsers accept", () => {
    const options = { type: "pkcs8", format: "pem" } as const;
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export(options) as string;
    const odd = generateKeyPairSync("ed25519").privateKey.export(options) as string;
    assert.equal(errorsOf({ ...own, private_key: short }).private_key, "The private key needs at least 2048 bits.");
    assert.equal(errorsOf({ ...own, private_key: odd }).private_key, "The private key must be RSA or ECDSA.");
    const locked = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
      ...options,
      cipher: "aes-256-cbc",
      passphrase: "secret",
    }) as string;
    assert.match(errorsOf({ ...own, private_key: locked }).private_key ?? "", /without a password/);
  });
});
