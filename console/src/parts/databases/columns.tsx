import type { Database } from "../../data/databases.ts";
import { Bytes } from "../../ui/bytes.tsx";
import { formatNumber } from "../../ui/format.ts";
import type { GridColumn } from "../../ui/grid-row.tsx";
import { DatabaseState } from "./database-state.tsx";
import type { Names } from "./use-project-names.ts";

/** The columns; that of the project only where the names of projects are given. */
export const columnsWith = (names: Names | undefined): readonly GridColumn<Database>[] => [
  {
    id: "name",
    label: "Name",
    width: "minmax(160px, 3fr)",
    sort: "name",
    render: (row) => <NameCell database={row} />,
  },
  { id: "state", label: "State", width: "136px", phone: "end", render: (row) => <DatabaseState database={row} /> },
  ...(names ? [projectColumn(names)] : []),
  {
    id: "size",
    label: "Size",
    width: "80px",
    align: "end",
    sort: "size_bytes",
    render: ({ size_bytes: size }) => size !== null && <Bytes value={size} />,
  },
  {
    id: "connections",
    label: "Connections",
    width: "92px",
    align: "end",
    phone: "hidden",
    sort: "connections",
    render: ({ connections }) => connections !== null && formatNumber(connections),
  },
  {
    id: "character_set",
    label: "Character set",
    width: "96px",
    phone: "hidden",
    render: ({ character_set: set }) => <span className="truncate text-text-2">{set}</span>,
  },
];

const projectColumn = (names: Names): GridColumn<Database> => ({
  id: "project",
  label: "Project",
  width: "minmax(96px, 2fr)",
  render: ({ project_id: id }) =>
    id !== null && (
      <span dir="auto" className="truncate">
        {names.get(id) ?? `Project ${id}`}
      </span>
    ),
});

/** With what one should know of it: why it failed, or the notes. */
function NameCell({ database: { database_name: name, status, notes, ...database } }: { database: Database }) {
  const isFailed = status === 2 || database.sync.state === "failing" || database.sync.state === "failed";
  const text = status === 2 ? notes : isFailed ? database.sync.error : (notes ?? origin(database));
  return (
    <span className="flex min-w-0 flex-col items-start leading-4">
      <span className="max-w-full truncate">{name}</span>
      {text && (
        <span
          dir="auto"
          className={`max-w-full truncate font-normal text-meta ${isFailed ? "text-bad" : "text-text-2"}`}
        >
          {text}
        </span>
      )}
    </span>
  );
}

/** Of one that was not created here: where it comes from. */
export function origin({ created_by_user, is_adopted }: Pick<Database, "created_by_user" | "is_adopted">) {
  if (!created_by_user) return "Came with the server";
  return is_adopted ? "Adopted" : undefined;
}
