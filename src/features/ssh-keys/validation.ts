import { createHash, createPublicKey } from "node:crypto";

// Public keys as people paste them. The stored line is made from the decoded key, so that no other pasted text (options, a
// comment, a second line) reaches a server.

export interface PublicKey {
  /** `ssh-ed25519 AAAA…` */
  line: string;
  /** `SHA256:…`, as ssh-keygen shows it. */
  fingerprint: string;
}

const smallestRsaBits = 3_072;
const largestRsaBits = 16_384;

const curves: Record<string, { name: string; bytes: number }> = {
  nistp256: { name: "P-256", bytes: 32 },
  nistp384: { name: "P-384", bytes: 48 },
  nistp521: { name: "P-521", bytes: 66 },
};

/** The key of one line of a `.pub` file, or an error as a sentence. */
export function parsePublicKey(text: string): PublicKey | string {
  const line = text.trim();
  if (line === "") return "The public key is required.";
  if (/-----BEGIN|PRIVATE KEY/.test(line)) {
    return "This is not a public key in one line. Never send a private key: paste the file that ends in .pub.";
  }
  if (/[^\x20-\x7e\u00a0-\uffff]/.test(line)) return "The public key must be one line without control characters.";
  const [, type = "", encoded = ""] = /^([^ ]+) +([^ ]+)(?: .*)?$/.exec(line) ?? [];
  const check = Object.hasOwn(algorithms, type) ? algorithms[type] : undefined;
  if (!check) {
    return "The public key must begin with ssh-ed25519, ecdsa-sha2-…, sk-… or ssh-rsa. Options, certificates and DSA are not accepted.";
  }
  const blob = Buffer.from(encoded, "base64");
  if (blob.toString("base64") !== encoded) return cutOff;
  const reader = new Fields(blob);
  try {
    if (reader.next().toString("latin1") !== type) return cutOff;
    const error = check(reader, type);
    if (error) return error;
    reader.end();
  } catch {
    return cutOff;
  }
  const digest = createHash("sha256").update(blob).digest("base64").replace(/=+$/, "");
  return { line: `${type} ${encoded}`, fingerprint: `SHA256:${digest}` };
}

const cutOff = "The public key is damaged or cut off: paste the whole line of the .pub file.";

/** The fields of a key as SSH encodes it (RFC 4253, section 6.6). Throws where there is no such field. */
class Fields {
  private at = 0;
  private readonly blob: Buffer;

  constructor(blob: Buffer) {
    this.blob = blob;
  }

  next(): Buffer {
    const begin = this.at + 4;
    this.at = begin + this.blob.readUInt32BE(this.at);
    if (this.at > this.blob.length) throw new RangeError("The field ends after the key.");
    return this.blob.subarray(begin, this.at);
  }

  end(): void {
    if (this.at !== this.blob.length) throw new RangeError("Something follows the key.");
  }
}

type Check = (fields: Fields, type: string) => string | undefined;

const algorithms: Record<string, Check> = {
  "ssh-ed25519": checkEd25519,
  "ssh-rsa": checkRsa,
  "ecdsa-sha2-nistp256": checkEcdsa,
  "ecdsa-sha2-nistp384": checkEcdsa,
  "ecdsa-sha2-nistp521": checkEcdsa,
  "sk-ssh-ed25519@openssh.com": (fields) => checkEd25519(fields) ?? checkApplication(fields),
  "sk-ecdsa-sha2-nistp256@openssh.com": (fields) => checkEcdsa(fields, "nistp256") ?? checkApplication(fields),
};

function checkEd25519(fields: Fields): string | undefined {
  return fields.next().length === 32 ? undefined : cutOff;
}

function checkEcdsa(fields: Fields, type: string): string | undefined {
  const name = type.replace("ecdsa-sha2-", "");
  const curve = curves[name];
  if (!curve || fields.next().toString("latin1") !== name) return cutOff;
  const point = fields.next();
  if (point[0] !== 4 || point.length !== 1 + 2 * curve.bytes) return cutOff;
  const coordinate = (index: number) =>
    point.subarray(1 + index * curve.bytes, 1 + (index + 1) * curve.bytes).toString("base64url");
  // Throws when the point is not on the curve.
  createPublicKey({ format: "jwk", key: { kty: "EC", crv: curve.name, x: coordinate(0), y: coordinate(1) } });
  return undefined;
}

function checkRsa(fields: Fields): string | undefined {
  const [exponent, modulus] = [numberOf(fields.next()), numberOf(fields.next())];
  const bits = modulus.toString(2).length;
  if (bits < smallestRsaBits) {
    return `RSA keys need ${smallestRsaBits} bits, and this has ${bits}. Make one with: ssh-keygen -t ed25519`;
  }
  if (bits > largestRsaBits) return `RSA keys can have ${largestRsaBits} bits, and this has ${bits}.`;
  // The bounds of FIPS 186-5; OpenSSH's own exponent is 65537.
  if (exponent <= 65_536n || exponent >= 1n << 256n || exponent % 2n === 0n || modulus % 2n === 0n) return cutOff;
  return undefined;
}

/** A positive integer in the shortest form. */
function numberOf(bytes: Buffer): bigint {
  const [first = 0x80, second = 0x80] = bytes;
  if (first >= 0x80 || (first === 0 && second < 0x80))
    throw new RangeError("Not a positive integer in its shortest form.");
  return BigInt(`0x${bytes.toString("hex")}`);
}

/** The application of a hardware key, such as `ssh:`. */
function checkApplication(fields: Fields): string | undefined {
  return /^ssh:[\x21-\x7e]{0,200}$/.test(fields.next().toString("latin1")) ? undefined : cutOff;
}
