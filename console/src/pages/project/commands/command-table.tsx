import type { Command } from "../../../data/commands.ts";
import { useOrganization } from "../../../data/organization.ts";
import { paths } from "../../../paths.ts";
import { Duration } from "../../../ui/duration.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { CommandStateBadge } from "./command-state-badge.tsx";

const columns: readonly Column<Command>[] = [
  {
    id: "command",
    label: "Command",
    grow: true,
    render: ({ command }) => <code>{command}</code>,
  },
  { id: "state", label: "State", render: (command) => <CommandStateBadge command={command} /> },
  {
    id: "exit",
    label: "Exit status",
    align: "end",
    phone: "labelled",
    render: ({ exit_code }) => exit_code ?? "–",
  },
  {
    id: "took",
    label: "Took",
    align: "end",
    phone: "labelled",
    render: (command) => <Took command={command} />,
  },
  { id: "at", label: "When", align: "end", render: ({ created_at }) => <Time at={created_at} plain /> },
];

/** Those that ran and run, the newest first. */
export function CommandTable({ commands }: { commands: readonly Command[] }) {
  const o = useOrganization();
  return (
    <SmallTable
      label="Commands"
      columns={columns}
      rows={commands}
      rowKey={({ id }) => id}
      rowHref={({ project_id, id }) => paths.command(o, project_id, id)}
    />
  );
}

function Took({ command: { started_at, ended_at } }: { command: Command }) {
  if (!started_at) return "–";
  return ended_at ? <Duration ms={Date.parse(ended_at) - Date.parse(started_at)} /> : <Duration since={started_at} />;
}
