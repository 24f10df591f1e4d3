import { type Static, Type } from "typebox";
import type {
  CloudAccess,
  CloudAction,
  CloudDriver,
  CloudResource,
  CloudServer,
  CloudServerState,
  OrderRef,
} from "../driver.ts";
import { CloudError, goneServer } from "../driver.ts";
import { ensure, whileUnknown } from "../ensure.ts";
import { callJson, findResource, type JsonApi, listJson } from "../json-api.ts";
import { checkRef, machineName } from "../names.ts";
import { codeOf, quoted, whenExists } from "../refusals.ts";
import { Action, Firewall, labelsOf, orderLabel, Server, selectorOf } from "./api.ts";
import { label } from "./errors.ts";

// Names are unique in a project, so that an order sent twice is refused the second time (`uniqueness_error`).
const nameExists = (error: CloudError): boolean => codeOf(error) === "uniqueness_error";

const anywhere = ["0.0.0.0/0", "::/0"];
const inbound = [
  ...["22", "80", "443"].map((port) => ({ direction: "in", protocol: "tcp", port, source_ips: anywhere })),
  { direction: "in", protocol: "icmp", source_ips: anywhere },
];

export const ensureFirewall =
  (api: JsonApi): CloudDriver["ensureFirewall"] =>
  async (access, ref) => {
    checkRef(ref);
    const body = { name: `longshore-${ref.key}`, labels: labelsOf(ref), rules: inbound };
    const shape = Type.Object({ firewall: Firewall });
    const firewall = await ensure(
      { access, options: api.caller.options },
      {
        find: async () => (await listFirewalls(api, access, ref))[0],
        make: async () => (await callJson(api, access, { method: "POST", path: "/firewalls", body }, shape)).firewall,
        existed: nameExists,
      },
    );
    return { id: String(firewall.id) };
  };

/** Of an order, or of the installation. */
type Owned = { owner: string; key?: string };

const listOwned = (path: string, { owner, key }: Owned) =>
  ({
    call: { path, query: { label_selector: selectorOf(key === undefined ? { owner } : { owner, key }) } },
    reading: key === undefined ? "any" : "all",
  }) as const;

export const listFirewalls = (api: JsonApi, access: CloudAccess, of: Owned) =>
  listJson(api, access, { ...listOwned("/firewalls", of), name: "firewalls", item: Firewall });

export const listServers = (api: JsonApi, access: CloudAccess, of: Owned) =>
  listJson(api, access, { ...listOwned("/servers", of), name: "servers", item: Server });

export const ensureServer =
  (api: JsonApi): CloudDriver["ensureServer"] =>
  async (access, order) => {
    checkRef(order);
    const body = {
      name: machineName(order.name, order.key),
      location: order.location,
      server_type: order.serverType,
      image: order.image,
      labels: labelsOf(order),
      user_data: order.userData,
      public_net: { enable_ipv4: true, enable_ipv6: true },
      ...(order.network === null ? {} : { networks: [Number(order.network)] }),
      ...(order.firewallId === null ? {} : { firewalls: [{ firewall: Number(order.firewallId) }] }),
    };
    const call = { method: "POST", path: "/servers", body } as const;
    const connection = { access, options: api.caller.options };
    const make = async () => {
      const { server, action } = await callJson(api, access, call, Ordered);
      return { ...serverOf(server), action: action ? String(action.id) : null };
    };
    // The firewall was made a moment ago.
    const isUnknown = ({ code, field }: CloudError) =>
      order.firewallId !== null && (code === "not_found" || field === "firewall");
    return ensure(connection, {
      find: () => findServer(api, access, order),
      make: () => whileUnknown(connection, make, isUnknown),
      existed: nameExists,
    });
  };

const Ordered = Type.Object({ server: Server, action: Type.Optional(Type.Object({ id: Type.Integer() })) });

async function findServer(api: JsonApi, access: CloudAccess, ref: OrderRef): Promise<CloudServer | undefined> {
  const [server] = await listServers(api, access, ref);
  return server && serverOf(server);
}

export const getServer =
  (api: JsonApi): CloudDriver["getServer"] =>
  async (access, ref) => {
    const found = await findResource(api, access, { kind: "server", id: ref.id }, Type.Object({ server: Server }));
    if (found) return serverOf(found.server);
    const action = ref.action ? await findAction(api)(access, ref, ref.action) : undefined;
    return { ...goneServer(ref), problem: action?.problem ?? null };
  };

const actionStates: Record<string, CloudAction["state"]> = {
  running: "running",
  success: "succeeded",
  error: "failed",
};

export const findAction =
  (api: JsonApi): CloudDriver["findAction"] =>
  async (access, _ref, id) => {
    const call = { path: `/actions/${encodeURIComponent(id)}` };
    const found = await whenExists(callJson(api, access, call, Type.Object({ action: Action })));
    const state = found && actionStates[found.action.status];
    return state && { state, problem: problemOf(found.action) };
  };

export const problemOf = ({ error }: Static<typeof Action>): string | null =>
  error ? `${quoted(error.message)} (${quoted(error.code)})` : null;

const states: Record<string, CloudServerState> = { running: "running", off: "stopped" };

export function serverOf(server: Static<typeof Server>): CloudServer {
  const { ipv4, ipv6 } = server.public_net;
  const location = server.location.name;
  // The provider removes them with the server; Longshore checks that afterwards.
  const addressIds = [ipv4?.id, ipv6?.id].filter((id) => id !== undefined);
  return {
    id: String(server.id),
    location,
    orderKey: server.labels[orderLabel] ?? null,
    state: server.status === "deleting" ? "gone" : (states[server.status] ?? "starting"),
    problem: null,
    publicIp: ipv4?.ip ?? null,
    privateIp: server.private_net[0]?.ip ?? null,
    serverType: server.server_type.name,
    isBusy: server.locked,
    diskGb: server.primary_disk_size ?? null,
    resources: addressIds.map((id): CloudResource => ({ kind: "address", id: String(id), location })),
  };
}

// A server's address is always static.
export const ensureAddress =
  (api: JsonApi): CloudDriver["ensureAddress"] =>
  async (access, { serverId, location }) => {
    const server = await getServer(api)(access, { id: serverId, location });
    const [address] = server.resources;
    if (!address || server.publicIp === null) {
      throw new CloudError("unavailable", `The server has no address at ${label} yet.`, { retryAfterMs: 2_000 });
    }
    return { ...address, ip: server.publicIp };
  };
