import { type Config, installationUrl } from "../../../config.ts";

// Where a browser takes the answer to a program. Pure functions.

const loopbacks = ["127.0.0.1", "[::1]", "localhost"];

/** Whether an address is that of a program on the person's own computer. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && loopbacks.includes(hostname);

/**
 * Whether a program may be answered at an address: one that its document lists, letter by letter. On the person's own computer the port
 * may differ, since programs take a free one (RFC 8252, 7.3). Only HTTPS and the own computer: `javascript:` would run in the console.
 */
export function mayRedirect(wanted: string, listed: readonly string[]): boolean {
  const url = usableUrl(wanted);
  if (!url) return false;
  if (listed.includes(wanted)) return true;
  return isLoopback(url) && listed.some((each) => isSameButPort(url, usableUrl(each)));
}

/** Without a fragment, which would hide the answer, and without what browsers show in place of the host. */
function usableUrl(text: string): URL | undefined {
  const url = /^[\x21-\x7e]{1,2000}$/.test(text) ? URL.parse(text) : null;
  if (!url || text.includes("#") || url.username !== "" || url.password !== "") return undefined;
  return url.protocol === "https:" || isLoopback(url) ? url : undefined;
}

const isSameButPort = (one: URL, other: URL | undefined): boolean =>
  other !== undefined && isLoopback(other) && withoutPort(one) === withoutPort(other);

const withoutPort = ({ hostname, pathname, search }: URL): string => hostname + pathname + search;

/** The address with an answer and with the issuer, by which a program of many installations recognizes mixed-up answers (RFC 9207). */
export function answerAddress(
  config: Config,
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: Record<string, string>,
): string {
  const given = { ...answer, ...(state === null ? {} : { state }), iss: installationUrl(config) };
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}
