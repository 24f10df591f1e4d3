import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

// A browser in which an account has signed in with its password keeps a cookie as proof of that. It grants no access.

const name = "longshore.device";
const yearSeconds = 31_536_000;

/** `Set-Cookie` for a browser that has just proven the password of an account. */
export function deviceCookie(secret: string, email: string, isSecure: boolean): string {
  const device = randomBytes(16).toString("base64url");
  const attributes = ["Path=/api/auth", `Max-Age=${yearSeconds}`, "HttpOnly", "SameSite=Strict"];
  return [
    `${name}=${device}.${signatureOf(secret, email, device)}`,
    ...attributes,
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");
}

/** The browser that sends these cookies, if it is a known one of the account. */
export function findDevice(secret: string, email: string, cookies = ""): string | undefined {
  const [, device, signature] = /(?:^|;\s*)longshore\.device=([\w-]{22})\.([\w-]{43})(?:;|$)/.exec(cookies) ?? [];
  if (device === undefined || signature === undefined) return undefined;
  const right = Buffer.from(signatureOf(secret, email, device));
  return timingSafeEqual(right, Buffer.from(signature)) ? device : undefined;
}

const signatureOf = (secret: string, email: string, device: string): string =>
  createHmac("sha256", secret).update(`device ${device} ${email}`).digest("base64url");
