import { spanFinder } from "./find-all.ts";

const shortestSecret = 8;
const masked = Buffer.from("********");

/**
 * Returns a function that replaces every known secret in a text, in time proportional to the text for any number of
 * secrets. A secret of several lines is masked line by line, as logs print it; overlapping secrets are masked as one.
 * Values shorter than eight characters are not masked: `true` or `3000` in an environment file is not a secret, and masking
 * it would garble the log.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const mask = byteMasker(secrets);
  return (text) => mask(Buffer.from(text)).toString();
}

/**
 * The same for raw output, UTF-8 or not. Output without a secret, which is most of it, is returned unchanged: no copy is made
 * that would become garbage. The result is never longer.
 */
export function byteMasker(secrets: readonly string[]): (bytes: Buffer) => Buffer {
  const values = valuesOf(secrets).map((value) => Buffer.from(value));
  const mayHold = filterFor(values);
  // Created on demand, as most runs print no secret: for the longest environment it takes 80 MB.
  let find: ReturnType<typeof spanFinder> | undefined;
  const replaceIn = (bytes: Buffer): Buffer => {
    find ??= spanFinder(values);
    const parts: Buffer[] = [];
    let at = 0;
    for (const { start, end } of find(bytes)) {
      parts.push(bytes.subarray(at, start), masked);
      at = end;
    }
    return Buffer.concat([...parts, bytes.subarray(at)]);
  };
  return (bytes) => (mayHold(bytes) ? replaceIn(bytes) : bytes);
}

/**
 * Whether one of the values may be in the bytes; false is certain. It takes 0.3 s of processor time for 100 MB without a secret,
 * where the search itself takes 2.5 s. It passes over the bytes once for any number of values, in steps: no value is shorter
 * than the window, so the window's last two bytes show how far it can move without skipping the first bytes of a value.
 */
function filterFor(values: readonly Buffer[]): (bytes: Buffer) => boolean {
  const last = shortestSecret - 1;
  const steps = new Uint8Array(1 << 16).fill(last);
  for (const value of values) {
    for (let at = 1; at <= last; at++) {
      const two = value.readUInt16BE(at - 1);
      steps[two] = Math.min(steps[two] as number, last - at);
    }
  }
  const beginnings = new Set(values.map((value) => hashAt(value, 0)));
  return (bytes) => {
    for (let at = last; at < bytes.length; ) {
      const step = steps[((bytes[at - 1] as number) << 8) | (bytes[at] as number)] as number;
      if (step === 0 && beginnings.has(hashAt(bytes, at - last))) return true;
      at += step || 1;
    }
    return false;
  };
}

/** A number for the eight bytes of a window. */
const hashAt = (bytes: Buffer, at: number): number =>
  bytes.readInt32BE(at) ^ Math.imul(bytes.readInt32BE(at + 4), 0x9e3779b1);

/** Finds where a line that arrives in pieces may be cut, so that no secret is split and each piece can be masked separately. */
export interface Cutter {
  /** How many bytes after a cut are needed to decide. */
  reach: number;
  /** `end`, or the start of a secret that crosses it; the end of the secret when the text begins with it. */
  cut: (bytes: Buffer, end: number) => number;
}

// A longer value in one line, such as an encoded file, may be shown when it crosses a cut.
const longestKeptWhole = 64 * 1024;

export function cutter(secrets: readonly string[]): Cutter {
  const values = valuesOf(secrets)
    .map((value) => Buffer.from(value))
    .filter((value) => value.length <= longestKeptWhole && !value.includes("\n"));
  const find = spanFinder(values);
  const cut = (bytes: Buffer, end: number): number => {
    const across = find(bytes).find((span) => span.start < end && end < span.end);
    if (!across) return end;
    return across.start > 0 ? across.start : across.end;
  };
  return { reach: values.reduce((longest, value) => Math.max(longest, value.length), 0), cut };
}

function valuesOf(secrets: readonly string[]): string[] {
  const values = new Set(secrets.flatMap((secret) => [secret, ...secret.split("\n")]).map((value) => value.trim()));
  return [...values].filter((value) => value.length >= shortestSecret);
}
