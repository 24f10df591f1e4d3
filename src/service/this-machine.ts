import { existsSync } from "node:fs";
import { lchown, mkdir, readFile, realpath, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Output } from "../cli/output.ts";
import { type Config, thisMachineKeyFile } from "../config.ts";
import { firewallFile } from "../host/network/firewall.ts";
import { sh } from "../host/sh.ts";
import { connect } from "../host/ssh/connect.ts";
import { makeKeyPair, publicKeyOf } from "../host/ssh/key-pair.ts";
import { AppError, messageOf } from "../lib/errors.ts";
import type { PlannedFile } from "./installation.ts";
import { type ServiceLayout, serviceUser } from "./layout.ts";
import { type Account, mustRun, run } from "./machine.ts";
import { replaceFile } from "./replace-file.ts";

// The machine of the service as a server that Longshore manages: it signs in as root, over SSH on loopback, with a key that the
// service's user alone can read. It can be added once that is possible.

const loopback = "127.0.0.1";
const loginTimeoutMs = 15_000;

/** By which the line is found again; a setup that counts the keys of people does not count one with `from=`. */
const comment = "longshore-this-machine";

/** Such a key opens nothing from another machine, and no terminal or forwarding on this one. */
const options = 'from="127.0.0.1,::1",restrict';

/** The port of the SSH server of this machine. Throws AppError("configuration") if there is none. */
export async function findSshPort(): Promise<number> {
  // Where systemd listens for sshd, its directory is made with the first connection.
  await mkdir("/run/sshd", { recursive: true, mode: 0o755 }).catch(() => undefined);
  const { stdout, stderr, exitCode } = await run(["/usr/sbin/sshd", "-T"]);
  const [, port] = /^port (\d+)$/m.exec(stdout) ?? [];
  if (exitCode === 0 && port !== undefined) return Number(port);
  const reason = exitCode === 127 ? "Install openssh-server." : stderr.trim().split("\n").at(-1);
  throw new AppError(
    "configuration",
    `Longshore manages a machine over SSH, and this one has no SSH server. ${reason}`,
  );
}

/**
 * Lets the service sign in to this machine, and keeps projects on it away from the service's own ports. Safe to repeat. Throws
 * AppError("configuration") if the login fails; root's keys are then as before.
 */
export async function openThisMachine(
  layout: ServiceLayout,
  config: Config,
  account: Account,
  output: Output,
): Promise<void> {
  const done = output.progress("Longshore can sign in to this machine");
  await giveData(config.dataDirectory, account);
  const privateKey = await ensureKey(config, account);
  const wasOpen = await changeKeys(layout, publicKeyOf(privateKey));
  try {
    await checkLogin(privateKey, config.thisMachine ?? 22);
  } catch (error) {
    if (!wasOpen) await changeKeys(layout, undefined);
    throw error;
  }
  await putRules(layout, config, account);
  done();
}

/** What `openThisMachine` would write, for people. */
export function planThisMachine(layout: ServiceLayout, config: Config, account: Account | undefined): PlannedFile[] {
  const { ports, firewall } = rulesOf(config, account?.uid ?? `UID of ${serviceUser}`);
  return [
    { path: thisMachineKeyFile(config), text: "[secret]\n", mode: 0o600 },
    { path: layout.rootKeys, text: `and the line:\n${options} [its public half] ${comment}\n`, mode: 0o600 },
    { path: layout.portRules, text: ports, mode: 0o600 },
    ...(firewall === null ? [] : [{ path: layout.firewallRules, text: firewall, mode: 0o600 }]),
  ];
}

/** Takes back what `openThisMachine` did. Projects on the machine stay. */
export async function closeThisMachine(layout: ServiceLayout, data: string): Promise<void> {
  if (existsSync(layout.rootKeys)) await changeKeys(layout, undefined);
  const rules = [layout.portRules, layout.firewallRules].filter((file) => existsSync(file));
  await Promise.all([...rules, join(data, "this-machine.key")].map((file) => rm(file, { force: true })));
  if (await isServer()) return rules.length > 0 ? loadRules() : undefined;
  // It was never set up: its directories are those that `putRules` made.
  const ports = dirname(layout.portRules);
  for (const made of [ports, dirname(ports), dirname(layout.firewallRules)]) await rmdir(made).catch(() => undefined);
}

/** Of a former user of the same number, or of root after `uninstall`: systemd would only look at the directory itself. */
async function giveData(directory: string, { uid, gid }: Account): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await stat(directory)).uid === uid) return;
  await mustRun(["chown", "-R", "--no-dereference", `${uid}:${gid}`, directory]);
}

