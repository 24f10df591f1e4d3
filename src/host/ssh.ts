import { createHash } from "node:crypto";
import { Client, type ClientChannel, type ConnectConfig, type SFTPWrapper } from "ssh2";
import { AppError, messageOf } from "../lib/errors.ts";
import { Sftp } from "./sftp.ts";
import type { Script } from "./sh.ts";

/** How to reach a server and how to know that it is the one. */
export interface Address {
  /** What a person calls the server, for messages. */
  name: string;
  host: string;
  port: number;
  privateKey: string;
  /** The key pinned at first contact (`ssh-ed25519 AAAA…`), or undefined before it. */
  hostKey?: string | undefined;
}

export interface ExecResult {
  /** -1 when the command ended without telling an exit status: a failure. */
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface ExecOptions {
  /** Given on standard input: where secrets travel. */
  input?: string | Buffer;
  /** Default 60 s; the channel is closed after it and the promise rejects. */
  timeoutMs?: number;
}

// sshd allows ten sessions on one connection (MaxSessions); two are kept for following. It counts a session that has just
// ended until it has looked around: as many as run may be ending when the next begin.
const concurrentCommands = 4;
const outputLimit = 1 << 20;
const keepaliveMs = 5_000;

/** One kept SSH connection, as root. It ends by `close`, or by itself when the other side stops answering for 15 s. */
export class Connection {
  /** The host's key in the form to pin. */
  readonly hostKey: string;
  private readonly client: Client;
  private readonly address: Address;
  private files: Promise<Sftp> | undefined;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private lost = false;

  constructor(client: Client, address: Address, hostKey: string) {
    this.client = client;
    this.address = address;
    this.hostKey = hostKey;
    // Each run that is followed listens for the end.
    client.setMaxListeners(0);
    client.on("close", () => {
      this.lost = true;
    });
  }

  get isOpen(): boolean {
    return !this.lost;
  }

  /** Calls back once when the connection has ended; returns what takes the listener away. */
  onClose(listener: () => void): () => void {
    this.client.once("close", listener);
    return () => this.client.off("close", listener);
  }

  close(): void {
    this.lost = true;
    this.client.end();
  }

