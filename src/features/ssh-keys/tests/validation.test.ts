import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { parsePublicKey } from "../validation.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-keys-"));
after(() => rmSync(directory, { recursive: true }));

let files = 0;

/** The line of a `.pub` file, and the fingerprint, as ssh-keygen makes them. */
function make(...options: string[]): { line: string; fingerprint: string } {
  const file = join(directory, String(files++));
  execFileSync("ssh-keygen", ["-q", "-N", "", "-C", "ann@laptop", "-f", file, ...options]);
  const shown = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" });
  return { line: readFileSync(`${file}.pub`, "utf8").trim(), fingerprint: shown.split(" ")[1] ?? "" };
}

const field = (value: Buffer | string): Buffer => {
  const bytes = Buffer.from(value as string, "latin1");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const keyOf = (type: string, ...fields: (Buffer | string)[]): string =>
  `${type} ${Buffer.concat([type, ...fields].map(field)).toString("base64")}`;
const blobOf = (line: string): Buffer => Buffer.from(line.split(" ")[1] ?? "", "base64");
const pointOf = (line: string): Buffer => blobOf(line).subarray(-65);

const ed25519 = make("-t", "ed25519");
const ecdsa = make("-t", "ecdsa", "-b", "256");
const rsa = make("-t", "rsa", "-b", "3072");
const [type, encoded] = ed25519.line.split(" ") as [string, string];
const bare = `${type} ${encoded}`;

describe("a public key is accepted", () => {
  for (const [what, { line, fingerprint }] of Object.entries({
    ed25519,
    "ecdsa 256": ecdsa,
    "ecdsa 384": make("-t", "ecdsa", "-b", "384"),
    "ecdsa 521": make("-t", "ecdsa", "-b", "521"),
    "rsa 3072": rsa,
  })) {
    it(`${what}, without its comment, and with the fingerprint of ssh-keygen`, () => {
      const [algorithm, key] = line.split(" ");
      assert.deepEqual(parsePublicKey(`${line}\n`), { line: `${algorithm} ${key}`, fingerprint });
    });
  }

  it("of hardware", () => {
    for (const key of [
      keyOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 7), "ssh:"),
      keyOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", pointOf(ecdsa.line), "ssh:work"),
    ]) {
      const parsed = parsePublicKey(`${key} ann`);
      assert.ok(typeof parsed === "object" && parsed.line === key, JSON.stringify(parsed));
    }
  });

  it("with any words for a comment, of which nothing is stored", () => {
    const comments = ['command="sh" no-pty', "a, b # c", "zoë", '" restrict', "longshore", "ssh-rsa AAAA"];
    for (const comment of comments) {
      assert.deepEqual(parsePublicKey(`${bare} ${comment}`), { line: bare, fingerprint: ed25519.fingerprint }, comment);
    }
  });
});

describe("a public key is refused", () => {
  const modulus = (bits: number) => Buffer.concat([Buffer.from([0]), Buffer.alloc(bits / 8, 0xff)]);
  const exponent = Buffer.from([1, 0, 1]);
  const refused: Record<string, string> = {
    "that is empty": "  \n",
    "with a second line": `${bare} ann\n${bare}`,
    "with a second line of options": `${bare}\ncommand="/bin/sh" ${bare}`,
    "with a carriage return in its comment": `${bare} ann\r${bare}`,
    "with a line separator in its comment": `${bare} ann\u2028${bare}`,
    "with a zero byte": `${bare} ann\0`,
    "with an escape sequence": `${bare} \u001b[2J`,
    "with a tab between its parts": `${type}\t${encoded}`,
    "with a command": `command="/bin/sh" ${bare}`,
    "with restrict": `restrict ${bare}`,
    "with from": `from="*" ${bare}`,
    "with an environment": `environment="LD_PRELOAD=/tmp/a.so" ${bare}`,
    "that is an authority": `cert-authority ${bare}`,
    "that is a comment": `# ${bare}`,
    "that is a certificate": keyOf("ssh-ed25519-cert-v01@openssh.com", Buffer.alloc(32), Buffer.alloc(32)),
    "that is DSA": keyOf("ssh-dss", modulus(1024)),
    "of a type that every object has": `constructor ${encoded}`,
    "without a key": type,
    "that is private": "-----BEGIN OPENSSH PRIVATE KEY-----",
    "that is cut off": bare.slice(0, -8),
    "that is cut off in a field": `${type} ${blobOf(bare).subarray(0, 40).toString("base64")}`,
    "with something after it": `${type} ${Buffer.concat([blobOf(bare), Buffer.from("x")]).toString("base64")}`,
    "of another type than it says": `ssh-rsa ${encoded}`,
    "with base64 that ends in bits of nothing": `${type} ${encoded.slice(0, -1)}=`,
    "with letters of base64url": `${type} ${encoded.replace(/.$/, "_")}`,
    "with a field longer than itself": `${type} ${Buffer.from([255, 255, 255, 255, 1]).toString("base64")}`,
    "of 31 bytes": keyOf("ssh-ed25519", Buffer.alloc(31)),
    "of no point on the curve": keyOf("ecdsa-sha2-nistp256", "nistp256", Buffer.alloc(65, 4)),
    "of another curve": keyOf("ecdsa-sha2-nistp384", "nistp256", pointOf(ecdsa.line)),
    "of a compressed point": keyOf("ecdsa-sha2-nistp256", "nistp256", Buffer.alloc(33, 2)),
    "of hardware for something else": keyOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32), "https://example.com"),
    "of hardware for nothing": keyOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32)),
    "of RSA with 2048 bits": make("-t", "rsa", "-b", "2048").line,
    "of RSA with 2048 bits behind zeros": keyOf(
      "ssh-rsa",
      exponent,
      Buffer.concat([Buffer.alloc(200), Buffer.alloc(256, 0xff)]),
    ),
    "of RSA with 32768 bits": keyOf("ssh-rsa", exponent, modulus(32_768)),
    "of RSA with an exponent of 1": keyOf("ssh-rsa", Buffer.from([1]), modulus(3072)),
    "of RSA with a negative modulus": keyOf("ssh-rsa", exponent, Buffer.alloc(384, 0xff)),
    "of RSA with an even modulus": keyOf(
      "ssh-rsa",
      exponent,
      Buffer.concat([Buffer.from([0]), Buffer.alloc(383, 0xff), Buffer.from([0xfe])]),
    ),
    "of RSA with no modulus": keyOf("ssh-rsa", exponent, ""),
  };
  for (const [what, text] of Object.entries(refused)) {
    it(what, () => assert.equal(typeof parsePublicKey(text), "string"));
  }

  it("with the number of its bits when they are too few", () => {
    assert.match(String(parsePublicKey(make("-t", "rsa", "-b", "1024").line)), /3072 bits, and this has 1024/);
  });
});