/** The private key of the installation, made unless it is there. */
async function ensureKey(config: Config, { uid, gid }: Account): Promise<string> {
  const file = thisMachineKeyFile(config);
  const found = await readFile(file, "utf8").catch(() => "");
  if (publicKeyOf(found) !== undefined) return found;
  const { privateKey } = makeKeyPair(comment);
  await replaceFile(file, privateKey, 0o600);
  await lchown(file, uid, gid);
  return privateKey;
}

/** Makes this the only key of Longshore among root's, or none; returns whether one was there before. */
async function changeKeys({ rootKeys }: ServiceLayout, publicKey: string | undefined): Promise<boolean> {
  await mkdir(dirname(rootKeys), { recursive: true, mode: 0o700 });
  const file = existsSync(rootKeys) ? await realpath(rootKeys) : rootKeys;
  const former = await readFile(file, "latin1").catch(() => "");
  const text = withKey(former, publicKey);
  if (text !== former) await replaceFile(file, Buffer.from(text, "latin1"), 0o600);
  return keyLine.test(former);
}

const keyLine = new RegExp(`^.* ${comment}\\r?$\\n?`, "m");

/** The text of a file of authorized keys with this key as the only one of Longshore itself, or with none. */
export function withKey(text: string, publicKey: string | undefined): string {
  const others = text.replace(new RegExp(keyLine, "gm"), "");
  if (publicKey === undefined) return others;
  const line = `${options} ${publicKey} ${comment}\n`;
  if (text.endsWith(line) && others + line === text) return text;
  return `${others}${others === "" || others.endsWith("\n") ? "" : "\n"}${line}`;
}

/** As the service does it. */
async function checkLogin(privateKey: string, port: number): Promise<void> {
  try {
    const connection = await connect({ name: "this machine", host: loopback, port, privateKey }, loginTimeoutMs);
    const { stdout } = await connection.exec(sh`id -u`).finally(() => connection.close());
    if (stdout.trim() !== "0") throw new Error("the login is not one of root");
  } catch (cause) {
    throw new AppError(
      "configuration",
      `Longshore cannot sign in as root at ${loopback}, port ${port}: ${messageOf(cause)} sshd has to listen there, and to let root in with a key: PermitRootLogin prohibit-password.`,
      { cause },
    );
  }
}

// Who may connect ---------------------------------------------------------------------------------------------------------

/**
 * The rules for Longshore's own ports, in the tables of a managed server. On loopback only root, nginx and the service itself
 * connect to them: a process of a project could otherwise name any address as its own, since the proxy at 127.0.0.1 is trusted. A
 * port that is open to others stays open.
 */
export function rulesOf(
  { port, metricsPort, host }: Config,
  uid: number | string,
): { ports: string; firewall: string | null } {
  const own = [port, ...(metricsPort === undefined ? [] : [metricsPort])];
  const table = "inet longshore_ports";
  const isLocal = /^(?:127\.|localhost$|::1$)/.test(host);
  return {
    ports: `# Longshore itself, not a project. Made by: longshore service install
add element ${table} ports { ${own.join(", ")} }
add element ${table} owners { ${own.map((each) => `${uid} . ${each}`).join(", ")} }
`,
    firewall: isLocal
      ? null
      : `# Longshore itself. Made by: longshore service install\ntcp dport { ${own.join(", ")} } accept\n`,
  };
}

async function putRules(layout: ServiceLayout, config: Config, { uid }: Account): Promise<void> {
  const { ports, firewall } = rulesOf(config, uid);
  const isChanged = [await putRule(layout.portRules, ports), await putRule(layout.firewallRules, firewall)].includes(
    true,
  );
  // Otherwise its setup loads them.
  if (isChanged && (await isServer())) await loadRules();
}

/** Returns whether the file differs from what was there. */
async function putRule(file: string, text: string | null): Promise<boolean> {
  const former = await readFile(file, "utf8").catch(() => null);
  if (former === text) return false;
  if (text === null) await rm(file);
  else {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await replaceFile(file, text, 0o600);
  }
  return true;
}

/** Whether a setup has made this machine a server, whose firewall is in force. */
const isServer = async (): Promise<boolean> =>
  (await run(["nft", "list", "table", "inet", "longshore_ports"])).exitCode === 0;

const loadRules = async (): Promise<void> => {
  await mustRun(["nft", "--file", firewallFile]);
};
