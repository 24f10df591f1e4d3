import { isIP } from "node:net";
import type { Context } from "../../../context.ts";
import { type Script, sh } from "../../../host/sh.ts";
import { type CheckResult, isExpected, maxBodyBytes } from "./client.ts";
import { type CheckedMonitor, listAdvisers } from "./queries.ts";
import type { Reach } from "./reach.ts";

/** The result of another managed server. */
export interface Opinion {
  server: { id: number; name: string };
  isUp: boolean;
  status: number | null;
  message: string;
}

/** sshd allows ten sessions on a connection. */
const mostAtOnce = 8;
const marginMs = 5_000;

/**
 * Lets another managed server of the organization check the same address; undefined if there is none, none responds in time, or
 * the operator has switched this off.
 */
export class SecondOpinions {
  private readonly ctx: Pick<Context, "config" | "pool" | "hosts" | "log">;
  private active = 0;

  constructor(ctx: Pick<Context, "config" | "pool" | "hosts" | "log">) {
    this.ctx = ctx;
  }

  async ask(monitor: CheckedMonitor, result: CheckResult, mayReach: Reach): Promise<Opinion | undefined> {
    // An address out of reach is not requested through another server either.
    if (this.ctx.config.secondOpinion === "off" || result.error === "address_not_allowed") return undefined;
    if (this.active >= mostAtOnce) return undefined;
    this.active++;
    try {
      return await this.askServers(monitor, result, mayReach);
    } catch (error) {
      this.ctx.log.debug({ err: error, monitor: monitor.id }, "no second opinion");
      return undefined;
    } finally {
      this.active--;
    }
  }

  private async askServers(
    monitor: CheckedMonitor,
    result: CheckResult,
    mayReach: Reach,
  ): Promise<Opinion | undefined> {
    const advisers = await listAdvisers(this.ctx.pool, monitor, result.address ?? result.addresses?.[0] ?? null);
    for (const server of advisers) {
      const opinion = await this.askServer(server, monitor, result, mayReach).catch(() => undefined);
      if (opinion) return opinion;
    }
    return undefined;
  }

  private async askServer(
    server: Opinion["server"],
    monitor: CheckedMonitor,
    result: CheckResult,
    mayReach: Reach,
  ): Promise<Opinion | undefined> {
    const connection = await this.ctx.hosts.get(server.id);
    const timeoutMs = monitor.timeout_seconds * 1_000 + marginMs;
    const host = new URL(monitor.url).hostname;
    const addresses = isIP(host.replace(/^\[|\]$/g, "")) !== 0 ? [] : [...(result.addresses ?? [])];
    if (addresses.length === 0 && result.error === "dns_lookup_failed") {
      const { stdout } = await connection.exec(sh`getent ahosts ${host} | cut -d' ' -f1 | sort -u | head -n 20`, {
        timeoutMs,
      });
      addresses.push(...new Set(stdout.split("\n").filter((address) => isIP(address) !== 0)));
      if (addresses.length === 0) return { server, isUp: false, status: null, message: result.message };
      if (!addresses.every(mayReach)) return undefined;
    }
    const { stdout } = await connection.exec(requestOnce(monitor, addresses), { timeoutMs });
    return readOpinion(server, monitor, stdout);
  }
}

/**
 * One request with the limits of our own check, to the addresses that were checked here; prints the status and how curl ended.
 */
export function requestOnce(monitor: CheckedMonitor, addresses: readonly string[]): Script {
  const url = new URL(monitor.url);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const listed = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(",");
  const options = [
    ...["--silent", "--globoff", "--http1.1", "--noproxy", "*", "--proto", "=http,https"],
    ...["--max-time", String(monitor.timeout_seconds), "--user-agent", "Longshore-Monitor"],
    ...(monitor.method === "HEAD" ? ["--head"] : monitor.method === "POST" ? ["--data", ""] : []),
    ...(listed === "" ? [] : ["--resolve", `${url.hostname}:${port}:${listed}`]),
  ];
  return sh`
    {
      setpriv --reuid=65534 --regid=65534 --clear-groups -- curl --disable ${options} \\
        --write-out '%{stderr}status %{http_code}\\n' --url ${monitor.url} | head -c ${maxBodyBytes} > /dev/null
      echo "exit \${PIPESTATUS[0]}"
    } 2>&1`;
}

/** 23: the reader of curl's output closed it after enough of the body. */
const goodExits = new Set(["0", "23"]);

function readOpinion(server: Opinion["server"], monitor: CheckedMonitor, output: string): Opinion | undefined {
  const [, digits] = /^status (\d{3})$/m.exec(output) ?? [];
  const [, exit = ""] = /^exit (\d+)$/m.exec(output) ?? [];
  if (digits === undefined) return undefined;
  const status = Number(digits);
  if (status === 0 || !goodExits.has(exit)) {
    return { server, isUp: false, status: status || null, message: `${server.name} got no whole answer either.` };
  }
  const isUp = isExpected(status, monitor.expected_status);
  return { server, isUp, status, message: `${server.name} got the answer ${status}.` };
}
