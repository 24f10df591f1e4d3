import { exitStatus, Failure, usage } from "../failure.ts";
import { visible } from "../output/text.ts";
import type { Configuration, Installation } from "./configuration.ts";
import type { Link } from "./link.ts";

/** What a command works with: an installation, an organization and a token. */
export interface Chosen {
  url: string;
  token: string;
  /** Undefined: the token's own. */
  organization: number | undefined;
}

export interface Sources {
  flags: { url?: string | undefined; organization?: string | undefined };
  env: { url?: string | undefined; token?: string | undefined; organization?: string | undefined };
  link: Link | undefined;
  configuration: Configuration;
}

/**
 * Flags win over the environment, that over the folder's link, and that over the configuration. A token is sent only to an address
 * that a person has named together with it: a link that came with someone's code cannot direct it elsewhere.
 */
export function choose(sources: Sources): Chosen {
  const url = chosenUrl(sources);
  const installation = installationAt(sources.configuration, url);
  const organization = chosenOrganization(sources, url, installation);
  const token = chosenToken(sources, { url, installation, organization });
  return { url, token, organization };
}

/** The installation at exactly this address: a token for https is not sent over http. */
export const installationAt = ({ installations }: Configuration, url: string): Installation | undefined =>
  Object.values(installations).find((installation) => installation.url === url);

/** The address of the installation, without a slash at the end. */
export function chosenUrl({ flags, env, link, configuration: { current, installations } }: Sources): string {
  if (flags.url !== undefined) return namedUrl(flags.url, installations);
  if (env.url) return parseUrl(env.url);
  if (link) return parseUrl(link.url);
  const url = current === null ? undefined : installations[current]?.url;
  if (url === undefined) throw notSignedIn("You are not signed in. Sign in: longshore login https://panel.example.com");
  return url;
}

/** `--url` may name an installation by its host as well. */
const namedUrl = (name: string, installations: Configuration["installations"]): string =>
  installations[name]?.url ?? parseUrl(name);

/** Adds `https://`; throws if it is none. */
export function parseUrl(text: string): string {
  const whole = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url?.username !== "" || url.search !== "") throw usage(`${visible(text)} is not the address of an installation.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function chosenOrganization(sources: Sources, url: string, installation: Installation | undefined): number | undefined {
  const named = sources.flags.organization ?? (sources.env.organization || undefined);
  if (named !== undefined) return organizationNamed(named, installation);
  if (sources.link && parseUrl(sources.link.url) === url) return sources.link.organization;
  return sources.env.token ? undefined : installation?.organization;
}

/** An id, or the name of an organization that the person is signed in to. */
export function organizationNamed(named: string, installation: Installation | undefined): number {
  if (/^\d{1,15}$/.test(named)) return Number(named);
  const tokens = Object.entries(installation?.tokens ?? {});
  const found = tokens.filter(([, { organization_name }]) => organization_name === named);
  if (found.length === 1) return Number(found[0]?.[0]);
  const known = tokens.map(([id, { organization_name }]) => `${visible(organization_name)} (${id})`).join(", ");
  throw usage(
    found.length > 1
      ? `Several organizations are called ${visible(named)}: use the id. ${known}`
      : `You are signed in to no organization ${visible(named)}.${known ? ` There are: ${known}` : ""} Others: longshore login`,
  );
}

interface Place {
  url: string;
  installation: Installation | undefined;
  organization: number | undefined;
}

function chosenToken({ flags, env }: Sources, { url, installation, organization }: Place): string {
  if (env.token) {
    if (flags.url !== undefined || env.url || installation !== undefined) return env.token;
    throw usage(
      `LONGSHORE_TOKEN is not sent to ${url}, which only the link of this folder names. Set LONGSHORE_URL=${url} as well.`,
    );
  }
  const { tokens = {} } = installation ?? {};
  // A token that is bound to no organization was stored for the one in which it was used first.
  const stored = organization === undefined ? undefined : tokens[String(organization)];
  const any = stored ?? tokens[String(installation?.organization)];
  if (any) return any.token;
  throw notSignedIn(`You are not signed in to ${url}. Sign in: longshore login ${url}`);
}

const notSignedIn = (message: string): Failure => new Failure(exitStatus.notSignedIn, message);
