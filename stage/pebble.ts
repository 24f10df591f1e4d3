import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request, type Server } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { mustRun } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { until } from "../sandbox/until.ts";
import { freePorts } from "./free-port.ts";

// A certificate authority for tests: Debian's pebble, with a DNS server that answers every name, and a proxy ("door")
// in front of it through which tests can make it fail.

export interface AuthorityOptions {
  /** The directory of its keys and settings. */
  directory: string;
  /** Where platforms reach it and its DNS server; default: loopback. */
  host?: string;
  /** The address of every name, unless `point` or `pointAll` set another. */
  address?: string;
  /** How many of 100 good nonces it rejects; default: none. */
  nonceReject?: number;
  /** How many of 100 authorizations it reuses; default: none, so that every order is validated. */
  authorizationReuse?: number;
  /** The port for its checks of challenges over HTTP; default: 80. */
  httpPort?: number;
  /** The same over TLS; default: 443. */
  tlsPort?: number;
}

/** The answer of the door in place of pebble's. */
export interface Fault {
  status: number;
  headers?: Record<string, string>;
  /** The last part of a problem's URN, such as `rateLimited`. */
  type?: string;
  detail?: string;
}

export interface Authority {
  directoryUrl: string;
  /** PEM of the authority that signs its own HTTPS. */
  trustFile: string;
  /** `ADDRESS:PORT` of the DNS server. */
  dns: string;
  /** Requests received by the door, such as `POST /order-plz`. */
  readonly requests: string[];
  /** The requests with the status of pebble's answer, such as `POST /order-plz 201`: it may reject a request's nonce. */
  readonly answered: string[];
  /** Answers the next `times` requests whose path matches with the fault. */
  fail(path: RegExp, fault: Fault, times?: number): void;
  /** Runs `work` before the next request whose path matches is passed on. */
  before(path: RegExp, work: () => Promise<unknown>): void;
  /** Removes all faults. */
  mend(): void;
  /** The address of every name that `point` does not set. */
  pointAll(address: string): Promise<void>;
  /** The addresses of a name; without an address, its DNS servers are broken. */
  point(name: string, ...addresses: string[]): Promise<void>;
  /** The root that signs the certificates it issues. */
  root(): Promise<string>;
  close(): Promise<void>;
}

/** Settings for a platform that uses it. */
export const environmentOf = ({ directoryUrl, trustFile, dns }: Authority): Record<string, string> => ({
  LONGSHORE_ACME_DIRECTORY: directoryUrl,
  LONGSHORE_ACME_TRUST_FILE: trustFile,
  LONGSHORE_DNS: dns,
});

/** Starts one on free ports of loopback. Installs Debian's package when it is missing. */
export async function startAuthority(options: AuthorityOptions): Promise<Authority> {
  await ensurePackages(["pebble", "openssl"], "a certificate authority for tests");
  await mkdir(options.directory, { recursive: true });
  const { host = "127.0.0.1" } = options;
  const files = await makeCertificate(options.directory, host);
  const [acme, management, dns, dnsManagement] = (await freePorts(4)) as [number, number, number, number];
  const names = startProcess("pebble-challtestsrv", [
    ...["-dns01", `${host}:${dns}`, "-management", `127.0.0.1:${dnsManagement}`],
    ...["-defaultIPv4", options.address ?? "127.0.0.1", "-defaultIPv6", ""],
    ...["-http01", "", "-https01", "", "-tlsalpn01", ""],
  ]);
  const pebble = await startPebble(options, files, { acme, management, dns });
  const door = await openDoor(files, acme, host);
  const point = (name: string, ...addresses: string[]) => setAddresses(dnsManagement, name, addresses);
  const pointAll = (ip: string) => tellNames(dnsManagement, "/set-default-ipv4", { ip });
  await Promise.all([untilListening(acme, pebble), untilListening(dnsManagement, names)]);
  return {
    directoryUrl: `https://${host}:${door.port}/dir`,
    trustFile: files.certificate,
    dns: `${host}:${dns}`,
    requests: door.requests,
    answered: door.answered,
    fail: door.fail,
    before: door.before,
    mend: door.mend,
    point,
    pointAll,
    root: async () => (await ask(management, "/roots/0", await readFile(files.certificate))).toString(),
    close: async () => {
      await door.close();
      await Promise.all([pebble, names].map(end));
    },
  };
}

interface Files {
  certificate: string;
  key: string;
}

async function makeCertificate(directory: string, host: string): Promise<Files> {
  const files = { certificate: join(directory, "authority.pem"), key: join(directory, "authority.key") };
  await mustRun([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-days", "30", "-subj", "/CN=authority", "-addext", `subjectAltName=IP:127.0.0.1,IP:${host}`],
    ...["-keyout", files.key, "-out", files.certificate],
  ]);
  return files;
}

