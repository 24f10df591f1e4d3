import { get as getPlain } from "node:http";
import { Agent, get } from "node:https";
import { connect, type TLSSocket } from "node:tls";

/** The results of visitors over HTTPS. */
export interface SecureVisits {
  onePerRequest: Count;
  kept: Count;
  /** Checks of the certificate of a name, and those with another name's certificate. */
  looks: Count;
}

export interface Count {
  requests: number;
  failed: number;
  /** Some of the failures. */
  examples: string[];
}

export interface Site {
  address: string;
  /** Served over HTTPS all the time. */
  name: string;
  /** Every name that is ever served; over HTTPS or not. */
  names: readonly string[];
}

const walkers = 4;
const keptConnections = 8;

/**
 * Repeated visitors: with a connection for each request, on kept connections, and some that only check the certificate of a name.
 * wrk cannot request a name at an address over TLS.
 */
export function startSecureVisitors({ address, name, names }: Site) {
  const visits: SecureVisits = { onePerRequest: none(), kept: none(), looks: none() };
  const agent = new Agent({ keepAlive: true, maxSockets: keptConnections, maxCachedSessions: 0 });
  let isOver = false;
  const walk = async (count: Count, visit: () => Promise<string | undefined>): Promise<void> => {
    while (!isOver) {
      const complaint = await visit().catch((error: unknown) => String(error));
      count.requests += 1;
      if (complaint === undefined) continue;
      count.failed += 1;
      if (count.examples.length < 5) count.examples.push(complaint);
    }
  };
  const repeated = (times: number, work: () => Promise<void>) => Array.from({ length: times }, work);
  const walking = Promise.all([
    ...repeated(walkers, () => walk(visits.onePerRequest, () => visitSecurely(address, name, false))),
    walk(visits.onePerRequest, () => visitPlainly(address, name)),
    ...repeated(keptConnections, () => walk(visits.kept, () => visitSecurely(address, name, agent))),
    ...names.map((each) => walk(visits.looks, () => lookAtCertificate(address, each))),
  ]);
  return async (): Promise<SecureVisits> => {
    isOver = true;
    await walking;
    agent.destroy();
    return visits;
  };
}

const none = (): Count => ({ requests: 0, failed: 0, examples: [] });

/** Undefined when it went well. */
function visitSecurely(host: string, name: string, agent: Agent | false): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host, servername: name, headers: { Host: name }, agent, rejectUnauthorized: false };
    const request = get(options, (response) => {
      // At the end there may be no socket any more, and a kept one reports its certificate only once.
      const socket = response.socket as TLSSocket;
      const isOther = !agent && socket.getPeerX509Certificate()?.checkHost(name) === undefined;
      response.on("error", reject);
      response.resume().on("end", () => {
        if (response.statusCode !== 200) resolve(`status ${response.statusCode}`);
        else resolve(isOther ? "another certificate" : undefined);
      });
    });
    request.setTimeout(10_000, () => request.destroy(new Error("no answer")));
    request.on("error", reject);
  });
}

/** A request without TLS is redirected. */
function visitPlainly(host: string, name: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    getPlain({ host, headers: { Host: name }, agent: false }, (response) => {
      response
        .resume()
        .on("end", () => resolve(response.statusCode === 301 ? undefined : `status ${response.statusCode}`));
    }).on("error", reject);
  });
}

/** The certificate that visitors of a name get; undefined if there is none. */
export function shownCertificate(host: string, servername: string) {
  return new Promise<ReturnType<TLSSocket["getPeerX509Certificate"]>>((resolve) => {
    const socket = connect({ host, port: 443, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.on("error", () => resolve(undefined));
  });
}

// A missing certificate does not count as another name's.
async function lookAtCertificate(host: string, name: string): Promise<string | undefined> {
  const certificate = await shownCertificate(host, name);
  return certificate === undefined || certificate.checkHost(name)
    ? undefined
    : `${name}: ${certificate.subjectAltName}`;
}
