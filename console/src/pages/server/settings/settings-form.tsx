import { readAgain } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { server as serverRead, type WholeServer } from "../../../data/servers.ts";
import { useWrite } from "../../../data/write.ts";
import { RecordForm } from "../../../parts/record-draft/record-form.tsx";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { useServerRefusals } from "../use-server.ts";
import { ConnectionFields, GeneralFields } from "./fields.tsx";
import { labels, updateOf, valuesOf } from "./values.ts";

export function SettingsForm({ server }: { server: WholeServer }) {
  const { draft, send, update } = useSettings(server);
  const refusal = useServerRefusals(server);
  return (
    <RecordForm
      draft={draft}
      what="server"
      subject={`server:${server.id}`}
      fieldOf={(field) => ({ field, label: labels[field] })}
      mayUpdate={useMay("server:update")}
      disabledReason={refusal("update")}
      send={send}
      write={update}
      className="gap-8"
    >
      <GeneralFields draft={draft} />
      <ConnectionFields draft={draft} isOrdered={server.provider_type !== "custom"} isOwn={server.is_this_machine} />
    </RecordForm>
  );
}

function useSettings(server: WholeServer) {
  const { id } = server;
  const record = serverRead(useOrganization(), id);
  const read = async () => (await readAgain(record)).data as WholeServer;
  const draft = useDraft({ record: server, pick: valuesOf, read });
  const update = useWrite("PUT /api/v1/servers/{id}", { touches: ["servers"] });
  const body = { ...updateOf(draft.values, draft.dirty), expected_updated_at: draft.expectedUpdatedAt };
  return { draft, send: () => update.mutateAsync({ params: { id }, body }), update };
}
