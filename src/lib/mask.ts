import { isUtf8 } from "node:buffer";

const shortestSecret = 8;
const masked = "********";

/**
 * A function that replaces every known secret in a text. A secret of several lines is masked line by line, as logs
 * print it. What is shorter than eight characters is left: `true` or `3000` in an environment file is no secret, and
 * masking it would garble the log.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const longestFirst = valuesOf(secrets);
  if (longestFirst.length === 0) return (text) => text;
  const pattern = new RegExp(longestFirst.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
  return (text) => text.replace(pattern, masked);
}

/**
 * The same for output as it was read. What is text and holds no secret, as most of it, is given back as it is: nothing is
 * made of it that would have to be cleared away.
 */
export function byteMasker(secrets: readonly string[]): (bytes: Buffer) => Buffer {
  const mask = masker(secrets);
  const holdsSecret = finder(valuesOf(secrets).map((value) => Buffer.from(value)));
  return (bytes) => (isUtf8(bytes) && !holdsSecret(bytes) ? bytes : Buffer.from(mask(bytes.toString())));
}

// One walk over the bytes, however many values there are, in steps: no value is shorter than the window, so what the
// window's last two bytes are tells how far it can be moved without passing over the first bytes of one.
function finder(values: readonly Buffer[]): (bytes: Buffer) => boolean {
  const last = shortestSecret - 1;
  const steps = new Uint8Array(1 << 16).fill(last);
  for (const value of values) {
    for (let at = 1; at <= last; at++) {
      const two = value.readUInt16BE(at - 1);
      steps[two] = Math.min(steps[two] as number, last - at);
    }
  }
  const byEnd = Map.groupBy(values, (value) => value.readUInt16BE(last - 1));
  // No closure in it: one that knows the place would be made anew at each step.
  return (bytes) => {
    for (let at = last; at < bytes.length; ) {
      const two = ((bytes[at - 1] as number) << 8) | (bytes[at] as number);
      const step = steps[two] as number;
      if (step === 0 && isOneAt(bytes, at - last, byEnd.get(two) ?? [])) return true;
      at += step || 1;
    }
    return false;
  };
}

const isOneAt = (bytes: Buffer, at: number, values: readonly Buffer[]): boolean =>
  values.some((value) => value.equals(bytes.subarray(at, at + value.length)));

/** Finds where a line that arrives in pieces may be cut, so that no secret is torn and each piece can be masked by itself. */
export interface Cutter {
  /** How many bytes behind a cut have to be there to tell. */
  reach: number;
  /** `end`, or the beginning of a secret that lies across it; its end when the text begins with it. */
  cut: (bytes: Buffer, end: number) => number;
}

// A longer value in one line, such as an encoded file, may be shown when it lies across a cut.
const longestKeptWhole = 64 * 1024;

export function cutter(secrets: readonly string[]): Cutter {
  const values = valuesOf(secrets)
    .map((value) => Buffer.from(value))
    .filter((value) => value.length <= longestKeptWhole && !value.includes("\n"));
  const cut = (bytes: Buffer, end: number): number => {
    for (const value of values) {
      const start = startAcross(bytes, value, end);
      if (start === 0) return value.length;
      // What lies across the new place may be another one.
      if (start > 0) return cut(bytes, start);
    }
    return end;
  };
  return { reach: Math.max(0, ...values.map((value) => value.length)), cut };
}

/** Where a value begins that goes on past `end`; -1 when none does. */
function startAcross(bytes: Buffer, value: Buffer, end: number): number {
  const from = Math.max(0, end - value.length + 1);
  const start = bytes.subarray(from, end + value.length - 1).indexOf(value);
  return start === -1 ? -1 : from + start;
}

// What to mask, the longest first: in an alternation the first that fits wins.
function valuesOf(secrets: readonly string[]): string[] {
  const values = new Set(secrets.flatMap((secret) => [secret, ...secret.split("\n")]).map((value) => value.trim()));
  return [...values].filter((value) => value.length >= shortestSecret).sort((a, b) => b.length - a.length);
}
