import type { Token } from "../../../../../contract/types.ts";
import type { Column } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { permissionsInWords } from "./areas.ts";

export const nameColumn: Column<Token> = {
  id: "name",
  label: "Name",
  grow: true,
  render: ({ name, prefix }) => (
    <span className="flex min-w-0 items-baseline gap-2">
      <span dir="auto" className="truncate font-medium">
        {name}
      </span>
      <code className="shrink-0 text-text-3">{prefix}…</code>
    </span>
  ),
};

export const permissionsColumn: Column<Token> = {
  id: "permissions",
  label: "Permissions",
  render: ({ permissions }) => <span title={permissions.join(", ")}>{permissionsInWords(permissions)}</span>,
};

export const usedColumn: Column<Token> = {
  id: "used",
  label: "Last used",
  phone: "labelled",
  render: ({ last_used_at }) => (last_used_at === null ? "Never" : <Time plain at={last_used_at} />),
};

export const expiryColumn: Column<Token> = {
  id: "expires",
  label: "Expires",
  phone: "labelled",
  render: ({ expires_at }) => (expires_at === null ? "Never" : <Time plain at={expires_at} />),
};
