import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import type { Config } from "../../../config.ts";
import { outboundReach } from "../../../lib/addresses.ts";
import { checkedLookup, UnreachableHost } from "../../../lib/checked-lookup.ts";
import { messageOf } from "../../../lib/errors.ts";
import { listOf, objectOf, textOf } from "../../../lib/foreign.ts";
import { readText } from "../../../lib/http-answers.ts";
import { unansweredReason } from "../../../lib/unanswered.ts";

// A program of another site describes itself in a document, whose address is the id of the program. The host of that address is known
// for sure; what the document contains is the choice of the program.
// https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/

export interface Client {
  id: string;
  /** One line of at most 100 characters: the program chose it. */
  name: string;
  redirectUris: readonly string[];
}

/** A document that describes no program. The message is a sentence. */
export class Unusable extends Error {}

const maxBytes = 65_536;
const timeoutMs = 5_000;

/** Reads the document of a program. Throws `Unusable`. */
export async function readClient(config: Pick<Config, "monitorAllow">, id: string): Promise<Client> {
  const url = clientUrl(id);
  if (!url) throw new Unusable("The id of a program is the https address of its document.");
  return clientOf(id, await fetchDocument(url, outboundReach(config.monitorAllow)));
}

/** In the one spelling that URLs have: others could pass for another program. */
function clientUrl(id: string): URL | undefined {
  const url = id.length <= 2_000 ? URL.parse(id) : null;
  const isPlain = url?.href === id && url.protocol === "https:" && url.pathname !== "/";
  return isPlain && !id.includes("#") && url.username === "" && url.password === "" ? url : undefined;
}

/** Throws `Unusable` for a document of another program. */
export function clientOf(id: string, text: string): Client {
  const { host } = new URL(id);
  const document = objectOf(parsed(text));
  if (document.client_id !== id) throw new Unusable(`The document at ${host} does not describe this program.`);
  const redirectUris = listOf(document.redirect_uris).map(textOf);
  return { id, name: lineOf(textOf(document.client_name)) || host.slice(0, 100), redirectUris };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without characters that have no place in a line, such as those that change its direction. */
const lineOf = (text: string): string =>
  Array.from(text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " "))
    .slice(0, 100)
    .join("")
    .trim();

async function fetchDocument(url: URL, mayReach: (address: string) => boolean): Promise<string> {
  const { host, hostname } = url;
  const literal = hostname.replace(/^\[|\]$/g, "");
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // A connection to an address makes no lookup, so it would not be checked.
    if (isIP(literal) !== 0 && !mayReach(literal)) throw notAllowed(literal);
    const headers = { Accept: "application/json", "User-Agent": "Longshore" };
    const request = httpsRequest(url, { agent: false, lookup: checkedLookup(mayReach, notAllowed), signal, headers });
    // Stays attached, for what fails after the answer.
    request.on("error", () => {});
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    try {
      refuseOthers(host, response);
      return await readText(response, maxBytes);
    } finally {
      request.destroy();
    }
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable(signal.aborted ? `${host} did not answer within 5 seconds.` : reasonOf(host, error));
  }
}

function refuseOthers(host: string, { statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode !== 200) {
    const more = statusCode >= 300 && statusCode < 400 ? ", and redirects are not followed" : "";
    throw new Unusable(`${host} answered ${statusCode}${more}.`);
  }
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers["content-type"] ?? "")) {
    throw new Unusable(`The document at ${host} is not JSON.`);
  }
}

const notAllowed = (host: string): Error =>
  new UnreachableHost(`${host} is at a private or reserved address, which is not read.`);

function reasonOf(host: string, error: unknown): string {
  if (error instanceof UnreachableHost) return error.message;
  const reason = unansweredReason(error);
  return `The document at ${host} could not be read: ${reason ? `it ${reason}` : messageOf(error)}.`;
}
