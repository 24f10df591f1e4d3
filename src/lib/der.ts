// DER, the encoding of ASN.1 in which certificates are written (X.690): each value is a tag, a length and its content.

const tlv = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = bytesOf(BigInt(length));
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

function bytesOf(value: bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}

export const sequence = (...items: Buffer[]): Buffer => tlv(0x30, Buffer.concat(items));

export const set = (...items: Buffer[]): Buffer => tlv(0x31, Buffer.concat(items));

/** A whole number that is not negative; a first bit of 1 would be a sign. */
export function integer(value: bigint): Buffer {
  const bytes = bytesOf(value);
  return tlv(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.of(value ? 0xff : 0));

export const octetString = (content: Buffer): Buffer => tlv(0x04, content);

/** Whole bytes, without unused bits. */
export const bitString = (content: Buffer): Buffer => tlv(0x03, Buffer.concat([Buffer.of(0), content]));

export const utf8String = (text: string): Buffer => tlv(0x0c, Buffer.from(text, "utf8"));

/** Dotted numbers such as `2.5.29.17`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return tlv(0x06, Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

/** The seven-bit groups of a number, all but the last one with their first bit set. */
function base128(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

/** GeneralizedTime, in whole seconds. Certificates have it for years from 2050 on only (RFC 5280, 4.1.2.5). */
function generalizedTime(at: Date): Buffer {
  return tlv(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`));
}

/** A time as certificates have it, in whole seconds. */
export function time(at: Date): Buffer {
  if (at.getUTCFullYear() >= 2050) return generalizedTime(at);
  return tlv(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
}

/** A context-specific tag around whole values. */
export const explicit = (number: number, ...items: Buffer[]): Buffer => tlv(0xa0 | number, Buffer.concat(items));

/** A context-specific tag in place of that of a primitive value. */
export const implicit = (number: number, content: Buffer): Buffer => tlv(0x80 | number, content);
