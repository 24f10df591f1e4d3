import type { Order } from "../../../data/orders.ts";
import { useOrganization } from "../../../data/organization.ts";
import { cloudNames } from "../../../data/providers.ts";
import { MonthlyPrice } from "../../../parts/monthly-price.tsx";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Link } from "../../../ui/link.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { OrderState, orderLooks } from "./order-state.tsx";

/** The states in which the provider bills an order, or what is left of it. */
const billed: readonly Order["state"][] = ["ordering", "active", "removing", "left", "released"];

const columns: Column<Order>[] = [
  { id: "server", label: "Server", render: (order) => <WhatWasOrdered order={order} /> },
  { id: "state", label: "State", render: (order) => <OrderState order={order} /> },
  {
    id: "price",
    label: "A month",
    phone: "labelled",
    render: ({ state, monthly_price_gross: gross, monthly_price_net: net, currency }) =>
      billed.includes(state) && <MonthlyPrice gross={gross} net={net} currency={currency} />,
  },
  { id: "at", label: "Ordered", phone: "labelled", render: ({ created_at }) => <Time at={created_at} /> },
];

/** What was ordered at providers, and what came of it. */
export function OrderList({ orders }: { orders: readonly Order[] }) {
  if (orders.length === 0) {
    return (
      <Empty title="No server was ordered yet">
        What is ordered with an account is listed here, also when it failed.
      </Empty>
    );
  }
  return <SmallTable label="Orders" columns={columns} rows={orders} rowKey={({ id }) => id} />;
}

function WhatWasOrdered({ order }: { order: Order }) {
  const { server_type: type, location, provider_type: cloud, error, price_problem: unpriced, state } = order;
  const { sentence } = orderLooks[state];
  return (
    <span className="flex min-w-0 flex-col py-1">
      <ServerName order={order} />
      <span className="text-meta text-text-2">
        {cloudNames[cloud]}, {location}, {type}
      </span>
      {error && <span className="text-bad text-meta [overflow-wrap:anywhere]">{error}</span>}
      {sentence && <span className="text-meta text-text-2">{sentence}</span>}
      {state === "failed" && <OrderAgain order={order} />}
      {unpriced && state === "active" && <span className="text-meta text-text-2">{unpriced}</span>}
      <Remaining order={order} />
    </span>
  );
}

function ServerName({ order: { server_id: id, server_name: name } }: { order: Order }) {
  const o = useOrganization();
  const text = (
    <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
      {name}
    </span>
  );
  return id === null ? (
    text
  ) : (
    <Link href={paths.server(o, id)} kind="quiet">
      {text}
    </Link>
  );
}

/** The setup of the server orders the machine again. */
function OrderAgain({ order: { server_id: id } }: { order: Order }) {
  const o = useOrganization();
  if (id === null) return null;
  return (
    <Link href={paths.server(o, id, "setup")} className="self-start text-meta">
      Order it again
    </Link>
  );
}

/** What is still at the provider, each with the reason. */
function Remaining({ order: { remaining } }: { order: Order }) {
  if (remaining.length === 0) return null;
  return (
    <ul aria-label="Still at the provider" className="list-disc pl-4 text-meta">
      {remaining.map(({ kind, id, location, reason }) => (
        <li key={`${kind} ${id}`} className="[overflow-wrap:anywhere]">
          {kind} <code>{id}</code> in {location}: <span className="text-bad">{reason}</span>
        </li>
      ))}
    </ul>
  );
}
