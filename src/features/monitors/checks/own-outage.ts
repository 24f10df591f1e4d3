import { isIP } from "node:net";
import { clientNetworkOf } from "../../../lib/addresses.ts";

interface Sample {
  monitorId: number;
  network: string;
  hasFailed: boolean;
  at: number;
}

const failingShare = 0.3;
const fewestNetworks = 3;
const keptMs = 120_000;

/**
 * Distinguishes a failure of this process's own network from failures of sites: more than 30 % of the monitors, on three or more
 * networks, began to fail together.
 */
export class OwnOutage {
  private samples: Sample[] = [];

  /** Records a result of a monitor that is not already down. */
  record(sample: Sample): void {
    this.samples.push(sample);
    const [oldest] = this.samples;
    // In large batches, so that it costs little.
    if (oldest && sample.at - oldest.at > 2 * keptMs) {
      this.samples = this.samples.filter(({ at }) => sample.at - at <= keptMs);
    }
  }

  /** The networks with a result since then. */
  networksSince(since: number): Set<string> {
    return new Set(this.samples.filter(({ at }) => at >= since).map(({ network }) => network));
  }

  isSuspected(since: number): boolean {
    const newest = new Map<number, Sample>();
    for (const sample of this.samples) if (sample.at >= since) newest.set(sample.monitorId, sample);
    const failed = [...newest.values()].filter(({ hasFailed }) => hasFailed);
    const networks = new Set(failed.map(({ network }) => network));
    return networks.size >= fewestNetworks && failed.length > failingShare * newest.size;
  }
}

/** The unit of common failures: the network of an address, or the last two labels of a name without one. */
export function networkOf(hostname: string, address: string | undefined): string {
  const host = hostname.replace(/^\[|\]$/g, "");
  const known = address ?? (isIP(host) === 0 ? undefined : host);
  if (known === undefined) return host.split(".").slice(-2).join(".");
  const network = clientNetworkOf(known);
  return isIP(network) === 4 ? network.split(".").slice(0, 2).join(".") : network.split(":").slice(0, 2).join(":");
}
