import { useQuery } from "@tanstack/react-query";
import type { Planned, ServerRequest } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { messageOf } from "../../../api/errors.ts";
import type { Key } from "../../../data/cache.ts";
import { useOrganization } from "../../../data/organization.ts";
import { MonthlyPrice } from "../../../parts/monthly-price.tsx";
import { PropertyStrip } from "../../../ui/properties.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** What the whole order costs, with addresses and volumes: the API asks the provider, and orders nothing. */
export function Total({ order }: { order: ServerRequest }) {
  const organization = useOrganization();
  const queryKey: Key = [organization, "providers", null, "order", order];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const reply = await request("POST /api/v1/servers", {
        organization,
        body: order,
        query: { dry_run: true },
        signal,
      });
      return reply as unknown as Planned;
    },
  });
  if (error) return <p className="text-bad">{messageOf(error)}</p>;
  if (!data) return <Skeleton className="h-8 w-40" />;
  return <PropertyStrip items={[{ label: "Total a month", value: <Price reply={data} /> }]} />;
}

function Price({ reply }: { reply: Planned }) {
  const price = reply.plan.price;
  if (!price) return "Not known";
  return <MonthlyPrice gross={price.monthly_price_gross} net={price.monthly_price_net} currency={price.currency} />;
}
