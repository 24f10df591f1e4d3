import type { OrphanedResourceList } from "../../../../../contract/types.ts";
import type { Orphan } from "../../../data/providers.ts";
import { MonthlyPrice } from "../../../parts/monthly-price.tsx";
import { formatCount } from "../../../ui/format.ts";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";

const columns: Column<Orphan>[] = [
  {
    id: "resource",
    label: "Resource",
    render: ({ kind, id, name }) => (
      <span className="[overflow-wrap:anywhere]">
        {kind} <code>{name ?? id}</code>
      </span>
    ),
  },
  { id: "location", label: "Place", render: ({ location }) => location },
  {
    id: "price",
    label: "A month",
    phone: "labelled",
    render: ({ monthly_price_gross: gross, monthly_price_net: net, currency }) => (
      <MonthlyPrice gross={gross} net={net} currency={currency} />
    ),
  },
  {
    id: "made",
    label: "Made",
    phone: "labelled",
    render: ({ created_at, seen_at }) => <Time at={created_at ?? seen_at} />,
  },
];

/** What the last comparison of the account with the orders found. Longshore deletes none of it. */
export function OrphanReport({ report }: { report: Pick<OrphanedResourceList, "data" | "checked_at" | "error"> }) {
  const { data: found, checked_at: at, error } = report;
  return (
    <div className="flex flex-col gap-1">
      {error && <p className="text-bad [overflow-wrap:anywhere]">{error}</p>}
      {found.length === 0 ? (
        !error && <NothingFound at={at} />
      ) : (
        <>
          <p className="text-warn">
            {formatCount(found.length, "resource belongs", "resources belong")} to no server and may be billed. Delete
            at the provider what is not needed.
          </p>
          <SmallTable
            label="Resources that belong to no server"
            columns={columns}
            rows={found}
            rowKey={({ kind, id }) => `${kind} ${id}`}
          />
        </>
      )}
    </div>
  );
}

const NothingFound = ({ at }: { at: string | null }) => (
  <p className="text-text-2">
    {at === null ? (
      "It is compared with the orders every hour: what belongs to no server is listed here."
    ) : (
      <>
        All that Longshore ordered in it belongs to servers, as compared <Time at={at} />.
      </>
    )}
  </p>
);
