import type { StatusPage } from "../../../../contract/types.ts";
import { OpenIncidents } from "../../parts/open-incidents.tsx";
import { Badge } from "../../ui/badge.tsx";
import { formatNumber } from "../../ui/format.ts";
import { type Column, SmallTable } from "../../ui/small-table.tsx";

const columns: Column<StatusPage>[] = [
  {
    id: "name",
    label: "Name",
    render: ({ name }) => (
      <span dir="auto" className="block max-w-80 truncate max-sm:max-w-full">
        {name}
      </span>
    ),
  },
  { id: "address", label: "Address", grow: true, render: (page) => <Address page={page} /> },
  {
    id: "monitors",
    label: "Monitors",
    align: "end",
    phone: "labelled",
    render: ({ monitors }) => formatNumber(monitors.length),
  },
  {
    id: "incidents",
    label: "Open incidents",
    phone: "labelled",
    render: ({ open_incidents }) => <OpenIncidents count={open_incidents} />,
  },
];

const Address = ({ page: { url, is_public } }: { page: StatusPage }) => (
  <span className="flex min-w-0 items-baseline gap-2">
    <span className="truncate text-text-2">{url.replace(/^https?:\/\/|\/$/g, "")}</span>
    {!is_public && <Badge>Not public</Badge>}
  </span>
);

interface Props {
  pages: readonly StatusPage[];
  hrefOf: (page: StatusPage) => string;
}

export const StatusPageTable = ({ pages, hrefOf }: Props) => (
  <SmallTable<StatusPage>
    label="Status pages"
    columns={columns}
    rows={pages}
    rowKey={({ id }) => id}
    rowHref={hrefOf}
  />
);
