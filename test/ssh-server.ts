import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Writable } from "node:stream";
import ssh2 from "ssh2";
import type { Address } from "../src/host/ssh/connection.ts";
import { makeKeyPair } from "../src/host/ssh/key-pair.ts";

/** The server's answers; it never answers anything that is left out. */
export interface Answers {
  exec?: (command: string, channel: ssh2.ServerChannel, ended: AbortSignal) => void;
  /** The bytes of any file from an offset on; empty: the end. */
  read?: (offset: number, length: number) => Buffer;
}

export interface SshServer {
  address: Address;
  close: () => void;
}

const status = { ok: 0, endOfFile: 1 };

/** An SSH server in this process that accepts every key, for behaviour that no real server has. */
export async function sshServer({ exec, read }: Answers): Promise<SshServer> {
  const key = makeKeyPair("stand-in").privateKey;
  const clients = new Set<ssh2.Connection>();
  const server = new ssh2.Server({ hostKeys: [key] }, (client) => {
    clients.add(client);
    const ending = new AbortController();
    client.on("close", () => ending.abort());
    client.on("error", () => undefined);
    client.on("authentication", (context) => context.accept());
    client.on("session", (accept) => {
      const session = accept();
      session.on("exec", (acceptCommand, _reject, { command }) => exec?.(command, acceptCommand(), ending.signal));
      session.on("sftp", (acceptFiles) => serveFiles(acceptFiles(), read));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const client of clients) client.end();
    server.close();
  };
  return { address: { name: "stand-in", host: "127.0.0.1", port, privateKey: key }, close };
}

function serveFiles(files: ssh2.SFTPWrapper, read: Answers["read"]): void {
  files.on("REALPATH", (id) => files.name(id, [{ filename: "/", longname: "/", attrs: {} as ssh2.Attributes }]));
  files.on("OPEN", (id) => files.handle(id, Buffer.from("file")));
  files.on("CLOSE", (id) => files.status(id, status.ok));
  files.on("READ", (id, _handle, offset, length) => {
    const bytes = read?.(offset, length);
    if (bytes === undefined) return;
    if (bytes.length === 0) files.status(id, status.endOfFile);
    else files.data(id, bytes);
  });
}

interface Pouring {
  limit: number;
  ended: AbortSignal;
}

/**
 * Writes the same bytes at the pace of the other side until the connection ends, or `limit` bytes are written; returns
 * the number written.
 */
export async function pour(to: Writable, bytes: Buffer, { limit, ended }: Pouring): Promise<number> {
  let written = 0;
  while (written < limit && !ended.aborted) {
    written += bytes.length;
    if (!to.write(bytes)) await once(to, "drain", { signal: ended }).catch(() => undefined);
  }
  return written;
}
