import { type Static, Type } from "typebox";
import type { CloudAccess, CloudDriver, CloudServer, CloudServerState, ServerOrder } from "../driver.ts";
import { CloudError } from "../driver.ts";
import { ensure } from "../ensure.ts";
import { callJson, type JsonApi, sendJson } from "../json-api.ts";
import { checkRef, machineName } from "../names.ts";
import { Droplet, deleteAt, Firewall, find, list, nameOf, orderOfTags, orderTag, ownerTag, ReservedIp } from "./api.ts";

const anywhere = { addresses: ["0.0.0.0/0", "::/0"] };
const rules = {
  inbound_rules: ["22", "80", "443"].map((ports) => ({ protocol: "tcp", ports, sources: anywhere })),
  outbound_rules: [
    { protocol: "tcp", ports: "all", destinations: anywhere },
    { protocol: "udp", ports: "all", destinations: anywhere },
    { protocol: "icmp", ports: "0", destinations: anywhere },
  ],
};

// The firewall applies to droplets with the order's tag, so that the server is never without it. Names are unique.
export const ensureFirewall =
  (api: JsonApi): CloudDriver["ensureFirewall"] =>
  async (access, ref) => {
    checkRef(ref);
    const name = nameOf(ref);
    const firewall = await ensure(
      { access, options: api.caller.options },
      {
        find: async () => (await listFirewalls(api, access)).find((each) => each.name === name),
        make: () => createFirewall(api, access, { name, tag: orderTag(ref.key) }),
        existed: (error) => /already|duplicate|in use/i.test(error.message),
      },
    );
    return { id: firewall.id };
  };

async function createFirewall(api: JsonApi, access: CloudAccess, { name, tag }: { name: string; tag: string }) {
  // Creating an existing tag changes nothing.
  await sendJson(api, access, { method: "POST", path: "/tags", body: { name: tag }, isRepeatable: true });
  const call = { method: "POST", path: "/firewalls", body: { name, tags: [tag], ...rules } } as const;
  return (await callJson(api, access, call, Type.Object({ firewall: Firewall }))).firewall;
}

export const listFirewalls = (api: JsonApi, access: CloudAccess) =>
  list(api, access, { call: { path: "/firewalls" }, name: "firewalls", item: Firewall });

export const listDroplets = (api: JsonApi, access: CloudAccess, tag: string) =>
  list(api, access, { call: { path: "/droplets", query: { tag_name: tag } }, name: "droplets", item: Droplet });

export const listReservedIps = (api: JsonApi, access: CloudAccess) =>
  list(api, access, { call: { path: "/reserved_ips" }, name: "reserved_ips", item: ReservedIp });

export const ensureServer =
  (api: JsonApi): CloudDriver["ensureServer"] =>
  async (access, order) => {
    checkRef(order);
    return ensure(
      { access, options: api.caller.options },
      { find: () => keepFirst(api, access, order.key), make: () => createDroplet(api, access, order) },
    );
  };

// The provider has no key that makes an order unique: an order that took effect after our check leaves a second server.
async function keepFirst(api: JsonApi, access: CloudAccess, key: string): Promise<CloudServer | undefined> {
  const droplets = (await listDroplets(api, access, orderTag(key))).sort((a, b) => a.id - b.id);
  const [first, ...others] = droplets;
  for (const { id } of others) await deleteAt(api, access, `/droplets/${id}`);
  return first && serverOf(first);
}

async function createDroplet(api: JsonApi, access: CloudAccess, order: ServerOrder): Promise<CloudServer> {
  const body = {
    name: machineName(order.name, order.key),
    region: order.location,
    size: order.serverType,
    // Custom images have numbers, the provider's have names.
    image: /^\d+$/.test(order.image) ? Number(order.image) : order.image,
    tags: [ownerTag(order.owner), orderTag(order.key)],
    user_data: order.userData,
    with_droplet_agent: false,
    ...(order.network === null ? {} : { vpc_uuid: order.network }),
  };
  const shape = Type.Object({ droplet: Droplet });
  return serverOf((await callJson(api, access, { method: "POST", path: "/droplets", body }, shape)).droplet);
}

export const findServer =
  (api: JsonApi): CloudDriver["findServer"] =>
  async (access, { key }) => {
    const [first] = (await listDroplets(api, access, orderTag(key))).sort((a, b) => a.id - b.id);
    return first && serverOf(first);
  };

export const getServer =
  (api: JsonApi): CloudDriver["getServer"] =>
  async (access, { id, location }) => {
    const found = await find(api, access, `/droplets/${encodeURIComponent(id)}`, Type.Object({ droplet: Droplet }));
    return found ? serverOf(found.droplet) : { ...blank, id, location, state: "gone" };
  };

const blank: Omit<CloudServer, "id" | "location" | "state"> = {
  orderKey: null,
  problem: null,
  publicIp: null,
  privateIp: null,
  serverType: "",
  isBusy: false,
  isDeleteProtected: false,
  things: [],
};

const states: Record<string, CloudServerState> = { active: "running", off: "stopped", archive: "gone" };

function serverOf(droplet: Static<typeof Droplet>): CloudServer {
  const addressOf = (type: string) => droplet.networks.v4?.find((each) => each.type === type)?.ip_address ?? null;
  const location = droplet.region.slug;
  return {
    ...blank,
    id: String(droplet.id),
    location,
    orderKey: orderOfTags(droplet.tags),
    state: states[droplet.status] ?? "starting",
    publicIp: addressOf("public"),
    privateIp: addressOf("private"),
    serverType: droplet.size_slug,
    isBusy: droplet.locked,
    things: droplet.volume_ids.map((id) => ({ kind: "volume", id, location })),
  };
}

// The address is created for the droplet, and attached a moment later.
export const ensureAddress =
  (api: JsonApi): CloudDriver["ensureAddress"] =>
  async (access, { serverId, location }) => {
    const dropletId = Number(serverId);
    const call = { method: "POST", path: "/reserved_ips", body: { droplet_id: dropletId } } as const;
    const shape = Type.Object({ reserved_ip: ReservedIp });
    const { ip } = await ensure(
      { access, options: api.caller.options },
      {
        find: async () => (await listReservedIps(api, access)).find(({ droplet }) => droplet?.id === dropletId),
        make: async () => (await callJson(api, access, call, shape)).reserved_ip,
        existed: (error) => error instanceof CloudError && /already/i.test(error.message),
      },
    );
    return { kind: "address", id: ip, location, ip };
  };
