import type { Static } from "typebox";
import type { CloudAccess, CloudDriver, CloudResource, TaggedResource } from "../driver.ts";
import { type JsonApi, jsonRemover, listJson, sendJson } from "../json-api.ts";
import { decimalOfNumber, free, netPrice, timesOf } from "../prices.ts";
import { mergeResources, type Remover, serverResources } from "../removal.ts";
import { type Droplet, Image, nameOf, orderOfName, orderOfTags, orderTag, ownerTag, type ReservedIp } from "./api.ts";
import { currency } from "./catalogue.ts";
import { listDroplets, listFirewalls, listReservedIps, serverOf } from "./order.ts";

export const remover = (api: JsonApi): Remover =>
  jsonRemover(api, {
    listOrdered: async (access, ref, known) => {
      const [droplets, addresses, firewalls] = await Promise.all([
        listDroplets(api, access, { key: ref.key }),
        listReservedIps(api, access),
        listFirewalls(api, access),
      ]);
      // An address has no tag: it is found by its droplet, before the droplet is deleted.
      const ids = new Set([
        ...droplets.map(({ id }) => id),
        ...known.filter(({ kind }) => kind === "server").map(({ id }) => Number(id)),
      ]);
      return mergeResources(
        droplets.flatMap((droplet) => serverResources(serverOf(droplet))),
        addresses.filter(({ droplet }) => droplet?.id !== undefined && ids.has(droplet.id)).map(addressOf),
        firewalls
          .filter(({ name }) => name === nameOf(ref))
          .map(({ id }) => ({ kind: "firewall", id, location: ref.location })),
      );
    },
    tidy: async (access, { key }) => {
      await sendJson(api, access, { method: "DELETE", path: `/tags/${orderTag(key)}` });
    },
  });

const addressOf = ({ ip, region }: Static<typeof ReservedIp>): CloudResource => ({
  kind: "address",
  id: ip,
  location: region?.slug ?? "",
});

/** Custom images; the API cannot filter them by name. */
export const listImages = (api: JsonApi, access: CloudAccess) =>
  listJson(api, access, { call: { path: "/images", query: { private: "true" } }, name: "images", item: Image });

export const listTagged =
  (api: JsonApi): CloudDriver["listTagged"] =>
  async (access, { owner, locations }) => {
    const [droplets, addresses, firewalls, images] = await Promise.all([
      listDroplets(api, access, { owner }),
      listReservedIps(api, access),
      listFirewalls(api, access),
      listImages(api, access),
    ]);
    const resources = [
      ...droplets.map(taggedDroplet),
      ...addresses.filter(({ droplet }) => droplet?.tags?.includes(ownerTag(owner))).map(taggedAddress),
      ...addresses.filter(({ droplet }) => droplet?.id === undefined).map(looseAddress),
      ...firewalls.flatMap((firewall) => taggedFirewall(firewall, owner)),
      ...images.flatMap((image) => taggedImage(image, owner)),
    ];
    // Firewalls and images belong to no location.
    return resources.filter(({ location }) => location === "" || (locations?.includes(location) ?? true));
  };

const taggedDroplet = (droplet: Static<typeof Droplet>): TaggedResource => ({
  kind: "server",
  id: String(droplet.id),
  location: droplet.region.slug,
  name: droplet.name,
  orderKey: orderOfTags(droplet.tags),
  createdAt: droplet.created_at,
  monthlyPrice: netPrice(decimalOfNumber(droplet.size.price_monthly), currency),
});

// An attached address is free of charge.
const taggedAddress = (address: Static<typeof ReservedIp>): TaggedResource => ({
  ...addressOf(address),
  name: null,
  orderKey: orderOfTags(address.droplet?.tags ?? []),
  createdAt: null,
  monthlyPrice: free(currency),
});

// An unattached one names no droplet, and so no order. It costs 5 USD a month; no API returns this price.
const looseAddress = (address: Static<typeof ReservedIp>): TaggedResource => ({
  ...addressOf(address),
  name: null,
  orderKey: null,
  createdAt: null,
  monthlyPrice: netPrice("5.00", currency),
  isLoose: true,
});

function taggedFirewall(
  { id, name, created_at }: Awaited<ReturnType<typeof listFirewalls>>[number],
  owner: string,
): TaggedResource[] {
  const orderKey = orderOfName(name, owner);
  if (orderKey === undefined) return [];
  const createdAt = created_at ?? null;
  return [{ kind: "firewall", id, location: "", name, orderKey, createdAt, monthlyPrice: free(currency) }];
}

// Snapshots cost 0.06 USD per GB and month; no API returns this price.
const imagePricePerGb = "0.06";

function taggedImage({ id, name, created_at, size_gigabytes }: Static<typeof Image>, owner: string): TaggedResource[] {
  const orderKey = orderOfName(name, owner);
  if (orderKey === undefined) return [];
  const size = size_gigabytes ?? undefined;
  const monthlyPrice = size === undefined ? null : timesOf(imagePricePerGb, Math.ceil(size), currency);
  return [{ kind: "image", id: String(id), location: "", name, orderKey, createdAt: created_at ?? null, monthlyPrice }];
}
