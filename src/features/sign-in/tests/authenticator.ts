import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** The operations of a page's `navigator.credentials` with a passkey on the device. */
export interface Authenticator {
  register(options: { challenge: string }): object;
  signIn(options: { challenge: string }): object;
}

const flags = { userPresent: 0x01, userVerified: 0x04, attestedCredential: 0x40 };

/** A software authenticator (WebAuthn level 2, ES256, no attestation) for pages of `origin`. */
export function authenticatorFor(origin: string): Authenticator {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let counter = 0;

  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }));

  const authenticatorData = (extraFlags: number, ...rest: Buffer[]): Buffer => {
    const head = Buffer.alloc(5);
    head[0] = flags.userPresent | flags.userVerified | extraFlags;
    head.writeUInt32BE(++counter, 1);
    return Buffer.concat([sha256(new URL(origin).hostname), head, ...rest]);
  };

  const credential = (response: Record<string, Buffer>) => ({
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, value]) => [name, value.toString("base64url")])),
  });

  return {
    register: ({ challenge }) => {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        cborText("fmt"),
        cborText("none"),
        cborText("attStmt"),
        Buffer.from([0xa0]),
        cborText("authData"),
        cborBytes(authenticatorData(flags.attestedCredential, attested)),
      ]);
      return credential({ clientDataJSON: clientData("webauthn.create", challenge), attestationObject });
    },
    signIn: ({ challenge }) => {
      const clientDataJSON = clientData("webauthn.get", challenge);
      const data = authenticatorData(0);
      const signature = createSign("sha256").update(data).update(sha256(clientDataJSON)).sign(privateKey);
      return credential({ clientDataJSON, authenticatorData: data, signature });
    },
  };
}

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`: an elliptic curve key, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, "base64url")),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, "base64url")),
  ]);
}
