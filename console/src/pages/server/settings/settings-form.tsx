import { useState } from "react";
import { fieldsOf } from "../../../api/errors.ts";
import { cache } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { server as serverRead, type WholeServer } from "../../../data/servers.ts";
import { useWrite } from "../../../data/write.ts";
import { ChangedElsewhere } from "../../../parts/record-draft/changed-elsewhere.tsx";
import { SaveBar } from "../../../parts/record-draft/save-bar.tsx";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { Form } from "../../../ui/form.tsx";
import { useServerRefusals } from "../use-server.ts";
import { ConnectionFields, GeneralFields } from "./fields.tsx";
import { labels, type SettingsValues, updateOf, valuesOf } from "./values.ts";

export function SettingsForm({ server }: { server: WholeServer }) {
  const { draft, save, error, isPending, isSaved } = useSettings(server);
  const refusal = useServerRefusals(server);
  const mayUpdate = useMay("server:update");
  const conflicting = draft.changedElsewhere.filter((name) => draft.dirty.includes(name));
  return (
    <Form onSubmit={() => void save()} errors={fieldsOf(error)} className="gap-8" aria-label="Settings">
      <fieldset disabled={!mayUpdate} className="contents">
        <GeneralFields draft={draft} />
        <ConnectionFields draft={draft} isOrdered={server.provider_type !== "custom"} />
      </fieldset>
      {draft.changedElsewhere.length > 0 && (
        <ChangedElsewhere
          key={draft.expectedUpdatedAt}
          subject={`server:${server.id}`}
          changed={draft.changedElsewhere.map((field) => ({ field, label: labels[field] }))}
          conflicting={conflicting.map((name) => labels[name])}
          onDismiss={draft.dismiss}
        />
      )}
      {mayUpdate && (
        <SaveBar
          draft={draft}
          what="server"
          disabledReason={refusal("update")}
          error={error}
          isPending={isPending}
          isSaved={isSaved}
        />
      )}
    </Form>
  );
}

function useSettings(server: WholeServer) {
  const [isSaved, setSaved] = useState(false);
  const record = serverRead(useOrganization(), server.id);
  const read = async () => {
    // One that is under way may have begun before the save.
    await cache.cancelQueries({ queryKey: record.queryKey, exact: true });
    const { data } = await cache.fetchQuery({ ...record, staleTime: 0 });
    return data as WholeServer;
  };
  const draft = useDraft({ record: server, pick: valuesOf, read });
  const update = useWrite("PUT /api/v1/servers/{id}", { touches: ["servers"] });
  const save = async () => {
    const body = { ...updateOf(draft.values, draft.dirty), expected_updated_at: draft.expectedUpdatedAt };
    setSaved(false);
    await draft
      .save(() => update.mutateAsync({ params: { id: server.id }, body }))
      .then(
        () => setSaved(true),
        () => {},
      );
  };
  const set = (values: Partial<SettingsValues>) => {
    setSaved(false);
    draft.set(values);
  };
  return { draft: { ...draft, set }, save, error: update.error, isPending: update.isPending, isSaved };
}
