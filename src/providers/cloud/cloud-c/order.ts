import { type Static, Type } from "typebox";
import type { CloudAccess, CloudDriver, CloudServer, CloudServerState } from "../driver.ts";
import { goneServer } from "../driver.ts";
import { ensure } from "../ensure.ts";
import { callJson, findResource, type JsonApi, listJson, removeResource, sendJson } from "../json-api.ts";
import { checkRef, machineName } from "../names.ts";
import { Droplet, Firewall, nameOf, orderOfTags, orderTag, ownerTag, ReservedIp } from "./api.ts";

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
    const tag = orderTag(ref.key);
    const call = { method: "POST", path: "/firewalls", body: { name, tags: [tag], ...rules } } as const;
    const firewall = await ensure(
      { access, options: api.caller.options },
      {
        find: async () => (await listFirewalls(api, access)).find((each) => each.name === name),
        make: async () => {
          // Creating an existing tag changes nothing.
          await sendJson(api, access, { method: "POST", path: "/tags", body: { name: tag }, isRepeatable: true });
          return (await callJson(api, access, call, Type.Object({ firewall: Firewall }))).firewall;
        },
        existed: (error) => /already|duplicate|in use/i.test(error.message),
      },
    );
    return { id: firewall.id };
  };

export const listFirewalls = (api: JsonApi, access: CloudAccess) =>
  listJson(api, access, { call: { path: "/firewalls" }, name: "firewalls", item: Firewall });

/** The oldest first. */
export async function listDroplets(api: JsonApi, access: CloudAccess, tag: string) {
  const call = { path: "/droplets", query: { tag_name: tag } };
  const droplets = await listJson(api, access, { call, name: "droplets", item: Droplet });
  return droplets.sort((a, b) => a.id - b.id);
}

export const listReservedIps = (api: JsonApi, access: CloudAccess) =>
  listJson(api, access, { call: { path: "/reserved_ips" }, name: "reserved_ips", item: ReservedIp });

export const ensureServer =
  (api: JsonApi): CloudDriver["ensureServer"] =>
  async (access, order) => {
    checkRef(order);
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
    const call = { method: "POST", path: "/droplets", body } as const;
    return ensure(
      { access, options: api.caller.options },
      {
        // The provider has no key that makes an order unique: an order that took effect after our check leaves a second
        // server.
        find: async () => {
          const [first, ...others] = await listDroplets(api, access, orderTag(order.key));
          for (const { id } of others) await removeResource(api, access, { kind: "server", id: String(id) });
          return first && serverOf(first);
        },
        make: async () => serverOf((await callJson(api, access, call, Type.Object({ droplet: Droplet }))).droplet),
      },
    );
  };

export const getServer =
  (api: JsonApi): CloudDriver["getServer"] =>
  async (access, ref) => {
    const found = await findResource(api, access, { kind: "server", id: ref.id }, Type.Object({ droplet: Droplet }));
    return found ? serverOf(found.droplet) : goneServer(ref);
  };

const states: Record<string, CloudServerState> = { active: "running", off: "stopped", archive: "gone" };

export function serverOf(droplet: Static<typeof Droplet>): CloudServer {
  const addressOf = (type: string) => droplet.networks.v4?.find((each) => each.type === type)?.ip_address ?? null;
  const location = droplet.region.slug;
  return {
    id: String(droplet.id),
    location,
    orderKey: orderOfTags(droplet.tags),
    state: states[droplet.status] ?? "starting",
    problem: null,
    publicIp: addressOf("public"),
    privateIp: addressOf("private"),
    serverType: droplet.size_slug,
    isBusy: droplet.locked,
    resources: droplet.volume_ids.map((id) => ({ kind: "volume", id, location })),
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
        existed: (error) => /already/i.test(error.message),
      },
    );
    return { kind: "address", id: ip, location, ip };
  };
