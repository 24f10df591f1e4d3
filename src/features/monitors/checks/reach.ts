import type { Context } from "../../../context.ts";
import { addressIn, isPublicAddress, isServerAddress, outboundReach } from "../../../lib/addresses.ts";
import { type CheckedMonitor, listAddresses } from "./queries.ts";

export type Reach = (address: string) => boolean;

/** Whether an address may be checked: what users may choose, what the operator allows, and the organization's own servers. */
export const mayCheck = (allowedNetworks: readonly string[], serverAddresses: readonly string[]): Reach =>
  outboundReach([...allowedNetworks, ...serverAddresses]);

/**
 * What another managed server may be asked to request: the internet, and the organization's servers. Any other address, also one
 * that the operator allows here, means another machine there.
 */
export function mayAskElsewhere(serverAddresses: readonly string[]): Reach {
  const isServer = addressIn(serverAddresses);
  return (address) => isPublicAddress(address) || (isServer(address) && isServerAddress(address, []));
}

/** The addresses that the monitors of each organization may reach: none until they are loaded. */
export class Reaches {
  private readonly ctx: Pick<Context, "config" | "pool">;
  private readonly reaches = new Map<number, { here: Reach; elsewhere: Reach }>();

  constructor(ctx: Pick<Context, "config" | "pool">) {
    this.ctx = ctx;
  }

  async load(monitors: readonly CheckedMonitor[]): Promise<void> {
    const organizations = [...new Set(monitors.map(({ organization_id }) => organization_id))];
    const addresses = Map.groupBy(await listAddresses(this.ctx.pool, organizations), (each) => each.organization_id);
    for (const id of organizations) {
      const ofServers = (addresses.get(id) ?? []).map(({ address }) => address);
      const here = mayCheck(this.ctx.config.monitorAllow, ofServers);
      this.reaches.set(id, { here, elsewhere: mayAskElsewhere(ofServers) });
    }
  }

  of({ organization_id }: CheckedMonitor): Reach {
    return this.reaches.get(organization_id)?.here ?? (() => false);
  }

  /** The same for requests of another managed server. */
  elsewhere({ organization_id }: CheckedMonitor): Reach {
    return this.reaches.get(organization_id)?.elsewhere ?? (() => false);
  }
}
