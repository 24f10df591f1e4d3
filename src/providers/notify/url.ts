import type { GivenTarget } from "./channel.ts";

// Shared by the kinds that post to a user's URL: the URL gives access to the other side, so it is secret.

export interface UrlTarget {
  url: string;
}

const maxUrl = 2_000;

export function readUrl({ target }: GivenTarget, stored?: UrlTarget) {
  if (target === undefined && stored) return { target: stored };
  const problem = urlProblem(target ?? "");
  return problem ? { errors: { target: problem } } : { target: { url: new URL(target ?? "").href } };
}

function urlProblem(text: string): string | undefined {
  if (text === "") return "The target is required: a web address that begins with https://.";
  if (text.length > maxUrl) return `The target may have at most ${maxUrl} characters.`;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return "The target must be a web address that begins with https:// or http://.";
  }
  const { username, password } = new URL(text);
  return username || password ? "The target must not contain a user name or a password." : undefined;
}

/** Only the origin: path and query give access to the channel. */
export const showUrl = ({ url }: UrlTarget): string => `${new URL(url).origin}/…`;

export function secretsOfUrl({ url }: UrlTarget): string[] {
  const { pathname, search, searchParams } = new URL(url);
  const segments = pathname.split("/");
  const values = search.split("&").map((pair) => pair.replace(/^[^=]*=/, ""));
  // The other side may quote any part of it, raw or decoded.
  return [
    url,
    `${pathname}${search}`,
    pathname,
    search.slice(1),
    ...segments,
    ...segments.map(decoded),
    ...values,
    ...searchParams.values(),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
