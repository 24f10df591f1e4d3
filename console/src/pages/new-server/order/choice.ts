import type { CloudProvider, ServerRequest, ThisMachineServerRequest } from "../../../../../contract/types.ts";
import type { Snapshot } from "../../../data/snapshots.ts";
import { numberIn } from "../../../parts/form-text.ts";

type Provider = CloudProvider["provider_type"];

/** What is chosen so far, from the account down. */
export interface Choice {
  account: CloudProvider | undefined;
  location?: string | undefined;
  type?: string | undefined;
  /** Where the provider has them: a private network; of cloud_b a subnet. */
  network?: string | undefined;
  /** cloud_b: the size of the volume in GB, as typed. */
  volume: string;
  system: string;
  /** What is on its disk at first; the system is that of the snapshot. */
  snapshot?: Snapshot | undefined;
}

/** The fields of the API that hold the choice, which each provider calls by its own words. */
export const fieldsBy: Record<Provider, { location: string; type: string; network: string; volume?: string }> = {
  cloud_a: { location: "cloud_a_location", type: "cloud_a_server_type", network: "cloud_a_network" },
  cloud_b: {
    location: "cloud_b_region",
    type: "cloud_b_instance_type",
    network: "cloud_b_subnet_id",
    volume: "cloud_b_volume_size",
  },
  cloud_c: { location: "cloud_c_region", type: "cloud_c_size", network: "cloud_c_vpc_uuid" },
};

/** A request that orders: of a machine that is there, other things are asked. */
export type Order = Exclude<ServerRequest, ThisMachineServerRequest>;

/** The order so far as the API takes it; undefined while something is missing. */
export function orderOf(choice: Choice): Order | undefined {
  const { account, location, type, network, volume, system, snapshot } = choice;
  if (!account || !location || !type) return undefined;
  const names = fieldsBy[account.provider_type];
  if (names.volume && !network) return undefined;
  const order = {
    provider_type: account.provider_type,
    provider_id: account.id,
    server_os: snapshot?.server_os ?? system,
    ...(snapshot && { snapshot_id: snapshot.id }),
    [names.location]: location,
    [names.type]: type,
    ...(network && { [names.network]: network }),
    ...(names.volume && { [names.volume]: numberIn(volume) }),
  };
  return order as unknown as Order;
}