  /**
   * Runs a command and collects what it says, up to 1 MiB of each stream.
   * Rejects with `server_unreachable` when the connection ends or the time is over; an exit status is never a rejection.
   */
  async exec(command: Script, options: ExecOptions = {}): Promise<ExecResult> {
    await this.takeTurn();
    try {
      const channel = await this.open(command);
      return await this.collect(channel, options);
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  /**
   * Makes sure that the server still answers: a connection whose other side vanished looks open for a while. Rejects with
   * `server_unreachable`, and ends the connection, when there is no answer in time.
   */
  async prove(timeoutMs: number): Promise<void> {
    try {
      await this.hearFrom(timeoutMs);
    } catch (error) {
      if (this.isOpen) await this.destroy();
      throw error;
    }
  }

  // Nobody is there to take leave of: `end` would wait for an answer.
  private async destroy(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.onClose(resolve));
    this.lost = true;
    this.client.destroy();
    await closed;
  }

  // On the channel that journals are read over: one answer, where a command costs the server a process and the network four.
  private hearFrom(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (reason: string) => reject(this.unreachable(new Error(reason)));
    const timer = setTimeout(() => refuse(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
    const forget = this.onClose(() => refuse("the connection was lost"));
    this.sftp()
      .then((sftp) => sftp.hear())
      .then(resolve, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      forget();
    });
  }

  /** Runs a command that goes on, and calls back for each line it prints. Returns what ends it. */
  async follow(command: Script, onLine: (line: string) => void): Promise<() => void> {
    const channel = await this.open(command);
    let rest = "";
    channel.on("data", (data: Buffer) => {
      const parts = (rest + data.toString("utf8")).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) onLine(line);
    });
    channel.stderr.resume();
    return () => channel.close();
  }

  /** SFTP on a channel of its own, opened once, and anew when it has ended: reads files by offset, byte for byte. */
  sftp(): Promise<Sftp> {
    this.files ??= this.openSftp();
    return this.files;
  }

  private async takeTurn(): Promise<void> {
    while (this.running >= concurrentCommands) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running++;
  }

  private openSftp(): Promise<Sftp> {
    const forget = () => {
      this.files = undefined;
    };
    const opened = new Promise<SFTPWrapper>((resolve, reject) => {
      this.client.sftp((error, channel) => (error ? reject(error) : resolve(channel)));
    });
    return opened.then(
      (channel) => {
        const sftp = new Sftp(channel, (reason) => this.unreachable(reason));
        sftp.ended.addEventListener("abort", forget);
        return sftp;
      },
      (error) => {
        forget();
        throw this.unreachable(error);
      },
    );
  }

  private open(command: Script): Promise<ClientChannel> {
    return new Promise((resolve, reject) => {
      if (this.lost) return reject(this.unreachable(new Error("the connection is closed")));
      const forget = this.onClose(() => reject(this.unreachable(new Error("the connection was lost"))));
      this.client.exec(command.script, (error, channel) => {
        forget();
        if (error) reject(this.unreachable(error));
        else resolve(channel);
      });
    });
  }

  private collect(channel: ClientChannel, { input, timeoutMs = 60_000 }: ExecOptions): Promise<ExecResult> {
    return new Promise((resolve, reject) => {
      const stdout = collector();
      const stderr = collector();
      const timer = setTimeout(() => {
        channel.close();
        reject(this.unreachable(new Error(`no answer within ${timeoutMs / 1000} s`)));
      }, timeoutMs);
      channel.on("data", stdout.add);
      channel.stderr.on("data", stderr.add);
      channel.on("error", () => undefined);
      // The close tells the exit status once more: the exit itself of a quick command may come before anybody listens.
      channel.on("close", (code?: number | null) => {
        clearTimeout(timer);
        const exitCode = code ?? -1;
        if (this.lost && exitCode === -1) reject(this.unreachable(new Error("the connection was lost")));
        else resolve({ exitCode, stdout: stdout.text(), stderr: stderr.text() });
      });
      channel.end(input);
    });
  }

  private unreachable(cause: Error): AppError {
    return unreachable(this.address, cause);
  }
}

/**
 * Connects and authenticates. Rejects with `host_key_changed` or `authentication_refused` (trying again does not help)
 * or `server_unreachable`.
 */
export function connect(address: Address, timeoutMs: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const client = new Client();
    let hostKey = "";
    let changed: AppError | undefined;
    client.on("ready", () => {
      // Nagle's algorithm makes a command of 3 ms one of 90.
      client.setNoDelay(true);
      resolve(new Connection(client, address, hostKey));
    });
    client.on("error", (error) => reject(changed ?? refusal(address, error)));
    client.on("close", () => reject(changed ?? unreachable(address, new Error("the connection was closed"))));
    client.connect({
      host: address.host,
      port: address.port,
      username: "root",
      privateKey: address.privateKey,
      readyTimeout: timeoutMs,
      keepaliveInterval: keepaliveMs,
      keepaliveCountMax: 3,
      ...acceptedKeyTypes(address.hostKey),
      hostVerifier: (key: Buffer) => {
        hostKey = nameKey(key);
        if (!address.hostKey || address.hostKey === hostKey) return true;
        changed = hostKeyChanged(address, hostKey);
        return false;
      },
    });
  });
}

// A server with keys of several types must show the one that was pinned, or a new type would look like a changed key.
function acceptedKeyTypes(pinned: string | undefined): Pick<ConnectConfig, "algorithms"> {
  const type = pinned?.split(" ")[0];
  if (!type) return {};
  const serverHostKey = type === "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256"] : [type];
  return { algorithms: { serverHostKey } } as Pick<ConnectConfig, "algorithms">;
}

// The wire form begins with the type's length (4 bytes) and name.
function nameKey(key: Buffer): string {
  const type = key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1");
  return `${type} ${key.toString("base64")}`;
}

/** What `ssh-keygen -lf` shows for a key in the pinned form. */
export function fingerprint(hostKey: string): string {
  const blob = Buffer.from(hostKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

function hostKeyChanged(address: Address, seen: string): AppError {
  return new AppError(
    "host_key_changed",
    `The host key of ${address.name} (${address.host}) is not the one seen at first contact: expected ` +
      `${fingerprint(address.hostKey ?? "")}, got ${fingerprint(seen)}. If the server was installed anew, delete it here ` +
      "and add it again; otherwise somebody may be answering in its place. Nothing was sent to it.",
    { permanent: true },
  );
}

function refusal(address: Address, error: Error & { level?: string }): AppError {
  if (error.level !== "client-authentication") return unreachable(address, error);
  return new AppError(
    "authentication_refused",
    `${address.name} (${address.host}) refused the key. Run the server's connect command on it as root, then try again.`,
    { cause: error, permanent: true },
  );
}

function unreachable(address: Address, cause: Error): AppError {
  const where = `${address.host}:${address.port}`;
  return new AppError("server_unreachable", `${address.name} (${where}) did not answer: ${messageOf(cause)}.`, {
    cause,
  });
}

function collector(): { add: (data: Buffer) => void; text: () => string } {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add: (data) => {
      if (size < outputLimit) parts.push(data);
      size += data.length;
    },
    text: () => Buffer.concat(parts).subarray(0, outputLimit).toString("utf8"),
  };
}
