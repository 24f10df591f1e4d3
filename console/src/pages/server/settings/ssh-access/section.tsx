import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../../data/me.ts";
import { people } from "../../../../data/names.ts";
import { useOrganization } from "../../../../data/organization.ts";
import type { WholeServer } from "../../../../data/servers.ts";
import { peopleKeys, type SshAccess, sshAccess } from "../../../../data/ssh-keys.ts";
import { Loaded } from "../../../../parts/loaded.tsx";
import { SyncNote } from "../../../../parts/sync-note.tsx";
import { Section } from "../../../../ui/section.tsx";
import { AccessTable, type Names } from "./access-table.tsx";
import { GrantAccess } from "./grant-access.tsx";

/** Whose keys open the server. A key opens root's account, and with it everything on the server. */
export function SshAccessSection({ server }: { server: WholeServer }) {
  const query = useQuery(sshAccess(useOrganization(), server.id));
  const mayUpdate = useMay("server:update");
  const names = useNames();
  return (
    <Section
      title="SSH access"
      description="The keys with which people sign in to it as root. Keys that were written into authorized_keys on the server are not listed."
      actions={mayUpdate && <GrantAccess server={server} present={query.data?.data ?? []} />}
    >
      <Loaded query={query} what="The keys on the server could not be read." rows={2}>
        {({ data }) => (
          <>
            {data[0] && data[0].sync.state !== "applied" && <SyncNote sync={data[0].sync} />}
            <AccessTable access={data} names={names} serverId={server.id} mayUpdate={mayUpdate} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function useNames(): Names {
  const o = useOrganization();
  const keys = useQuery(peopleKeys(o)).data ?? [];
  const members = useQuery({ ...people(o), enabled: useMay("organization:read") }).data?.data ?? [];
  const memberOf = (userId: number | null) => members.find(({ user_id }) => user_id === userId)?.name;
  const ownerOf = ({ ssh_key_id }: SshAccess) => memberOf(keys.find(({ id }) => id === ssh_key_id)?.user_id ?? null);
  return { ownerOf, memberOf };
}
