import ssh2 from "ssh2";

/** An Ed25519 key pair in OpenSSH's formats. */
export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

export function makeKeyPair(comment: string): KeyPair {
  const { generateKeyPairSync, parseKey } = ssh2.utils;
  // ssh2 drops leading zeros of the values it creates, so that one pair in some two hundred is unreadable
  // (mscdex/ssh2#1513).
  for (;;) {
    const pair = generateKeyPairSync("ed25519", { comment });
    if ([pair.private, pair.public].some((key) => parseKey(key) instanceof Error)) continue;
    return { publicKey: pair.public.trim(), privateKey: pair.private };
  }
}

/** The public half of a private key in OpenSSH's format (`ssh-ed25519 AAAA…`); undefined for any other text. */
export function publicKeyOf(privateKey: string): string | undefined {
  const parsed = ssh2.utils.parseKey(privateKey);
  return parsed instanceof Error ? undefined : `${parsed.type} ${parsed.getPublicSSH().toString("base64")}`;
}
