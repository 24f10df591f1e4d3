import { isIP } from "node:net";
import type { Context } from "../../../context.ts";
import { clientNetworkOf } from "../../../lib/addresses.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { CheckResult } from "./client.ts";
import type { Watch, Watches } from "./watches.ts";

/** Monitors on other networks that are checked before a fall. */
const mostOthers = 5;
const mostRequestMs = 5_000;

interface LocalOutageDeps {
  log: Context["log"];
  clock: Clock;
  watches: Watches;
  request(watch: Watch, timeoutMs: number): Promise<CheckResult>;
}

/** Decides whether this process's own network fails; until it has recovered, no monitor goes down. */
export class LocalOutage {
  /** The start of the outage; undefined: there is none. */
  startedAt: number | undefined;
  private readonly deps: LocalOutageDeps;
  private readonly recent = new RecentResults();

  constructor(deps: LocalOutageDeps) {
    this.deps = deps;
  }

  // Monitors that are already down or have never worked are no evidence of a local problem.
  addResult(watch: Watch, { isUp, address, addresses }: CheckResult, at: number): void {
    const { monitor } = watch;
    watch.network = networkOf(new URL(monitor.url).hostname, address ?? addresses?.[0]);
    if (monitor.current_status !== "up") return;
    this.recent.add({ monitorId: monitor.id, network: watch.network, hasFailed: !isUp, at });
  }

  /** Whether this process's network, and not the site, is the probable cause of a monitor's failures. */
  async isSuspected(watch: Watch, now: number): Promise<boolean> {
    if (this.startedAt !== undefined) return true;
    await this.checkOthers(watch);
    if (!this.recent.failedTogether(watch.firstFailureAt)) return false;
    if (this.startedAt === undefined) {
      this.startedAt = now;
      this.deps.log.error(
        "More than 30 % of the monitors failed together on three or more networks: the network of this machine seems to be " +
          "disturbed, and no monitor is reported as down until that is over",
      );
    }
    return true;
  }

  /** Ends the outage when the monitors that failed together respond. */
  refresh(now: number): void {
    if (this.startedAt === undefined || this.recent.failedTogether(now - 60_000)) return;
    this.startedAt = undefined;
    this.deps.log.warn("Monitors are judged again: what failed together answers");
  }

  /** If few other networks were seen since the first failure, checks one monitor on each of some others now. */
  private async checkOthers({ firstFailureAt, network }: Watch): Promise<void> {
    const seen = this.recent.networksSince(firstFailureAt).add(network ?? "");
    if (seen.size > mostOthers) return;
    const others: Watch[] = [];
    for (const other of this.deps.watches) {
      if (others.length === mostOthers) break;
      if (other.network === undefined || seen.has(other.network) || other.monitor.current_status !== "up") continue;
      if (other.unobservedReason !== undefined) continue;
      seen.add(other.network);
      others.push(other);
    }
    const at = this.deps.clock.now().getTime();
    const check = async (other: Watch): Promise<void> => {
      const result = await this.deps.request(other, Math.min(mostRequestMs, other.monitor.timeout_seconds * 1_000));
      if (result.error !== "not_checked") this.addResult(other, result, at);
    };
    await Promise.all(others.map(check));
  }
}

interface RecentResult {
  monitorId: number;
  network: string;
  hasFailed: boolean;
  at: number;
}

const failingShare = 0.3;
const fewestNetworks = 3;
const keptMs = 120_000;

/** The results of the last minutes, of monitors that were not already down. */
export class RecentResults {
  private results: RecentResult[] = [];

  add(result: RecentResult): void {
    this.results.push(result);
    const [oldest] = this.results;
    // In large batches, so that it costs little.
    if (oldest && result.at - oldest.at > 2 * keptMs) {
      this.results = this.results.filter(({ at }) => result.at - at <= keptMs);
    }
  }

  /** The networks with a result since then. */
  networksSince(since: number): Set<string> {
    return new Set(this.results.filter(({ at }) => at >= since).map(({ network }) => network));
  }

  /** Whether more than 30 % of the monitors, on three or more networks, failed since then: sites do not fail like that. */
  failedTogether(since: number): boolean {
    const newest = new Map<number, RecentResult>();
    for (const result of this.results) if (result.at >= since) newest.set(result.monitorId, result);
    const failed = [...newest.values()].filter(({ hasFailed }) => hasFailed);
    const networks = new Set(failed.map(({ network }) => network));
    return networks.size >= fewestNetworks && failed.length > failingShare * newest.size;
  }
}

/** The unit of common failures: the network of an address, or the last two labels of a name without one. */
function networkOf(hostname: string, address: string | undefined): string {
  const host = hostname.replace(/^\[|\]$/g, "");
  const known = address ?? (isIP(host) === 0 ? undefined : host);
  if (known === undefined) return host.split(".").slice(-2).join(".");
  const network = clientNetworkOf(known);
  return isIP(network) === 4 ? network.split(".").slice(0, 2).join(".") : network.split(":").slice(0, 2).join(":");
}
