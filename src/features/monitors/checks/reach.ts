import type { Context } from "../../../context.ts";
import { addressIn, isPublicAddress, ownAddressTest } from "../../../lib/addresses.ts";
import { type CheckedMonitor, listAddresses } from "./queries.ts";

export type Reach = (address: string) => boolean;

/**
 * Whether an address may be checked: public addresses that are not this machine's, those that the operator allows, and the
 * organization's own servers. All others may be in the control plane's network.
 */
export function mayCheck(allowedNetworks: readonly string[], serverAddresses: readonly string[]): Reach {
  const isExcepted = addressIn([...allowedNetworks, ...serverAddresses]);
  const isOwn = ownAddressTest();
  return (address) => isExcepted(address) || (isPublicAddress(address) && !isOwn(address));
}

/** The addresses that the monitors of each organization may reach: none until they are loaded. */
export class Reaches {
  private readonly ctx: Pick<Context, "config" | "pool">;
  private readonly reaches = new Map<number, Reach>();

  constructor(ctx: Pick<Context, "config" | "pool">) {
    this.ctx = ctx;
  }

  async load(monitors: readonly CheckedMonitor[]): Promise<void> {
    const organizations = [...new Set(monitors.map(({ organization_id }) => organization_id))];
    const addresses = Map.groupBy(await listAddresses(this.ctx.pool, organizations), (each) => each.organization_id);
    for (const id of organizations) {
      const ofServers = (addresses.get(id) ?? []).map(({ address }) => address);
      this.reaches.set(id, mayCheck(this.ctx.config.monitorAllow, ofServers));
    }
  }

  of({ organization_id }: CheckedMonitor): Reach {
    return this.reaches.get(organization_id) ?? (() => false);
  }
}
