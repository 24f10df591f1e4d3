import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";

// How visitors meet an application: one request, a page with everything that belongs to it, and many of them at a time.

/** Where an application is served. */
export interface Site {
  address: string;
  domain: string;
  /** Addresses that answer 200 with the release in their text. */
  pages: readonly string[];
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Readable;
  agent?: Agent;
}

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

// Longer than the slowest answer of an application takes, with a server that is busy with a build.
const patienceMs = 60_000;

/** Resolves with a whole answer, whatever its status; rejects when it breaks off. */
export async function ask({ address, domain }: Site, path: string, what: Ask = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body = "", agent } = what;
  const options: RequestOptions = { host: address, path, method, headers: { Host: domain, ...headers } };
  const sent = request({ ...options, agent: agent ?? false, signal: AbortSignal.timeout(patienceMs) });
  const answered = new Promise<IncomingMessage>((resolve, reject) => sent.on("response", resolve).on("error", reject));
  if (typeof body === "string") sent.end(body);
  // What breaks an upload off is the answer's failure as well.
  else pipeline(body, sent).catch(() => {});
  const answer = await answered;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: (await buffer(answer)).toString() };
}

/** The text of a page; throws when it is not answered with 200. */
export async function textOf(site: Site, path: string, what: Ask = {}): Promise<string> {
  const { status, body } = await ask(site, path, what);
  if (status !== 200) throw new Error(`${path}: ${status} ${body.slice(0, 200)}`);
  return body;
}

/** The one release that a text is of; throws when it is of none, or of several. */
export function releaseOf(path: string, text: string): string {
  const [release, ...others] = new Set(text.match(/release-\d/g));
  if (release !== undefined && others.length === 0) return release;
  throw new Error(`${path}: ${release ? "of two releases" : "of no release"}: ${text.slice(0, 200)}`);
}

/** The release of a page; throws unless the page is whole. */
export async function visitPage(site: Site, path: string, what: Ask = {}): Promise<string> {
  const text = await textOf(site, path, what);
  if (text.includes("<html") && !text.trimEnd().endsWith("</html>")) throw new Error(`${path}: broken off`);
  return releaseOf(path, text);
}

/** The scripts and styles that a page names. */
export const assetsIn = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path as string);

/** One thing that a visitor does, and throws when it is not answered as it should be. */
export type Visit = (site: Site, agent: Agent) => Promise<unknown>;

export interface Visitors {
  /** Ends the visits; resolves with how many there were, and what went wrong. */
  stop(): Promise<{ visits: number; wrong: string[] }>;
}

// A switch of files is over before visitors have come often.
const leastVisits = 20;

/** Visitors that come again and again, each with what it does, one on a connection that it keeps and one on new ones. */
export function startVisitors(site: Site, kinds: readonly Visit[], pauseMs = 10): Visitors {
  const wrong: string[] = [];
  const state = { stopped: false, visits: 0 };
  const walk = async (visit: Visit, keepAlive: boolean): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    while (!state.stopped || state.visits < leastVisits) {
      await visit(site, agent).catch((error: unknown) => wrong.push(String(error)));
      state.visits++;
      await pause(pauseMs);
    }
    agent.destroy();
  };
  const walks = kinds.flatMap((visit) => [walk(visit, true), walk(visit, false)]);
  return {
    async stop() {
      state.stopped = true;
      await Promise.all(walks);
      return { visits: state.visits, wrong };
    },
  };
}

/** A visit of each page in turn. */
export const pageVisits = ({ pages }: Pick<Site, "pages">): Visit[] =>
  pages.map(
    (path): Visit =>
      (site, agent) =>
        visitPage(site, path, { agent }),
  );
