import { downServer, execOn, type SandboxServer, type UpOptions, upServer } from "../../sandbox/sandbox.ts";

// The machines behind a provider's servers.

export interface MachineOrder {
  /** Unique among all machines of the test. */
  name: string;
  /** Such as `ubuntu_24_04`, or the id of a custom image. */
  image: string;
  userData: string;
}

export interface Machine {
  publicIp: string;
}

/** The machines that a provider's servers run on. */
export interface Machines {
  /** Resolves when the machine has booted with its user data applied. */
  boot(order: MachineOrder): Promise<Machine>;
  reboot(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Simulated machines: their addresses are in the documentation networks, and no machine answers there. */
export function paperMachines(): Machines & { booted: MachineOrder[]; living: Set<string> } {
  const booted: MachineOrder[] = [];
  const living = new Set<string>();
  return {
    booted,
    living,
    async boot(order) {
      booted.push(order);
      living.add(order.name);
      const at = booted.length;
      return { publicIp: `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}` };
    },
    reboot: async () => undefined,
    remove: async (name) => void living.delete(name),
    close: async () => undefined,
  };
}

/** Machines that are sandbox servers: an ordered server can be connected to, provisioned and visited. */
export function sandboxMachines(
  of: { prefix: string } & Pick<UpOptions, "image" | "distribution" | "priority">,
): Machines & { servers: Map<string, SandboxServer>; userData: Map<string, string> } {
  const { prefix, ...options } = of;
  const servers = new Map<string, SandboxServer>();
  const given = new Map<string, string>();
  return {
    servers,
    userData: given,
    async boot({ name, userData }) {
      const server = await upServer({ ...options, name: `${prefix}-${name}` });
      servers.set(name, server);
      given.set(name, userData);
      await applyUserData(server.name, userData);
      return { publicIp: server.address };
    },
    reboot: async (name) => void (await execOn(`${prefix}-${name}`, ["systemctl", "reboot"])),
    async remove(name) {
      servers.delete(name);
      await downServer(`${prefix}-${name}`);
    },
    async close() {
      for (const name of [...servers.keys()]) await downServer(`${prefix}-${name}`);
      servers.clear();
    },
  };
}

export interface FirstBootSettings {
  hostKeys: { private: string; public: string };
  authorizedKeys: string[];
  commands: string[][];
}

/**
 * The parts of cloud-init that Longshore uses, read from its user data: `ssh_keys`, root's `ssh_authorized_keys`, `runcmd`.
 * Throws for text that is not cloud-init configuration, and for settings that the fake does not support.
 */
export function readUserData(text: string): FirstBootSettings {
  const [first, ...lines] = text.split("\n");
  if (first !== "#cloud-config") throw new Error("The user data is no cloud-config.");
  const known = ["disable_root", "ssh_pwauth", "ssh_deletekeys", "ssh_keys", "users", "chpasswd", "runcmd"];
  const keys = lines.flatMap((line) => /^([a-z_]+):/.exec(line)?.[1] ?? []);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`No fake carries out ${unknown}.`);
  if (!lines.includes("disable_root: false"))
    throw new Error("Ubuntu's images refuse root without disable_root: false.");
  const scalarOf = (pattern: RegExp): string[] =>
    lines.flatMap((line) => {
      const [, scalar] = pattern.exec(line) ?? [];
      return scalar === undefined ? [] : [JSON.parse(scalar) as string];
    });
  const [privateKey = ""] = scalarOf(/^ {2}ed25519_private: (".*")$/);
  const [publicKey = ""] = scalarOf(/^ {2}ed25519_public: (".*")$/);
  const start = lines.indexOf("runcmd:");
  const commands = lines.slice(start + 1).flatMap((line) => {
    const [, words] = /^ {2}- \[(.*)\]$/.exec(line) ?? [];
    return words === undefined ? [] : [words.split(", ").map((word) => word.replace(/^"(.*)"$/, "$1"))];
  });
  return {
    hostKeys: { private: privateKey, public: publicKey },
    authorizedKeys: scalarOf(/^ {6}- (".*")$/),
    commands: start < 0 ? [] : commands,
  };
}

/** Does on a sandbox server what cloud-init does on a provider's machine. */
async function applyUserData(name: string, text: string): Promise<void> {
  const { hostKeys, authorizedKeys, commands } = readUserData(text);
  const put = async (path: string, mode: string, input: string) => {
    const done = await execOn(name, ["sh", "-c", `umask 077; cat > ${path} && chmod ${mode} ${path}`], { input });
    if (done.exitCode !== 0) throw new Error(`${path} was not written on ${name}: ${done.stderr}`);
  };
  await execOn(name, ["sh", "-c", "rm -f /etc/ssh/ssh_host_*"]);
  await put("/etc/ssh/ssh_host_ed25519_key", "600", hostKeys.private);
  await put("/etc/ssh/ssh_host_ed25519_key.pub", "644", `${hostKeys.public}\n`);
  await put("/root/.ssh/authorized_keys", "600", authorizedKeys.map((key) => `${key}\n`).join(""));
  // cloud-init's result for `ssh_pwauth: false`.
  await put("/etc/ssh/sshd_config.d/50-cloud-init.conf", "600", "PasswordAuthentication no\n");
  for (const command of commands) {
    const done = await execOn(name, command);
    if (done.exitCode !== 0) throw new Error(`${command.join(" ")} failed on ${name}: ${done.stderr}`);
  }
  const restarted = await execOn(name, ["systemctl", "restart", "ssh"]);
  if (restarted.exitCode !== 0) throw new Error(`sshd did not take the keys of ${name}: ${restarted.stderr}`);
}
