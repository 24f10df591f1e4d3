import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { promisify } from "node:util";
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

const run = promisify(execFile);

/** A private authority: its root, two intermediates one below the other, a leaf, and one that the root issued; PEM. */
interface Issued {
  root: string;
  upper: string;
  lower: string;
  leaf: string;
  key: string;
  pkcs1: string;
  request: string;
  pkcs7: string;
  direct: string;
  directKey: string;
}

async function issue(name: string): Promise<Issued> {
  const directory = await mkdtemp(join(tmpdir(), "longshore-issued-"));
  const openssl = (...words: string[]) => run("openssl", words, { cwd: directory });
  const text = (file: string) => readFile(join(directory, file), "utf8");
  try {
    await writeFile(join(directory, "ca"), "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign\n");
    await writeFile(join(directory, "own"), `subjectAltName=DNS:${name}\nbasicConstraints=CA:FALSE\n`);
    const request = (of: string, ...key: string[]) =>
      openssl(
        "req",
        "-new",
        "-newkey",
        ...key,
        "-nodes",
        "-keyout",
        `${of}.key`,
        "-out",
        `${of}.csr`,
        "-subj",
        `/CN=${of}`,
      );
    const sign = (of: string, by: string, extensions: string) =>
      openssl(
        ...["x509", "-req", "-in", `${of}.csr`, "-CA", `${by}.pem`, "-CAkey", `${by}.key`, "-CAcreateserial"],
        ...["-days", "60", "-extfile", extensions, "-out", `${of}.pem`],
      );
    const curve = ["ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"];
    await openssl(
      "req",
      "-x509",
      "-newkey",
      ...curve,
      "-nodes",
      "-keyout",
      "root.key",
      "-out",
      "root.pem",
      "-subj",
      "/CN=root",
    );
    for (const [of, by] of [
      ["upper", "root"],
      ["lower", "upper"],
    ] as const) {
      await request(of, ...curve);
      await sign(of, by, "ca");
    }
    await request("leaf", "rsa:2048");
    await sign("leaf", "lower", "own");
    await request("direct", ...curve);
    await sign("direct", "root", "own");
    await openssl("crl2pkcs7", "-nocrl", "-certfile", "leaf.pem", "-out", "leaf.p7b");
    const key = await text("leaf.key");
    const pkcs1 = createPrivateKey(key).export({ type: "pkcs1", format: "pem" }) as string;
    const [root, upper, lower, leaf] = await Promise.all(
      ["root", "upper", "lower", "leaf"].map((of) => text(`${of}.pem`)),
    );
    const certificates = { root, upper, lower, leaf } as Pick<Issued, "root" | "upper" | "lower" | "leaf">;
    const others = { request: await text("leaf.csr"), pkcs7: await text("leaf.p7b") };
    return {
      ...certificates,
      ...others,
      key,
      pkcs1,
      direct: await text("direct.pem"),
      directKey: await text("direct.key"),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

describe("a pasted chain", () => {
  let issued: Issued;
  let whole: string;

  before(async () => {
    issued = await issue("shop.test");
    whole = issued.leaf + issued.lower + issued.upper;
  });

  const read = (certificate: string, private_key = issued.key) =>
    readUpload({ certificate, private_key }, ["shop.test"], new Date(Date.now() + 1_000));
  const chainOf = (certificate: string, key?: string) => {
    const found = read(certificate, key);
    assert.ok("uploaded" in found, JSON.stringify(found));
    return found.uploaded;
  };
  const errorOf = (certificate: string, key?: string) => {
    const found = read(certificate, key);
    assert.ok("errors" in found, "it was accepted");
    return found.errors;
  };

  test("is put in order, without duplicates and the root", () => {
    const { root, upper, lower, leaf } = issued;
    for (const pasted of [
      [leaf, lower, upper],
      [root, upper, lower, leaf],
      [upper, leaf, root, lower],
      [leaf, leaf, lower, upper, lower],
      [lower, upper, leaf, root, root],
    ]) {
      const { chain, warnings } = chainOf(pasted.join(""));
      assert.equal(chain, whole);
      assert.deepEqual(warnings.length, pasted.includes(root) ? 0 : 1);
    }
  });

  test("keeps a root that issued the certificate itself, which OCSP needs", () => {
    const { chain, warnings } = chainOf(issued.root + issued.direct, issued.directKey);
    assert.equal(chain, issued.direct + issued.root);
    assert.deepEqual(warnings, []);
  });

  test("is read in the forms in which programs and people hand it on", () => {
    const { root, pkcs1, key } = issued;
    const pasted = whole + root;
    const forms: Record<string, string> = {
      "Windows newlines": pasted.replaceAll("\n", "\r\n"),
      "newlines of old Macs": pasted.replaceAll("\n", "\r"),
      "no newline between two": pasted.replaceAll("\n-----BEGIN", "-----BEGIN").trim(),
      "escaped newlines": pasted.replaceAll("\n", "\\n"),
      "indented, with spaces at the ends": pasted.replaceAll("\n", " \n    "),
      "a byte order mark and attributes": `\ufeffBag Attributes\n    friendlyName: shop - 1\n${pasted.replaceAll("\n-----BEGIN", "\nsubject=CN = x\n-----BEGIN")}`,
      "long lines": pasted.replaceAll(/(?<=[A-Za-z0-9+/])\n(?=[A-Za-z0-9+/=])/g, ""),
      "the key in the same text": key + pasted,
      "an older label": pasted.replaceAll("CERTIFICATE", "X509 CERTIFICATE"),
    };
    for (const [form, text] of Object.entries(forms)) assert.equal(chainOf(text).chain, whole, form);
    const keys: Record<string, string> = {
      "PKCS #1": pkcs1,
      "Windows newlines": key.replaceAll("\n", "\r\n"),
      "attributes, and the certificate after it": `Bag Attributes\n    localKeyID: 01 02\n${key.trim()}${issued.leaf}`,
      "escaped newlines": JSON.stringify(key).slice(1, -1),
    };
    for (const [form, text] of Object.entries(keys)) {
      assert.match(chainOf(pasted, text).key, /^-----BEGIN PRIVATE KEY-----\n/, form);
    }
  });

  test("may lack the lines around its base64", async () => {
    const signed = await selfSigned(["shop.test"]);
    const bare = (text: string) => text.replaceAll(/-----[^-]+-----/g, "").trim();
    const { chain } = chainOf(bare(signed.certificate), bare(signed.private_key));
    assert.equal(chain.trim(), signed.certificate.trim());
  });

  test("takes a key of a curve with its parameters, whichever encoding it has", async () => {
    const signed = await selfSigned(["shop.test"]);
    const sec1 = createPrivateKey(signed.private_key).export({ type: "sec1", format: "pem" }) as string;
    const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
    for (const key of [sec1, parameters + sec1, parameters + signed.private_key]) {
      assert.equal(chainOf(signed.certificate, key).chain.trim(), signed.certificate.trim());
    }
  });

  test("is taken with a warning if an issuer is missing", () => {
    const [warning] = chainOf(issued.leaf).warnings;
    assert.match(
      warning ?? "",
      /^The chain ends at leaf: the certificate of its issuer, lower, is missing\..*intermediate/,
    );
    assert.match(chainOf(issued.leaf + issued.lower).warnings.join(""), /issuer, upper, is missing/);
    assert.deepEqual(chainOf(whole + issued.root).warnings, []);
  });

  test("names what is wrong with it, and where", async () => {
    const foreign = await selfSigned(["else.test"]);
    const { certificate } = errorOf(whole + foreign.certificate);
    assert.match(certificate ?? "", /^Certificate 4 \(own\) signed none of the others/);
    assert.match(errorOf(issued.upper + issued.leaf).certificate ?? "", /^Certificate 1 \(upper\) signed none/);
    assert.match(errorOf(whole, foreign.private_key).private_key ?? "", /does not belong to any of the certificates/);
    const [second] = (issued.lower.match(/\n[A-Za-z0-9+/]{20}/) ?? []) as string[];
    assert.equal(
      errorOf(issued.leaf + issued.lower.replace(second ?? "", "\n")).certificate,
      "Certificate 2 cannot be read.",
    );
    assert.match(errorOf(issued.request).certificate ?? "", /request for a certificate/);
    assert.match(errorOf(issued.pkcs7).certificate ?? "", /PKCS #7/);
    assert.match(errorOf(issued.key, whole).certificate ?? "", /is a private key, not a certificate/);
    assert.match(errorOf(issued.key, whole).private_key ?? "", /is a certificate/);
    const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const open = keys.publicKey.export({ type: "spki", format: "pem" }) as string;
    assert.match(errorOf(whole, open).private_key ?? "", /public key/);
    const older = keys.privateKey.export({
      type: "pkcs1",
      format: "pem",
      cipher: "aes-128-cbc",
      passphrase: "x",
    }) as string;
    assert.match(errorOf(whole, older).private_key ?? "", /has a password/);
    const ssh = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
    assert.match(errorOf(whole, ssh).private_key ?? "", /key for SSH/);
  });
});