async function startPebble(
  {
    directory,
    host = "127.0.0.1",
    nonceReject = 0,
    authorizationReuse = 0,
    httpPort = 80,
    tlsPort = 443,
  }: AuthorityOptions,
  files: Files,
  ports: Record<"acme" | "management" | "dns", number>,
): Promise<ChildProcess> {
  const settings = {
    listenAddress: `127.0.0.1:${ports.acme}`,
    managementListenAddress: `127.0.0.1:${ports.management}`,
    certificate: files.certificate,
    privateKey: files.key,
    httpPort,
    tlsPort,
    ocspResponderURL: "",
    externalAccountBindingRequired: false,
  };
  const config = join(directory, "pebble.json");
  await writeFile(config, JSON.stringify({ pebble: settings }));
  return startProcess("pebble", ["-config", config, "-dnsserver", `${host}:${ports.dns}`], {
    PEBBLE_VA_NOSLEEP: "1",
    PEBBLE_WFE_NONCEREJECT: String(nonceReject),
    PEBBLE_AUTHZREUSE: String(authorizationReuse),
  });
}

function startProcess(command: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, { stdio: "ignore", env: { ...process.env, ...env } });
  const killIt = (): void => void child.kill("SIGKILL");
  process.once("exit", killIt);
  child.once("exit", () => process.off("exit", killIt));
  return child;
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  await until(
    `${child.spawnfile} listens`,
    () => {
      if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended at once with ${child.exitCode}`);
      return new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
        socket.on("connect", () => socket.destroy());
      });
    },
    { timeoutMs: 60_000, everyMs: 20 },
  );
}

const listening = (server: Server, host: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, () => resolve(server));
  });

async function setAddresses(port: number, name: string, addresses: readonly string[]): Promise<void> {
  const post = (path: string, body: object) => tellNames(port, path, body);
  const host = `${name}.`;
  const of = (isFour: boolean) => addresses.filter((address) => address.includes(".") === isFour);
  await post("/clear-a", { host });
  await post("/clear-aaaa", { host });
  await post("/clear-servfail", { host });
  if (addresses.length === 0) return post("/set-servfail", { host });
  if (of(true).length > 0) await post("/add-a", { host, addresses: of(true) });
  if (of(false).length > 0) await post("/add-aaaa", { host, addresses: of(false) });
}

async function tellNames(port: number, path: string, body: object): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`The DNS server answered ${path} with ${reply.status}`);
}

// The door ---------------------------------------------------------------------------------------------------------------

interface Door extends Pick<Authority, "requests" | "answered" | "fail" | "before" | "mend"> {
  port: number;
  close(): Promise<void>;
}

async function openDoor(files: Files, pebblePort: number, host: string): Promise<Door> {
  const faults: { path: RegExp; fault: Fault; left: number }[] = [];
  let next: { path: RegExp; work: () => Promise<unknown> } | undefined;
  const requests: string[] = [];
  const answered: string[] = [];
  const ca = await readFile(files.certificate);
  const agent = new Agent({ keepAlive: true, ca });
  const server = createServer({ cert: ca, key: await readFile(files.key) }, async (incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    if (next?.path.test(incoming.url ?? "")) {
      const { work } = next;
      next = undefined;
      await work();
    }
    const found = faults.find(({ path, left }) => left > 0 && path.test(incoming.url ?? ""));
    if (!found) return pass(incoming, outgoing, { port: pebblePort, agent, answered });
    found.left -= 1;
    incoming.resume().on("end", () => refuse(outgoing, found.fault));
  });
  await listening(server, host);
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    answered,
    fail: (path, fault, times = Number.POSITIVE_INFINITY) => void faults.push({ path, fault, left: times }),
    before: (path, work) => {
      next = { path, work };
    },
    mend: () => void faults.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

// The Host header stays the client's: pebble builds its URLs from it, and they are signed.
function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { port, agent, answered }: { port: number; agent: Agent; answered: string[] },
): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: "127.0.0.1", port, method, path, headers, agent }, (answer) => {
    answered.push(`${method} ${path} ${answer.statusCode}`);
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
}

function refuse(outgoing: ServerResponse, { status, headers = {}, type, detail }: Fault): void {
  const problem =
    type === undefined ? "" : JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail, status });
  outgoing.writeHead(status, { "Content-Type": "application/problem+json", ...headers });
  outgoing.end(problem);
}

const ask = (port: number, path: string, ca: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, ca, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => resolve(Buffer.concat(pieces)));
    })
      .on("error", reject)
      .end();
  });
