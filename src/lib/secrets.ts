import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { AppError } from "./errors.ts";

/** Encrypts stored values that must be readable again: credentials, private keys, environment variables. */
export interface SecretBox {
  /** The id of the key for new ciphertexts: 8 hexadecimal digits, not secret. */
  readonly keyId: string;
  encrypt(text: string): Buffer;
  /** Throws AppError("configuration") when the key is missing here or the ciphertext was changed. */
  decrypt(ciphertext: Uint8Array): string;
  /** The same secret under the newest key; undefined when it already uses that key. A rotation calls it for each stored value. */
  rotate(ciphertext: Uint8Array): Buffer | undefined;
}

export interface KeySource {
  key?: string | undefined;
  file: string;
}

interface Key {
  id: string;
  bytes: Buffer;
}

// version (1 byte), key id (4), nonce (12), ciphertext, tag (16); version and key id are authenticated as well.
const version = 1;
const keyBytes = 32;
const headerBytes = 5;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Opens the box with the keys of `key`, or else of `file`, which is created (mode 0600) with a new key when there is none and
 * `mayCreate` (default: true). A new key beside stored secrets would take the place of the backup of the lost one. Several
 * keys are separated by white space or commas: the first one encrypts, all of them decrypt. Throws AppError("configuration")
 * for an invalid key, and for a file that others can read.
 */
export function openSecretBox({ mayCreate = true, ...source }: KeySource & { mayCreate?: boolean }): SecretBox {
  const found = findSecretBox(source);
  if (found) return found;
  if (!mayCreate) throw configuration(`The key file ${source.file} is missing. ${restore}`);
  createKeyFile(source.file);
  return openSecretBox({ ...source, mayCreate: false });
}

/** As `openSecretBox`, but creates nothing: undefined when there is neither `key` nor `file`. */
export function findSecretBox({ key, file }: KeySource): SecretBox | undefined {
  if (key !== undefined) return boxOf(parseKeys(key, "LONGSHORE_SECRET_KEY"));
  const text = readKeyFile(file);
  return text === undefined ? undefined : boxOf(parseKeys(text, `The key file ${file}`));
}

/** A new key in the form of a key file: `<key id>:<base64url of 32 bytes>`. */
export function newKey(): string {
  const bytes = randomBytes(keyBytes);
  return `${keyId(bytes)}:${bytes.toString("base64url")}`;
}

function boxOf(keys: [Key, ...Key[]]): SecretBox {
  const newest = keys[0];
  const keyById = new Map(keys.map((key) => [key.id, key]));
  const decrypt = (ciphertext: Uint8Array): string => open(keyById, Buffer.from(ciphertext));
  return {
    keyId: newest.id,
    encrypt: (text) => seal(newest, text),
    decrypt,
    rotate: (ciphertext) =>
      keyIdOf(Buffer.from(ciphertext)) === newest.id ? undefined : seal(newest, decrypt(ciphertext)),
  };
}

function seal(key: Key, text: string): Buffer {
  const header = Buffer.concat([Buffer.of(version), Buffer.from(key.id, "hex")]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes }).setAAD(header);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([header, nonce, body, cipher.getAuthTag()]);
}

function open(keys: Map<string, Key>, ciphertext: Buffer): string {
  const id = keyIdOf(ciphertext);
  const key = keys.get(id);
  if (!key)
    throw configuration(`A secret was encrypted with key ${id}, which this installation does not have. ${restore}`);
  const bodyAt = headerBytes + nonceBytes;
  const decipher = createDecipheriv("aes-256-gcm", key.bytes, ciphertext.subarray(headerBytes, bodyAt), {
    authTagLength: tagBytes,
  })
    .setAAD(ciphertext.subarray(0, headerBytes))
    .setAuthTag(ciphertext.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(ciphertext.subarray(bodyAt, -tagBytes)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw configuration("A stored secret was changed or damaged and cannot be read. Restore it from a backup.", cause);
  }
}

function keyIdOf(ciphertext: Buffer): string {
  if (ciphertext.length < headerBytes + nonceBytes + tagBytes || ciphertext[0] !== version) {
    throw configuration(
      "A stored secret is damaged: it is not in the format that Longshore writes. Restore it from a backup.",
    );
  }
  return ciphertext.toString("hex", 1, headerBytes);
}

function parseKeys(text: string, where: string): [Key, ...Key[]] {
  const [first, ...others] = text.split(/[\s,]+/).filter((word) => word !== "");
  if (!first) throw configuration(`${where} is empty. ${restore}`);
  return [parseKey(first, where), ...others.map((word) => parseKey(word, where))];
}

/** `<key id>:<base64>`; or 32 bytes as base64 or hexadecimal alone, as `openssl rand` prints them. */
function parseKey(word: string, where: string): Key {
  const [, id, encoded = ""] = /^(?:([0-9a-f]{8}):)?(.*)$/.exec(word) ?? [];
  const bytes = decodeKey(encoded);
  if (!bytes)
    throw configuration(
      `${where} is not a key: it needs 32 bytes as base64. \`openssl rand -base64 32\` makes one for a new installation. ${restore}`,
    );
  // The id is derived from the key, so it also detects a key with a damaged character.
  if (id !== undefined && id !== keyId(bytes))
    throw configuration(`${where} is damaged: key ${id} does not match its id. ${restore}`);
  return { id: keyId(bytes), bytes };
}

function decodeKey(encoded: string): Buffer | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(encoded)) return Buffer.from(encoded, "hex");
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(encoded)) return Buffer.from(encoded, "base64url");
  return undefined;
}

const keyId = (bytes: Buffer): string =>
  createHash("sha256").update("longshore key id").update(bytes).digest("hex").slice(0, 8);

function readKeyFile(file: string): string | undefined {
  try {
    const { mode } = statSync(file);
    if (mode & 0o077) {
      throw configuration(`The key file ${file} can be read by other users of this machine. Run: chmod 600 '${file}'`);
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof AppError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw configuration(`The key file ${file} cannot be read${whyUnreadable(error as NodeJS.ErrnoException)}.`, error);
  }
}

function whyUnreadable({ code, syscall }: NodeJS.ErrnoException): string {
  if (code === "ENOTDIR") return ": a part of its path is no directory";
  if (code !== "EACCES") return "";
  return syscall === "stat" ? ": this user may not enter its directory" : ": it belongs to another user";
}

/**
 * Written under another name and linked into place: the file is complete or absent, also after a power cut, and when two
 * processes start at once, one wins and both use its key.
 */
function createKeyFile(file: string): void {
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeDurably(draft, `${newKey()}\n`);
    linkSync(draft, file);
    syncDirectory(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw configuration(`The key file ${file} cannot be created.`, error);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const restore = "Restore the key from your backup: without it stored secrets cannot be read.";
const configuration = (message: string, cause?: unknown): AppError => new AppError("configuration", message, { cause });
