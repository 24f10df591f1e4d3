import { get, type IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { get as getSecurely } from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";

// The protocols for reading a site, each as a stream of the data that has arrived.

/** Requests a path of a site; resolves with the body, decoded as it arrives. */
export type Way = (
  site: { address: string; domain: string },
  path: string,
  headers: Record<string, string>,
) => Promise<Readable>;

// Data that nginx holds back would keep the test waiting until nginx gives up.
const patience = () => AbortSignal.timeout(30_000);

export const overHttp: Way = async ({ address, domain }, path, headers) => {
  const options = { host: address, path, headers: { Host: domain, ...headers }, agent: false as const };
  return decoded(
    await new Promise((resolve, reject) => get({ ...options, signal: patience() }, resolve).on("error", reject)),
  );
};

export const overHttps: Way = async ({ address, domain }, path, headers) => {
  const tls = { servername: domain, rejectUnauthorized: false, agent: false as const };
  const options = { host: address, path, headers: { Host: domain, ...headers }, signal: patience(), ...tls };
  return decoded(await new Promise((resolve, reject) => getSecurely(options, resolve).on("error", reject)));
};

export const overHttp2: Way = async ({ address, domain }, path, headers) => {
  const session = connect(`https://${address}`, { servername: domain, rejectUnauthorized: false });
  const sent = session.request({ ":path": path, ":authority": domain, ...headers }, { signal: patience() });
  sent.on("close", () => session.close());
  const coding = await new Promise<string>((resolve, reject) => {
    sent.on("response", (answer) => resolve(String(answer["content-encoding"] ?? "identity"))).on("error", reject);
  });
  return decode(sent, coding);
};

const decoded = (answer: IncomingMessage): Readable =>
  decode(answer, String(answer.headers["content-encoding"] ?? "identity"));

function decode(body: Readable, coding: string): Readable {
  if (coding === "identity") return body;
  return body.pipe(coding === "gzip" ? createGunzip({ flush: 2 }) : createBrotliDecompress());
}
