import type { Static } from "typebox";
import type { CloudDriver, CloudResource, TaggedResource } from "../driver.ts";
import { callJson, type JsonApi, jsonRemover, listJson } from "../json-api.ts";
import { free, isDecimal, priceOf } from "../prices.ts";
import { mergeResources, type Remover, serverResources } from "../removal.ts";
import { Image, orderLabel, orderSelector, ownerLabel, Pricing, type Server } from "./api.ts";
import { currency } from "./catalogue.ts";
import { listFirewalls, listServers, serverOf } from "./order.ts";

export const remover = (api: JsonApi): Remover =>
  jsonRemover(api, async (access, ref, known) => {
    const selector = orderSelector(ref);
    const [servers, firewalls] = await Promise.all([
      listServers(api, access, selector),
      listFirewalls(api, access, selector),
    ]);
    return mergeResources(
      known,
      servers.flatMap((server) => serverResources(serverOf(server))),
      firewalls.map(({ id }): CloudResource => ({ kind: "firewall", id: String(id), location: ref.location })),
    );
  });

export const listTagged =
  (api: JsonApi): CloudDriver["listTagged"] =>
  async (access, { owner, locations }) => {
    const selector = `${ownerLabel}==${owner}`;
    const images = { path: "/images", query: { type: "snapshot", label_selector: selector } };
    const [servers, firewalls, snapshots] = await Promise.all([
      listServers(api, access, selector),
      listFirewalls(api, access, selector),
      listJson(api, access, { call: images, name: "images", item: Image }),
    ]);
    const pricing = snapshots.length > 0 ? await callJson(api, access, { path: "/pricing" }, Pricing) : undefined;
    const perGb = pricing?.pricing.image.price_per_gb_month;
    const times = (price: string, sizeGb: number) => (Number(price) * sizeGb).toFixed(4);
    const resources = [
      ...servers.map(taggedServer),
      ...firewalls.map(taggedFirewall),
      ...snapshots.map(
        (image): TaggedResource => ({
          kind: "image",
          id: String(image.id),
          location: "",
          name: image.description,
          orderKey: orderOf(image.labels),
          createdAt: image.created,
          monthlyPrice:
            perGb && image.image_size !== null
              ? priceOf(times(perGb.net, image.image_size), times(perGb.gross, image.image_size), currency)
              : null,
        }),
      ),
    ];
    // Firewalls and images belong to no location.
    return resources.filter(({ kind, location }) => kind !== "server" || (locations?.includes(location) ?? true));
  };

const orderOf = (labels: Record<string, string> | undefined): string | null => labels?.[orderLabel] ?? null;

function taggedServer(server: Static<typeof Server>): TaggedResource {
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

const taggedFirewall = (firewall: Awaited<ReturnType<typeof listFirewalls>>[number]): TaggedResource => ({
  kind: "firewall",
  id: String(firewall.id),
  location: "",
  name: firewall.name,
  orderKey: orderOf(firewall.labels),
  createdAt: firewall.created,
  monthlyPrice: free(currency),
});
