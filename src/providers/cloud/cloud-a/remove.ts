import type { Static } from "typebox";
import type { CloudAccess, CloudDriver, CloudPrice, CloudResource, TaggedResource } from "../driver.ts";
import { type JsonApi, jsonRemover, listJson } from "../json-api.ts";
import { free, sumOf } from "../prices.ts";
import { mergeResources, type Remover, serverResources } from "../removal.ts";
import { Image, orderLabel, PrimaryIp, type Server, selectorOf } from "./api.ts";
import { listFirewalls, listServers, serverOf } from "./order.ts";
import { currency, listPrices, type Prices, priceOfImage, readPrice } from "./prices.ts";

export const remover = (api: JsonApi): Remover =>
  jsonRemover(api, {
    listOrdered: async (access, ref) => {
      const [servers, firewalls] = await Promise.all([listServers(api, access, ref), listFirewalls(api, access, ref)]);
      return mergeResources(
        servers.flatMap((server) => serverResources(serverOf(server))),
        firewalls.map(({ id }): CloudResource => ({ kind: "firewall", id: String(id), location: ref.location })),
      );
    },
  });

export const listTagged =
  (api: JsonApi): CloudDriver["listTagged"] =>
  async (access, { owner, locations }) => {
    const images = { path: "/images", query: { type: "snapshot", label_selector: selectorOf({ owner }) } };
    const [servers, firewalls, snapshots, addresses] = await Promise.all([
      listServers(api, access, { owner }),
      listFirewalls(api, access, { owner }),
      listJson(api, access, { call: images, name: "images", item: Image }),
      listLoose(api, access),
    ]);
    const isPriced = servers.length + snapshots.length + addresses.length > 0;
    const prices: Prices = isPriced ? await listPrices(api, access) : { address: {}, image: undefined };
    const resources = [
      ...servers.map((server) => taggedServer(server, prices)),
      ...firewalls.map(taggedFirewall),
      ...snapshots.map((image) => taggedImage(image, prices)),
      ...addresses.map((address) => looseAddress(address, prices)),
    ];
    // Firewalls and images belong to no location.
    return resources.filter(({ location }) => location === "" || (locations?.includes(location) ?? true));
  };

// An address is made and deleted with its server, and has no labels. It stays when the server is deleted without it.
async function listLoose(api: JsonApi, access: CloudAccess): Promise<Static<typeof PrimaryIp>[]> {
  const all = await listJson(api, access, { call: { path: "/primary_ips" }, name: "primary_ips", item: PrimaryIp });
  return all.filter(({ assignee_id }) => assignee_id == null);
}

function looseAddress({ id, name, type, created, location }: Static<typeof PrimaryIp>, prices: Prices): TaggedResource {
  const place = location?.name ?? "";
  const monthlyPrice = type === "ipv4" ? (prices.address[place] ?? null) : free(currency);
  const common = { kind: "address", id: String(id), location: place, orderKey: null } as const;
  return { ...common, name: name ?? null, createdAt: created ?? null, monthlyPrice, isLoose: true };
}

const orderOf = (labels: Record<string, string> | undefined): string | null => labels?.[orderLabel] ?? null;

function taggedServer(server: Static<typeof Server>, prices: Prices): TaggedResource {
  const location = server.location.name;
  return {
    kind: "server",
    id: String(server.id),
    location,
    name: server.name,
    orderKey: orderOf(server.labels),
    createdAt: server.created,
    monthlyPrice: priceOfServer(server, prices.address[location]),
  };
}

/** With its IPv4 address, which is billed apart. */
function priceOfServer(server: Static<typeof Server>, address: CloudPrice | undefined): CloudPrice | null {
  const location = server.location.name;
  const price = readPrice(server.server_type.prices.find((each) => each.location === location)?.price_monthly);
  if (!price || server.public_net.ipv4 === null) return price ?? null;
  return address ? sumOf([price, address], currency) : null;
}

const taggedFirewall = (firewall: Awaited<ReturnType<typeof listFirewalls>>[number]): TaggedResource => ({
  kind: "firewall",
  id: String(firewall.id),
  location: "",
  name: firewall.name,
  orderKey: orderOf(firewall.labels),
  createdAt: firewall.created,
  monthlyPrice: free(currency),
});

const taggedImage = (image: Static<typeof Image>, prices: Prices): TaggedResource => ({
  kind: "image",
  id: String(image.id),
  location: "",
  name: image.description,
  orderKey: orderOf(image.labels),
  createdAt: image.created,
  monthlyPrice: priceOfImage(prices, image.image_size),
});
