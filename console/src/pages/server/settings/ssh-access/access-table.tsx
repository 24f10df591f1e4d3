import type { SshAccess } from "../../../../data/ssh-keys.ts";
import { Empty } from "../../../../ui/empty.tsx";
import { type Column, SmallTable } from "../../../../ui/small-table.tsx";
import { StateIcon } from "../../../../ui/state-icon.tsx";
import { Time } from "../../../../ui/time.tsx";
import { RemoveAccess } from "./remove-access.tsx";

export interface Names {
  /** Whose key it is; undefined: of the organization, or not known. */
  ownerOf: (access: SshAccess) => string | undefined;
  memberOf: (userId: number | null) => string | undefined;
}

interface Props {
  access: readonly SshAccess[];
  names: Names;
  serverId: number;
  mayUpdate: boolean;
}

export function AccessTable({ access, names, serverId, mayUpdate }: Props) {
  if (access.length === 0)
    return <Empty title="No key of a person is on the server">Only Longshore signs in to it.</Empty>;
  return (
    <SmallTable<SshAccess>
      label="SSH access"
      columns={columnsWith(names)}
      rows={access}
      rowKey={({ id }) => id}
      {...(mayUpdate && {
        actions: (row) => !row.is_removed && <RemoveAccess access={row} serverId={serverId} />,
      })}
    />
  );
}

const columnsWith = ({ ownerOf, memberOf }: Names): Column<SshAccess>[] => [
  {
    id: "key",
    label: "Key",
    render: ({ name, fingerprint, ssh_key_id }) => (
      <span className="flex min-w-0 flex-col py-1">
        <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
          {name}
        </span>
        <code className="break-all text-meta text-text-2">{fingerprint}</code>
        {ssh_key_id === null && <span className="text-meta text-text-2">The key was deleted.</span>}
      </span>
    ),
  },
  { id: "person", label: "Person", render: (row) => <span dir="auto">{ownerOf(row) ?? "–"}</span> },
  { id: "account", label: "Account", phone: "labelled", render: ({ account }) => <code>{account}</code> },
  { id: "state", label: "State", render: (row) => <AccessState access={row} /> },
  {
    id: "granted",
    label: "Added",
    phone: "labelled",
    render: ({ created_at, granted_by }) => (
      <>
        <Time plain at={created_at} />
        {memberOf(granted_by) && (
          <>
            {" by "}
            <bdi>{memberOf(granted_by)}</bdi>
          </>
        )}
      </>
    ),
  },
];

function AccessState({ access: { is_removed, sync } }: { access: SshAccess }) {
  if (is_removed) return <StateIcon word="Being removed" tone="run" state="removed" />;
  return sync.state === "applied" ? (
    <StateIcon word="On the server" tone="ok" state="applied" />
  ) : (
    <StateIcon word="Not confirmed" tone="warn" state={sync.state} />
  );
}
