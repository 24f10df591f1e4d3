import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { ServerCosts } from "../../../../../contract/types.ts";
import { prefetch } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { orders, serverCosts } from "../../../data/orders.ts";
import { useOrganization } from "../../../data/organization.ts";
import { usePageNumber } from "../../../data/page-number.ts";
import type { CloudProvider } from "../../../data/providers.ts";
import { providers } from "../../../data/servers.ts";
import { type Snapshot, snapshots } from "../../../data/snapshots.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { MonthlyPrice } from "../../../parts/monthly-price.tsx";
import { SnapshotTable } from "../../../parts/snapshots/snapshot-table.tsx";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/empty.tsx";
import { formatCount } from "../../../ui/format.ts";
import { Link } from "../../../ui/link.tsx";
import { Pager } from "../../../ui/pager.tsx";
import { PropertyStrip } from "../../../ui/properties.tsx";
import { Section } from "../../../ui/section.tsx";
import type { Column } from "../../../ui/small-table.tsx";
import { AccountRow } from "./account-row.tsx";
import { ConnectAccount } from "./connect-account.tsx";
import { OrderList } from "./order-list.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  return prefetch(providers(o), orders(o, 1), serverCosts(o));
};

/** Accounts at cloud providers with which servers are ordered, what was ordered, and what it costs. */
export function Component(): ReactNode {
  const o = useOrganization();
  const accounts = useQuery(providers(o));
  const costs = useQuery(serverCosts(o)).data?.data;
  const mayManage = useMay("organization:manage");
  return (
    <div className="flex flex-col gap-8">
      <Section
        title="Cloud accounts"
        description="Servers are ordered with them. The provider bills the account."
        actions={mayManage && <ConnectAccount />}
      >
        <Loaded query={accounts} what="The cloud accounts could not be read." rows={2}>
          {({ data }) => <AccountList accounts={data} />}
        </Loaded>
      </Section>
      {costs && costs.servers.length > 0 && (
        <Section title="Cost a month" description="With addresses and volumes, without traffic and backups.">
          <CostStrip costs={costs} />
        </Section>
      )}
      <Snapshots names={new Map(costs?.servers.map(({ id, name }) => [id, name]))} />
      <Orders />
    </div>
  );
}

function AccountList({ accounts }: { accounts: readonly CloudProvider[] }) {
  if (accounts.length === 0) {
    return (
      <Empty title="No cloud account is connected yet">
        With one, servers are ordered at Hetzner Cloud, AWS EC2 or DigitalOcean. Any other machine is connected by its
        address.
      </Empty>
    );
  }
  return (
    <ul aria-label="Cloud accounts" className="border-line border-t">
      {accounts.map((account) => (
        <AccountRow key={account.id} account={account} />
      ))}
    </ul>
  );
}

export function CostStrip({ costs: { totals, servers, unpriced_servers_count: unpriced } }: { costs: ServerCosts }) {
  const items = totals.map((total) => ({
    label: formatCount(total.servers_count, "server"),
    value: <MonthlyPrice gross={total.monthly_price_gross} net={total.monthly_price_net} currency={total.currency} />,
  }));
  const problems = servers.filter(({ price_problem }) => price_problem !== null);
  return (
    <>
      {items.length > 0 && <PropertyStrip items={items} />}
      {unpriced > 0 && (
        <ul aria-label="Servers without a price" className="text-text-2">
          {problems.map(({ id, name, price_problem }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              <bdi className="font-medium">{name}</bdi>: {price_problem}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Also of servers that were deleted: they are billed. */
function Snapshots({ names }: { names: ReadonlyMap<number, string> }) {
  const o = useOrganization();
  const found = useQuery(snapshots(o)).data ?? [];
  if (found.length === 0) return null;
  const server: Column<Snapshot> = {
    id: "server",
    label: "Server",
    render: ({ server_id: id }) =>
      id === null ? (
        <span className="text-text-2">Deleted</span>
      ) : (
        <Link href={paths.server(o, id, "settings")}>
          <bdi>{names.get(id) ?? `server ${id}`}</bdi>
        </Link>
      ),
  };
  return (
    <Section title="Snapshots" description="Billed by the provider until they are deleted.">
      <SnapshotTable snapshots={found} server={server} />
    </Section>
  );
}

function Orders() {
  const o = useOrganization();
  const page = usePageNumber();
  const query = useQuery({ ...orders(o, page), placeholderData: keepPreviousData });
  const here = paths.settings(o, "providers");
  return (
    <Section title="Orders">
      <Loaded query={query} what="The orders could not be read." rows={4}>
        {({ data, total_pages: pages }) => (
          <div>
            <OrderList orders={data} />
            <Pager
              later={page > 1 ? `${here}?page=${page - 1}` : undefined}
              earlier={page < pages ? `${here}?page=${page + 1}` : undefined}
            />
          </div>
        )}
      </Loaded>
    </Section>
  );
}
