import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type OutgoingHttpHeaders,
} from "node:http2";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

// Clients of HTTPS on a port of loopback. They trust every certificate: which one is served is what tests look at.

export const name = "panel.example.com";

export interface Seen {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** A handshake that has succeeded. Rejects with the error of one that has not. */
export async function shake(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", servername: name, rejectUnauthorized: false, ...options });
  await once(socket, "secureConnect");
  return socket;
}

/** The SHA-256 fingerprint of the certificate that a new connection gets, and who issued it. */
export async function certificateOn(port: number): Promise<{ fingerprint: string; issuer: string }> {
  const socket = await shake(port);
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  return { fingerprint: certificate?.fingerprint256 ?? "", issuer: certificate?.issuer ?? "" };
}

/** One request over HTTP/1.1. */
export function get1(port: number, path: string, options: RequestOptions = {}): Promise<Seen> {
  const { promise, resolve, reject } = Promise.withResolvers<Seen>();
  const asked = {
    port,
    host: "127.0.0.1",
    servername: name,
    rejectUnauthorized: false,
    agent: false,
    path,
    ...options,
  };
  httpsRequest(asked, async (response) => {
    let body = "";
    for await (const chunk of response) body += chunk;
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
  })
    .on("error", reject)
    .end();
  return promise;
}

/** A connection of HTTP/2. */
export async function connect2(port: number): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { servername: name, rejectUnauthorized: false });
  session.on("error", () => undefined);
  await once(session, "connect");
  return session;
}

export const ask2 = (session: ClientHttp2Session, headers: OutgoingHttpHeaders): ClientHttp2Stream =>
  session.request({ ":authority": name, ...headers }, { endStream: (headers[":method"] ?? "GET") === "GET" });

/** The whole answer to a request over HTTP/2. */
export async function answer2(stream: ClientHttp2Stream): Promise<Seen> {
  const [{ ":status": status, ...headers }] = (await once(stream, "response")) as [Record<string, unknown>];
  let body = "";
  for await (const chunk of stream) body += chunk;
  return { status: Number(status), headers, body };
}
