import { isIP } from "node:net";
import type { Context } from "../../../context.ts";
import { type Script, sh } from "../../../host/sh.ts";
import { maxBodyBytes } from "./answer.ts";
import { type Addresses, type CheckResult, isExpected } from "./client.ts";
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
 * Lets another managed server of the organization check the same address; undefined if there is none, none responds in time, the
 * addresses of the name are not known, or the operator has switched this off.
 */
export class SecondOpinions {
  private readonly ctx: Pick<Context, "config" | "pool" | "hosts" | "log">;
  private active = 0;

  constructor(ctx: Pick<Context, "config" | "pool" | "hosts" | "log">) {
    this.ctx = ctx;
  }

  /** `mayAsk`: what another server may be asked to request. */
  async ask(monitor: CheckedMonitor, result: CheckResult, mayAsk: Reach): Promise<Opinion | undefined> {
    const { addresses } = result;
    // Only what was resolved and checked here is requested elsewhere: there, a name may lead anywhere.
    if (this.ctx.config.secondOpinion === "off" || !addresses?.every(mayAsk)) return undefined;
    if (this.active >= mostAtOnce) return undefined;
    this.active++;
    try {
      return await this.askServers(monitor, addresses);
    } catch (error) {
      this.ctx.log.debug({ err: error, monitor: monitor.id }, "no second opinion");
      return undefined;
    } finally {
      this.active--;
    }
  }

  private async askServers(monitor: CheckedMonitor, addresses: Addresses): Promise<Opinion | undefined> {
    for (const server of await listAdvisers(this.ctx.pool, monitor, addresses)) {
      const opinion = await this.askServer(server, monitor, addresses).catch(() => undefined);
      if (opinion) return opinion;
    }
    return undefined;
  }

  private async askServer(
    server: Opinion["server"],
    monitor: CheckedMonitor,
    addresses: Addresses,
  ): Promise<Opinion | undefined> {
    const connection = await this.ctx.hosts.get(server.id);
    const timeoutMs = monitor.timeout_seconds * 1_000 + marginMs;
    const { stdout } = await connection.exec(requestOnce(monitor, addresses), { timeoutMs });
    return readOpinion(server, monitor, stdout);
  }
}

/** curl looks this name up in place of the URL's, whichever way that is written; it has the checked addresses alone. */
const checkedName = "checked-by-longshore.invalid";

/**
 * One request with the limits of our own check, to the addresses that were checked here; prints the status and how curl ended.
 */
export function requestOnce(
  monitor: Pick<CheckedMonitor, "url" | "method" | "timeout_seconds">,
  addresses: Addresses,
): Script {
  const url = new URL(monitor.url);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const listed = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(",");
  const options = [
    ...["--silent", "--globoff", "--http1.1", "--noproxy", "*", "--proto", "=http,https"],
    ...["--max-time", String(monitor.timeout_seconds), "--user-agent", "Longshore-Monitor"],
    ...(monitor.method === "HEAD" ? ["--head"] : monitor.method === "POST" ? ["--data", ""] : []),
    ...["--connect-to", `::${checkedName}:${port}`, "--resolve", `${checkedName}:${port}:${listed}`],
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
    return { server, isUp: false, status: status || null, message: "It got no whole answer either." };
  }
  const isUp = isExpected(status, monitor.expected_status);
  return { server, isUp, status, message: `It got the answer ${status}.` };
}
