import { type Static, Type } from "typebox";
import type { CloudAccess, CloudDriver, CloudResource, CloudServer, CloudServerState, OrderRef } from "../driver.ts";
import { CloudError, goneServer } from "../driver.ts";
import { ensure } from "../ensure.ts";
import { callJson, findResource, type JsonApi, listJson } from "../json-api.ts";
import { checkRef, machineName } from "../names.ts";
import { codeOf } from "../refusals.ts";
import { Firewall, labelsOf, orderLabel, orderSelector, Server } from "./api.ts";
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
        find: async () => (await listFirewalls(api, access, orderSelector(ref)))[0],
        make: async () => (await callJson(api, access, { method: "POST", path: "/firewalls", body }, shape)).firewall,
        existed: nameExists,
      },
    );
    return { id: String(firewall.id) };
  };

export const listFirewalls = (api: JsonApi, access: CloudAccess, selector: string) =>
  listJson(api, access, {
    call: { path: "/firewalls", query: { label_selector: selector } },
    name: "firewalls",
    item: Firewall,
  });

export const listServers = (api: JsonApi, access: CloudAccess, selector: string) =>
  listJson(api, access, {
    call: { path: "/servers", query: { label_selector: selector } },
    name: "servers",
    item: Server,
  });

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
    return ensure(
      { access, options: api.caller.options },
      {
        find: () => findServer(api, access, order),
        make: async () => serverOf((await callJson(api, access, call, Type.Object({ server: Server }))).server),
        existed: nameExists,
      },
    );
  };

async function findServer(api: JsonApi, access: CloudAccess, ref: OrderRef): Promise<CloudServer | undefined> {
  const [server] = await listServers(api, access, orderSelector(ref));
  return server && serverOf(server);
}

export const getServer =
  (api: JsonApi): CloudDriver["getServer"] =>
  async (access, ref) => {
    const found = await findResource(api, access, { kind: "server", id: ref.id }, Type.Object({ server: Server }));
    return found ? serverOf(found.server) : goneServer(ref);
  };

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
