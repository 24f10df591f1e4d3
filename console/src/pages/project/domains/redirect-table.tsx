import { ArrowDown, ArrowUp, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Redirect, Redirects } from "../../../../../contract/types.ts";
import { useMay } from "../../../data/me.ts";
import { Button } from "../../../ui/button.tsx";
import { formatNumber } from "../../../ui/format.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, type MenuSection } from "../../../ui/menu.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { moved, useReplaceRedirects, without } from "./use-replace-redirects.ts";

type Numbered = Redirect & { at: number };

/** Rows that are shown before one asks for all of them. */
const fewRows = 100;

const columns: readonly Column<Numbered>[] = [
  { id: "from", label: "Path", render: pathOf, grow: true },
  { id: "to", label: "Target", render: ({ to }) => to ?? "Gone", grow: true },
  { id: "status", label: "Status", render: ({ status }) => status, phone: "labelled" },
  { id: "query", label: "Query", render: queryOf, phone: "hidden" },
];

function queryOf({ to, keeps_query }: Redirect): string {
  if (to === null) return "";
  return keeps_query ? "Kept" : "Dropped";
}

function pathOf({ from, match }: Redirect): string {
  return match === "prefix" ? `${from} and below` : from;
}

interface Props {
  id: number;
  shown: Redirects;
  onEdit: (redirect: Redirect) => void;
}

export function RedirectTable({ id, shown, onEdit }: Props) {
  const { redirects } = shown;
  const { replace, refusal, isPending } = useReplaceRedirects(id);
  const [isWhole, setWhole] = useState(false);
  const mayUpdate = useMay("project:update");
  if (redirects.length === 0) return <p className="text-text-2">No path is redirected.</p>;
  const rows = redirects.map((each, at) => ({ ...each, at })).slice(0, isWhole ? undefined : fewRows);
  const menu = (row: Numbered) => {
    const label = `Actions of ${row.from}`;
    const sections = actionsOf(row, {
      count: redirects.length,
      edit: () => onEdit(redirects[row.at] ?? row),
      move: (to) => void replace(shown, moved(redirects, row.at, to)),
      remove: () => void replace(shown, without(redirects, row.at)),
    });
    const trigger = <IconButton icon={Ellipsis} label={label} isDisabled={isPending} compact />;
    return <Menu label={label} trigger={trigger} sections={sections} />;
  };
  return (
    <>
      <SmallTable
        label="Redirects"
        columns={columns}
        rows={rows}
        rowKey={({ at }) => at}
        actions={mayUpdate ? menu : undefined}
      />
      {rows.length < redirects.length && (
        <Button className="self-start" onPress={() => setWhole(true)}>
          {`Show all ${formatNumber(redirects.length)}`}
        </Button>
      )}
      {refusal && (
        <p role="alert" className="text-bad">
          {refusal}
        </p>
      )}
    </>
  );
}

interface Acts {
  count: number;
  edit: () => void;
  move: (to: number) => void;
  remove: () => void;
}

/** The order decides which one applies. */
const actionsOf = ({ at }: Numbered, { count, edit, move, remove }: Acts): MenuSection[] => [
  {
    items: [
      { id: "edit", label: "Edit redirect", icon: Pencil, onAction: edit },
      {
        id: "up",
        label: "Move up",
        icon: ArrowUp,
        disabledReason: at === 0 ? "It is the first." : undefined,
        onAction: () => move(at - 1),
      },
      {
        id: "down",
        label: "Move down",
        icon: ArrowDown,
        disabledReason: at === count - 1 ? "It is the last." : undefined,
        onAction: () => move(at + 1),
      },
    ],
  },
  { items: [{ id: "delete", label: "Delete redirect", icon: Trash2, danger: true, onAction: remove }] },
];
