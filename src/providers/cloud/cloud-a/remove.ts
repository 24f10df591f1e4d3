import { type Static, Type } from "typebox";
import type { CloudAccess, CloudDriver, CloudThing, TaggedThing, ThingKind } from "../driver.ts";
import { callJson, type JsonApi } from "../json-api.ts";
import { free, isDecimal, priceOf } from "../prices.ts";
import { mergeThings, type Remover } from "../removal.ts";
import { deleteAt, find, Image, list, orderLabel, orderSelector, ownerLabel, Pricing, type Server } from "./api.ts";
import { currency } from "./catalogue.ts";
import { listFirewalls, listServers } from "./order.ts";

const paths: Record<ThingKind, string> = {
  server: "/servers",
  address: "/primary_ips",
  volume: "/volumes",
  firewall: "/firewalls",
  key: "/ssh_keys",
  image: "/images",
};

const pathOf = ({ kind, id }: Pick<CloudThing, "kind" | "id">): string => `${paths[kind]}/${encodeURIComponent(id)}`;

export const remover = (api: JsonApi): Remover => ({
  options: api.caller.options,
  listOrdered: async (access, ref, known) => {
    const selector = orderSelector(ref);
    const [servers, firewalls] = await Promise.all([
      listServers(api, access, selector),
      listFirewalls(api, access, selector),
    ]);
    return mergeThings(
      known,
      servers.flatMap(thingsOf),
      firewalls.map(({ id }): CloudThing => ({ kind: "firewall", id: String(id), location: ref.location })),
    );
  },
  remove: (access, thing) => deleteAt(api, access, pathOf(thing)),
  exists: async (access, thing) => (await find(api, access, pathOf(thing), Type.Object({}))) !== undefined,
});

function thingsOf({ id, location, public_net }: Static<typeof Server>): CloudThing[] {
  const addressIds = [public_net.ipv4?.id, public_net.ipv6?.id].filter((each) => each !== undefined);
  return [
    { kind: "server", id: String(id), location: location.name },
    ...addressIds.map((each): CloudThing => ({ kind: "address", id: String(each), location: location.name })),
  ];
}

export const removeImage =
  (api: JsonApi): CloudDriver["removeImage"] =>
  (access, { id }) =>
    deleteAt(api, access, pathOf({ kind: "image", id }));

export const listTagged =
  (api: JsonApi): CloudDriver["listTagged"] =>
  async (access, { owner, locations }) => {
    const selector = `${ownerLabel}==${owner}`;
    const images = { path: "/images", query: { type: "snapshot", label_selector: selector } };
    const [servers, firewalls, snapshots] = await Promise.all([
      listServers(api, access, selector),
      listFirewalls(api, access, selector),
      list(api, access, { call: images, name: "images", item: Image }),
    ]);
    const perGb = snapshots.length > 0 ? await imagePrice(api, access) : undefined;
    const things = [
      ...servers.map(taggedServer),
      ...firewalls.map(taggedFirewall),
      ...snapshots.map(
        (image): TaggedThing => ({
          kind: "image",
          id: String(image.id),
          location: "",
          name: image.description,
          orderKey: orderOf(image.labels),
          createdAt: image.created,
          monthlyPrice:
            perGb && image.image_size !== null
              ? priceOf(
                  (perGb.net * image.image_size).toFixed(4),
                  (perGb.gross * image.image_size).toFixed(4),
                  currency,
                )
              : null,
        }),
      ),
    ];
    // Firewalls and images belong to no location.
    return things.filter(({ kind, location }) => kind !== "server" || (locations?.includes(location) ?? true));
  };

const orderOf = (labels: Record<string, string> | undefined): string | null => labels?.[orderLabel] ?? null;

function taggedServer(server: Static<typeof Server>): TaggedThing {
  const location = server.location.name;
  const price = server.server_type.prices.find((each) => each.location === location)?.price_monthly;
  return {
    kind: "server",
    id: String(server.id),
    location,
    name: server.name,
    orderKey: orderOf(server.labels),
    createdAt: server.created,
    monthlyPrice:
      price && isDecimal(price.net) && isDecimal(price.gross) ? priceOf(price.net, price.gross, currency) : null,
  };
}

const taggedFirewall = (firewall: Awaited<ReturnType<typeof listFirewalls>>[number]): TaggedThing => ({
  kind: "firewall",
  id: String(firewall.id),
  location: "",
  name: firewall.name,
  orderKey: orderOf(firewall.labels),
  createdAt: firewall.created,
  monthlyPrice: free(currency),
});

async function imagePrice(api: JsonApi, access: CloudAccess): Promise<{ net: number; gross: number }> {
  const { pricing } = await callJson(api, access, { path: "/pricing" }, Pricing);
  const { net, gross } = pricing.image.price_per_gb_month;
  return { net: Number(net), gross: Number(gross) };
}
