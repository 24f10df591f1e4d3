import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../../data/organization.ts";
import { type Snapshot, snapshots } from "../../../data/snapshots.ts";
import { Select } from "../../../ui/select.tsx";
import { systems } from "../server-fields.tsx";

interface Props {
  /** Of the account that it is ordered with. */
  provider: number;
  snapshot: Snapshot | undefined;
  onChange: (snapshot: Snapshot | undefined) => void;
}

const none = "";
const systemName = (id: string): string => new Map(Object.entries<string>(systems)).get(id) ?? id;

/** What is on the disk at first. Only there when the account has a snapshot that is ready. */
export function SnapshotField({ provider, snapshot, onChange }: Props) {
  const all = useQuery(snapshots(useOrganization())).data ?? [];
  const ready = all.filter(({ provider_id, state }) => provider_id === provider && state === "ready");
  if (ready.length === 0) return null;
  return (
    <Select
      label="Snapshot"
      name="snapshot_id"
      description="The server begins as a copy of that disk: with its packages, and also its sites, databases, keys and passwords."
      options={[
        { id: none, label: "None, a new system" },
        ...ready.map(({ id, name, server_os, location }) => ({
          ...{ id: String(id), label: name, description: `${systemName(server_os)}, made in ${location}` },
        })),
      ]}
      value={String(snapshot?.id ?? none)}
      onChange={(id) => onChange(ready.find((each) => String(each.id) === id))}
    />
  );
}
