import { createHash } from "node:crypto";
import { Socket } from "node:net";
import { Client, type ConnectConfig } from "ssh2";
import { isOpenAddress } from "../../lib/addresses.ts";
import { AppError } from "../../lib/errors.ts";
import { type Address, Connection, unreachable, whereOf } from "./connection.ts";
import { limitShare } from "./share.ts";

const keepaliveMs = 5_000;

/**
 * Connects and authenticates. Rejects with `host_key_changed` or `authentication_refused` (a retry does not help) or
 * `server_unreachable`. Of failures before an SSH server showed its key, the message has what happened if the address is open to
 * everyone. For all other addresses it has the same words, whatever happened: it must not reveal what listens in a network that a
 * user cannot look into, or whether anything does.
 */
export function connect(address: Address, timeoutMs: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const client = new Client();
    const socket = new Socket();
    let hostKey = "";
    let changed: AppError | undefined;
    client.on("ready", () => {
      // With Nagle's algorithm a command takes 90 ms instead of 3.
      client.setNoDelay(true);
      resolve(new Connection(client, socket, address, hostKey));
    });
    let isAccepted = false;
    socket.once("connect", () => {
      isAccepted = true;
    });
    const fail = (error: Error) => {
      socket.destroy();
      reject(
        changed ?? (hostKey === "" ? noServer(address, { error, isAccepted, timeoutMs }) : refusal(address, error)),
      );
    };
    client.on("error", fail);
    client.on("close", () => fail(new Error("the connection was closed")));
    socket.connect({ host: address.host, port: address.port });
    try {
      client.connect({
        sock: socket,
        username: "root",
        privateKey: address.privateKey,
        readyTimeout: timeoutMs,
        keepaliveInterval: keepaliveMs,
        keepaliveCountMax: 3,
        ...acceptedKeyTypes(address.hostKey),
        hostVerifier: (key: Buffer) => {
          // The wire form begins with the type's length (4 bytes) and name.
          const type = key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1");
          hostKey = `${type} ${key.toString("base64")}`;
          if (!address.hostKey || address.hostKey === hostKey) return true;
          changed = hostKeyChanged(address, hostKey);
          return false;
        },
      });
    } catch (error) {
      // A key that cannot be read. ssh2 does not listen to the socket then, and its error would end the process.
      socket.destroy();
      throw error;
    }
    limitShare(socket);
  });
}

// A server with keys of several types must show the pinned one, or a new type would look like a changed key.
function acceptedKeyTypes(pinned: string | undefined): Pick<ConnectConfig, "algorithms"> {
  const type = pinned?.split(" ")[0];
  if (!type) return {};
  const serverHostKey = type === "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256"] : [type];
  return { algorithms: { serverHostKey } } as Pick<ConnectConfig, "algorithms">;
}

/** The output of `ssh-keygen -lf` for a key in the pinned form. */
export function fingerprint(hostKey: string): string {
  const blob = Buffer.from(hostKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

function hostKeyChanged(address: Address, seen: string): AppError {
  return new AppError(
    "host_key_changed",
    `The host key of ${address.name} (${address.host}) is not the one seen at first contact: expected ` +
      `${fingerprint(address.hostKey ?? "")}, got ${fingerprint(seen)}. If the server was reinstalled, delete it here ` +
      "and add it again; otherwise another machine may be answering in its place. Nothing was sent to it.",
    { permanent: true },
  );
}

function refusal(address: Address, error: Error & { level?: string }): AppError {
  if (error.level !== "client-authentication") return unreachable(address, error);
  return new AppError(
    "authentication_refused",
    `${address.name} (${address.host}) refused the key. Run the server's connect command on it as root. If that was done, its sshd ` +
      "does not let root in with a key: PermitRootLogin must be prohibit-password there, or yes, and not no.",
    { cause: error, permanent: true },
  );
}

/** An attempt that ended before an SSH server showed its key. */
interface Failure {
  error: Error & { code?: string; level?: string };
  /** Whether something accepted the connection. */
  isAccepted: boolean;
  timeoutMs: number;
}

function noServer(address: Address, failure: Failure): AppError {
  const what = isOpenAddress(address.host) ? failureText(failure) : otherFailure;
  return new AppError("server_unreachable", `${address.name} (${whereOf(address)}) ${what}`, { cause: failure.error });
}

const otherFailure = "did not answer as an SSH server. Check its address, its port and its firewall.";

export function failureText({ error: { code, level }, isAccepted, timeoutMs }: Failure): string {
  if (isAccepted)
    return "accepted the connection, and did not answer as an SSH server. Check its address and its port.";
  if (code === "ECONNREFUSED") return "refused the connection. Check its port, and that its SSH server runs.";
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH")
    return "cannot be reached: no way leads there. Check its address.";
  if (code === "ETIMEDOUT" || level === "client-timeout") {
    return `did not answer within ${timeoutMs / 1_000} s. Check its address, and that its firewall lets Longshore in.`;
  }
  return otherFailure;
}
