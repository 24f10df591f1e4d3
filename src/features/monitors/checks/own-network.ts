import type { Context } from "../../../context.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { CheckResult } from "./client.ts";
import { networkOf, OwnOutage } from "./own-outage.ts";
import type { Watch, Watches } from "./watches.ts";

/** Monitors on other networks that are checked before a fall. */
const mostOthers = 5;
const mostLookMs = 5_000;

interface CheckTools {
  log: Context["log"];
  clock: Clock;
  watches: Watches;
  ask(watch: Watch, timeoutMs: number): Promise<CheckResult>;
}

/** Decides whether this process's own network is disturbed; until it has recovered, no monitor goes down. */
export class OwnNetwork {
  /** The start of the disturbance. */
  disturbedAt: number | undefined;
  private readonly tools: CheckTools;
  private readonly outage = new OwnOutage();

  constructor(tools: CheckTools) {
    this.tools = tools;
  }

  // Monitors that are already down or have never worked are no evidence of a local problem.
  sample(watch: Watch, { isUp, address, addresses }: CheckResult, at: number): void {
    const { monitor } = watch;
    watch.network = networkOf(new URL(monitor.url).hostname, address ?? addresses?.[0]);
    if (monitor.current_status !== "up") return;
    this.outage.record({ monitorId: monitor.id, network: watch.network, hasFailed: !isUp, at });
  }

  /** Whether a monitor that failed since `firstFailureAt` shows a disturbance of this process's network. */
  async isToBlame(watch: Watch, now: number): Promise<boolean> {
    if (this.disturbedAt !== undefined) return true;
    await this.checkOthers(watch);
    if (!this.outage.isSuspected(watch.firstFailureAt)) return false;
    if (this.disturbedAt === undefined) {
      this.disturbedAt = now;
      this.tools.log.error(
        "More than 30 % of the monitors failed together on three or more networks: the network of this machine seems to be " +
          "disturbed, and no monitor is reported as down until that is over",
      );
    }
    return true;
  }

  /** Ends the disturbance when the monitors that failed together respond. */
  refresh(now: number): void {
    if (this.disturbedAt === undefined || this.outage.isSuspected(now - 60_000)) return;
    this.disturbedAt = undefined;
    this.tools.log.warn("Monitors are judged again: what failed together answers");
  }

  /** If few other networks were seen since the first failure, checks one monitor on each of some others now. */
  private async checkOthers({ firstFailureAt, network }: Watch): Promise<void> {
    const seen = this.outage.networksSince(firstFailureAt).add(network ?? "");
    if (seen.size > mostOthers) return;
    const others: Watch[] = [];
    for (const other of this.tools.watches) {
      if (others.length === mostOthers) break;
      if (other.network === undefined || seen.has(other.network) || other.monitor.current_status !== "up") continue;
      if (other.unobservedReason !== undefined) continue;
      seen.add(other.network);
      others.push(other);
    }
    const at = this.tools.clock.now().getTime();
    const look = async (other: Watch): Promise<void> => {
      const result = await this.tools.ask(other, Math.min(mostLookMs, other.monitor.timeout_seconds * 1_000));
      if (result.error !== "not_checked") this.sample(other, result, at);
    };
    await Promise.all(others.map(look));
  }
}
