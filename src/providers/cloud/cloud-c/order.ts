import { type Static, Type } from "typebox";
import type { CloudAccess, CloudAction, CloudDriver, CloudError, CloudServer, CloudServerState } from "../driver.ts";
import { goneServer } from "../driver.ts";
import { ensure, whileUnknown } from "../ensure.ts";
import { callJson, findResource, type JsonApi, listJson, removeResource, sendJson } from "../json-api.ts";
import { checkRef, machineName } from "../names.ts";
import { whenExists } from "../refusals.ts";
import { Action, Droplet, Firewall, nameOf, orderOfTags, orderTag, ownerTag, ReservedIp } from "./api.ts";

// The description knows a port, a range, and "0" for protocols without ports. "all" was refused at times.
const allPorts = "1-65535";
const anywhere = { addresses: ["0.0.0.0/0", "::/0"] };
const rules = {
  inbound_rules: ["22", "80", "443"].map((ports) => ({ protocol: "tcp", ports, sources: anywhere })),
  outbound_rules: [
    { protocol: "tcp", ports: allPorts, destinations: anywhere },
    { protocol: "udp", ports: allPorts, destinations: anywhere },
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
    const connection = { access, options: api.caller.options };
    const firewall = await ensure(connection, {
      find: async () => (await listFirewalls(api, access)).find((each) => each.name === name),
      make: async () => {
        // Creating an existing tag changes nothing.
        await sendJson(api, access, { method: "POST", path: "/tags", body: { name: tag }, isRepeatable: true });
        const make = () => callJson(api, access, call, Type.Object({ firewall: Firewall }));
        return (await whileUnknown(connection, make, isUnknown(/\btags?\b/i))).firewall;
      },
      existed: (error) => /already|duplicate|in use/i.test(error.message),
    });
    return { id: firewall.id };
  };

// What was made a moment ago is refused as missing, in words only, by a host that does not know it or its state yet.
const isUnknown =
  (what: RegExp) =>
  ({ code, permanent, message }: CloudError): boolean =>
    code === "not_found" ||
    (permanent &&
      what.test(message) &&
      /not (be )?(found|exist|active)|no such|does ?n.t exist|invalid|must be active/i.test(message));

export const listFirewalls = (api: JsonApi, access: CloudAccess) =>
  listJson(api, access, { call: { path: "/firewalls" }, name: "firewalls", item: Firewall });

/** Those of an order, all of which have to be readable, or of the installation. The oldest first. */
export async function listDroplets(api: JsonApi, access: CloudAccess, of: { owner: string } | { key: string }) {
  const tag = "key" in of ? orderTag(of.key) : ownerTag(of.owner);
  const call = { path: "/droplets", query: { tag_name: tag } };
  const reading = "key" in of ? "all" : "any";
  const droplets = await listJson(api, access, { call, name: "droplets", item: Droplet, reading });
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
        mayDouble: true,
        find: async () => {
          const [first, ...others] = await listDroplets(api, access, { key: order.key });
          for (const { id } of others) await removeResource(api, access, { kind: "server", id: String(id) });
          return first && serverOf(first);
        },
        make: async () => {
          const { droplet, links } = await callJson(api, access, call, Ordered);
          const action = links?.actions?.find(({ rel }) => rel === "create")?.id;
          return { ...serverOf(droplet), action: action === undefined ? null : String(action) };
        },
      },
    );
  };

const Links = Type.Object({
  actions: Type.Optional(
    Type.Array(Type.Object({ id: Type.Optional(Type.Integer()), rel: Type.Optional(Type.String()) })),
  ),
});
const Ordered = Type.Object({ droplet: Droplet, links: Type.Optional(Links) });

export const getServer =
  (api: JsonApi): CloudDriver["getServer"] =>
  async (access, ref) => {
    const found = await findResource(api, access, { kind: "server", id: ref.id }, Type.Object({ droplet: Droplet }));
    if (found) return serverOf(found.droplet);
    const action = ref.action ? await findAction(api)(access, ref, ref.action) : undefined;
    return { ...goneServer(ref), problem: action?.problem ?? null };
  };

const actionStates: Record<string, CloudAction["state"]> = {
  "in-progress": "running",
  completed: "succeeded",
  errored: "failed",
};

export const findAction =
  (api: JsonApi): CloudDriver["findAction"] =>
  async (access, { id }, action) => {
    const call = { path: `/droplets/${encodeURIComponent(id)}/actions/${encodeURIComponent(action)}` };
    const found = await whenExists(callJson(api, access, call, Type.Object({ action: Action })));
    const state = found && actionStates[found.action.status];
    return state && { state, problem: problemOf(found.action) };
  };

/** The provider gives no reason. */
export const problemOf = ({ status, type }: Static<typeof Action>): string | null =>
  status === "errored" ? `its action ${type} failed` : null;

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
    diskGb: droplet.disk ?? null,
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
    const connection = { access, options: api.caller.options };
    const make = async () => (await callJson(api, access, call, shape)).reserved_ip;
    const { ip } = await ensure(connection, {
      find: async () => (await listReservedIps(api, access)).find(({ droplet }) => droplet?.id === dropletId),
      make: () => whileUnknown(connection, make, isUnknown(/droplet/i)),
      existed: (error) => /already/i.test(error.message),
    });
    return { kind: "address", id: ip, location, ip };
  };
