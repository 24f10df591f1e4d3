import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { rootCertificates } from "node:tls";
import { unreachableSentence } from "../../lib/unanswered.ts";
import { AcmeError, type Reply } from "./problem.ts";

export interface Transport {
  /** Rejects with an AcmeError of type `network` when there is no answer. */
  request(method: "GET" | "HEAD" | "POST", url: string, body?: string): Promise<Reply>;
  close(): void;
}

const timeoutMs = 20_000;
// A chain has some KB; a longer answer does not come from an authority.
const mostBytes = 1_000_000;

/** HTTP on kept connections: an order takes a dozen requests, and each handshake costs as much as one of them. */
export function acmeTransport(trusted: string | undefined): Transport {
  const agents = {
    "http:": new HttpAgent({ keepAlive: true }),
    "https:": new HttpsAgent({ keepAlive: true, ...(trusted ? { ca: [...rootCertificates, trusted] } : {}) }),
  };
  return {
    request: (method, url, body) => {
      const { protocol } = new URL(url);
      if (protocol !== "http:" && protocol !== "https:") throw unanswered(url, new Error(`${protocol} is not HTTP`));
      const agent = agents[protocol];
      return send({ method, url, body, agent }).catch((error: unknown) => {
        throw error instanceof AcmeError ? error : unanswered(url, error);
      });
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Sent {
  method: string;
  url: string;
  body: string | undefined;
  agent: HttpAgent | HttpsAgent;
}

function send({ method, url, body, agent }: Sent): Promise<Reply> {
  const headers = {
    "User-Agent": "longshore",
    ...(body === undefined
      ? {}
      : { "Content-Type": "application/jose+json", "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const ask = url.startsWith("https:") ? httpsRequest : httpRequest;
  const request = ask(url, { method, headers, agent, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostBytes) request.destroy(new Error("The answer is too long"));
      else pieces.push(piece);
    });
    response.on("error", reject);
    response.on("end", () => {
      const text = Buffer.concat(pieces).toString("utf8");
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(flat), body: objectIn(text), text });
    });
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

function objectIn(text: string): Record<string, unknown> {
  if (!text.startsWith("{")) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function unanswered(url: string, cause: unknown): AcmeError {
  const detail = unreachableSentence(new URL(url).host, cause);
  return new AcmeError({ type: "network", detail, status: 0, cause });
}
