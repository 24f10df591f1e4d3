import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, type RequestOptions, request, type Server } from "node:http";
import { request as requestSecurely } from "node:https";
import { type AddressInfo, createServer, type Server as SocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../../stage/free-port.ts";
import type { Site } from "../model.ts";
import { sharedByAllSites } from "../shared.ts";
import { nginxSite } from "../site.ts";

export interface Answer {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

/** nginx with the `nginx.conf` of a directory. It ends with this process, also when that is killed. */
export function startNginx(directory: string): ChildProcess {
  const words = ["--pdeathsig", "TERM", "nginx", "-p", directory, "-c", "nginx.conf", "-g", "daemon off;"];
  return spawn("setpriv", words, { stdio: "ignore" });
}

/** Of the main file, what the headers of requests may have: the sites rely on it. */
export const headerLimits =
  /^ *large_client_header_buffers .*;$/m.exec(readFileSync(new URL("../nginx.conf", import.meta.url), "utf8"))?.[0] ??
  "";

/** nginx of this machine with sites below a directory, on a free port. */
export class Nginx {
  readonly directory = mkdtempSync(join(tmpdir(), "longshore-nginx-"));
  private process: ChildProcess | undefined;
  /** The passes of what turns pages into Markdown; with `.sock` its socket. */
  readonly converter = join(this.directory, "markdown");
  port = 0;
  securePort = 0;

  write(sites: readonly (Site | string)[]): void {
    const text = sites
      .map((site) => (typeof site === "string" ? site : nginxSite(site)))
      .join("\n")
      .replaceAll("/run/longshore-markdown", this.converter)
      .replaceAll("listen 80;", `listen 127.0.0.1:${this.port};`);
    const conf = text
      .replaceAll(/listen \[::\]:\d+.*;\n/g, "")
      .replaceAll("listen 443 ssl", `listen 127.0.0.1:${this.securePort} ssl`);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    writeFileSync(
      join(this.directory, "nginx.conf"),
      `user root; pid ${this.directory}/pid; error_log ${this.directory}/error.log; events {} http {
       ${headerLimits}
       include /etc/nginx/mime.types; server_names_hash_max_size 4096; server_names_hash_bucket_size 512; variables_hash_max_size 2048;
       ${paths.map((name) => `${name}_temp_path ${this.directory}/${name};`).join(" ")}
       ${sharedByAllSites} ${conf} }`,
    );
  }

  test(): string {
    const result = spawnSync("nginx", ["-t", "-q", "-p", this.directory, "-c", "nginx.conf"], { encoding: "utf8" });
    return result.stderr;
  }

  async reservePorts(): Promise<void> {
    this.port = await freePort();
    this.securePort = await freePort();
  }

  async start(sites: readonly (Site | string)[]): Promise<void> {
    await this.reservePorts();
    this.write(sites);
    assert.equal(this.test(), "");
    this.process = startNginx(this.directory);
    while (!(await this.get("any.test", "/").catch(() => undefined))) await new Promise((next) => setTimeout(next, 20));
  }

  get(host: string, path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
    return ask(request, { port: this.port, path, method, headers: { ...headers, host } });
  }

  /** A visitor from another address of this machine. */
  getFrom(address: string, host: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return ask(request, { port: this.port, path, headers: { ...headers, host }, localAddress: address });
  }

  /** Over TLS, accepting any certificate. */
  getSecurely(host: string, path: string, headers: Record<string, string> = {}, from?: string): Promise<Answer> {
    const tls = { servername: host, rejectUnauthorized: false, ...(from && { localAddress: from }) };
    return ask(requestSecurely, { port: this.securePort, path, headers: { ...headers, host }, ...tls });
  }

  async stop(): Promise<void> {
    if (this.process) {
      const ended = new Promise((resolve) => this.process?.once("exit", resolve));
      this.process.kill("SIGTERM");
      await ended;
    }
    rmSync(this.directory, { recursive: true });
  }
}

function ask(by: typeof request, options: RequestOptions & { headers: Record<string, string> }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = by({ ...options, host: "127.0.0.1", agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (data) => {
        body += data;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
    });
    sent.on("error", reject).end(Buffer.alloc(Number(options.headers["content-length"] ?? 0)));
  });
}

export const listenOn = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

export function selfSigned(directory: string): { certificate: string; key: string } {
  const made = { certificate: `${directory}/cert.pem`, key: `${directory}/key.pem` };
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=x"];
  const { status } = spawnSync("openssl", ["req", "-x509", ...kind, "-keyout", made.key, "-out", made.certificate]);
  assert.equal(status, 0);
  return made;
}

/** Takes the place of PHP: answers with these headers, and with a page that it makes of the parameters of the request. */
export const answerFastcgi = (pageOf: (given: ReadonlyMap<string, string>) => string, headers = ""): SocketServer =>
  createServer((connection) => {
    let collected = Buffer.alloc(0);
    let parameters = Buffer.alloc(0);
    connection
      .on("error", () => connection.destroy())
      .on("data", (piece) => {
        collected = Buffer.concat([collected, piece]);
        while (collected.length >= 8 && collected.length >= 8 + collected.readUInt16BE(4) + collected.readUInt8(6)) {
          const [type, length] = [collected.readUInt8(1), collected.readUInt16BE(4)];
          const content = collected.subarray(8, 8 + length);
          collected = collected.subarray(8 + length + collected.readUInt8(6));
          if (type === 4) parameters = Buffer.concat([parameters, content]);
          if (type !== 5 || length > 0) continue;
          const page = Buffer.from(`Content-Type: text/html\r\n${headers}\r\n${pageOf(readParameters(parameters))}`);
          const pieces = Array.from({ length: Math.ceil(page.length / 32_768) }, (_, piece) =>
            fastcgi(6, page.subarray(piece * 32_768, (piece + 1) * 32_768)),
          );
          connection.end(Buffer.concat([...pieces, fastcgi(6, Buffer.alloc(0)), fastcgi(3, Buffer.alloc(8))]));
        }
      });
  });

function fastcgi(type: number, content: Buffer): Buffer {
  const head = Buffer.from([1, type, 0, 1, 0, 0, 0, 0]);
  head.writeUInt16BE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** The last one counts of those with the same name, as for PHP. */
function readParameters(data: Buffer): Map<string, string> {
  const read = new Map<string, string>();
  let at = 0;
  const length = (): number => {
    const first = data.readUInt8(at);
    at += first < 128 ? 1 : 4;
    return first < 128 ? first : data.readUInt32BE(at - 4) & 0x7fffffff;
  };
  while (at < data.length) {
    const [name, value] = [length(), length()];
    read.set(data.toString("latin1", at, at + name), data.toString("latin1", at + name, at + name + value));
    at += name + value;
  }
  return read;
}

/**
 * The directives of a text as nginx reads it, each with its depth, its name and the number of its words: two texts that differ in
 * their values alone have the same ones.
 */
export function directivesOf(text: string): string[] {
  const token = /\s+|#[^\n]*|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[;{}]|(?:\\[\s\S]|\$\{|[^\s;{\\])+/y;
  const found: string[] = [];
  let depth = 0;
  let words: string[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const [word = ""] = token.exec(text) ?? assert.fail(`nginx cannot read ${JSON.stringify(text.slice(at, at + 40))}`);
    if (/^[;{]$/.test(word)) {
      found.push(`${depth} ${words[0]?.replace(/^["'].*/s, "text")} ${words.length}${word}`);
      words = [];
      if (word === "{") depth++;
    } else if (word === "}") depth--;
    else if (!/^[\s#]/.test(word)) words.push(word);
  }
  return found;
}
