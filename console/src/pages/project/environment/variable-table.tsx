import { EyeOff, Pencil, Trash2 } from "lucide-react";
import type { EnvironmentVariable } from "../../../../../contract/types.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";

interface Props {
  variables: readonly EnvironmentVariable[];
  onEdit?: (variable: EnvironmentVariable) => void;
  onRemove?: (variable: EnvironmentVariable) => void;
}

const columns: readonly Column<EnvironmentVariable>[] = [
  { id: "name", label: "Name", grow: true, render: ({ name }) => <code className="font-medium">{name}</code> },
  {
    id: "live",
    label: "Live",
    render: ({ is_live }) =>
      is_live ? <span className="text-text-2">Live</span> : <Badge tone="warn">Not live yet</Badge>,
  },
  {
    id: "masked",
    label: "In logs",
    phone: "hidden",
    render: ({ masked }) =>
      masked ? (
        <span className="inline-flex items-baseline gap-1.5 text-text-2">
          <EyeOff aria-hidden size={14} className="self-center" />
          Masked
        </span>
      ) : (
        <span className="text-text-2">Shown</span>
      ),
  },
  {
    id: "changed",
    label: "Changed",
    render: ({ updated_at, updated_by }) => (
      <span className="whitespace-nowrap text-text-2">
        {updated_at ? <Time at={updated_at} plain /> : "–"}
        {updated_by && (
          <>
            {" by "}
            <span dir="auto">{updated_by.name}</span>
          </>
        )}
      </span>
    ),
  },
];

/** Who set which variable, and whether the live release has it. */
export function VariableTable({ variables, onEdit, onRemove }: Props) {
  const actions = (variable: EnvironmentVariable) => (
    <>
      <IconButton label={`Change ${variable.name}`} icon={Pencil} compact onPress={() => onEdit?.(variable)} />
      <IconButton label={`Remove ${variable.name}`} icon={Trash2} compact onPress={() => onRemove?.(variable)} />
    </>
  );
  return (
    <SmallTable
      label="Environment variables"
      columns={columns}
      rows={variables}
      rowKey={({ name }) => name}
      {...(onEdit && { actions })}
    />
  );
}
