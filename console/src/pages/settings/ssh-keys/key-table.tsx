import type { SshKey } from "../../../data/ssh-keys.ts";
import { Copy } from "../../../ui/copy.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { DeleteKey } from "./delete-key.tsx";

const columns: Column<SshKey>[] = [
  {
    id: "name",
    label: "Name",
    render: ({ name }) => (
      <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
        {name}
      </span>
    ),
  },
  { id: "type", label: "Type", phone: "hidden", render: ({ public_key: key }) => key.split(" ")[0] },
  {
    id: "fingerprint",
    label: "Fingerprint",
    render: ({ fingerprint }) => <code className="break-all">{fingerprint}</code>,
  },
  { id: "added", label: "Added", phone: "labelled", render: ({ created_at }) => <Time plain at={created_at} /> },
];

interface Props {
  label: string;
  keys: readonly SshKey[];
  /** What they are for, or where to find one. */
  empty: string;
  mayDelete: boolean;
}

export function KeyTable({ label, keys, empty, mayDelete }: Props) {
  if (keys.length === 0) return <Empty title="No SSH keys yet">{empty}</Empty>;
  return (
    <SmallTable
      label={label}
      columns={columns}
      rows={keys}
      rowKey={({ id }) => id}
      actions={(key) => (
        <>
          <Copy text={key.public_key} label={`Copy public key ${key.name}`} />
          {mayDelete && <DeleteKey sshKey={key} />}
        </>
      )}
    />
  );
}
