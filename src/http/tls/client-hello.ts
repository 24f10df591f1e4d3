// The first message of TLS, read before the handshake: an authority that verifies a name over TLS-ALPN-01 asks for another certificate
// than browsers do, and OpenSSL chooses the certificate before it looks at the protocols that the client offers (RFC 8446, 4.1.2).

/** Larger than what any client sends, with keys of post-quantum cryptography. */
const mostBytes = 16_384;
const recordHeader = 5;
const alpnExtension = 16;

/**
 * The protocols that a client offers (ALPN), from the first bytes that it sends: empty if it offers none, or does not speak TLS.
 * Undefined while the message is incomplete.
 */
export function protocolsOffered(bytes: Buffer): readonly string[] | undefined {
  const message = handshakeIn(bytes);
  if (message === "incomplete") return bytes.length < mostBytes ? undefined : [];
  if (message === undefined) return [];
  try {
    return protocolsIn(message);
  } catch {
    // A message with wrong lengths; the handshake will refuse it.
    return [];
  }
}

/** The ClientHello without its header, which may come in several records. */
function handshakeIn(bytes: Buffer): Buffer | "incomplete" | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    if (bytes.length > at && bytes[at] !== 22) return undefined;
    if (bytes.length < at + recordHeader) return "incomplete";
    const end = at + recordHeader + bytes.readUInt16BE(at + 3);
    if (bytes.length < end) return "incomplete";
    parts.push(bytes.subarray(at + recordHeader, end));
    const message = Buffer.concat(parts);
    if (message.length > 0 && message[0] !== 1) return undefined;
    if (message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3)) return message.subarray(4);
    at = end;
  }
}

function protocolsIn(message: Buffer): string[] {
  // The version and the random bytes, then three lists with their lengths: session id, ciphers, compression.
  let at = 34;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  if (at >= message.length) return [];
  const end = at + 2 + message.readUInt16BE(at);
  for (at += 2; at < end; ) {
    const type = message.readUInt16BE(at);
    const length = message.readUInt16BE(at + 2);
    at += 4;
    if (type === alpnExtension) return namesIn(message.subarray(at + 2, at + length));
    at += length;
  }
  return [];
}

function namesIn(list: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < list.length; ) {
    const length = list.readUInt8(at);
    names.push(list.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return names;
}
