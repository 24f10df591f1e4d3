import { useCallback, useState } from "react";
import type { Framework, ProjectReply } from "../../../../../contract/types.ts";
import { fieldsOf } from "../../../api/errors.ts";
import { cache } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { project as projectRead } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { ChangedElsewhere } from "../../../parts/record-draft/changed-elsewhere.tsx";
import { SaveBar } from "../../../parts/record-draft/save-bar.tsx";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { Form } from "../../../ui/form.tsx";
import { useProjectRefusals } from "../use-project.ts";
import { BuildFields } from "./build-fields.tsx";
import { GeneralFields } from "./general-fields.tsx";
import { ServingFields } from "./serving-fields.tsx";
import { SourceFields } from "./source-fields.tsx";
import { fields, type SettingsValues, updateOf, valuesOf } from "./values.ts";

interface Props {
  project: ProjectReply;
  frameworks: readonly Framework[];
}

export function SettingsForm({ project, frameworks }: Props) {
  const { draft, save, error, isPending, isSaved } = useSettings(project, frameworks);
  const framework = frameworks.find(({ id }) => id === draft.values.framework_id);
  const refusal = useProjectRefusals(project);
  const mayUpdate = useMay("project:update");
  const isApp = project.source_type === "app";
  const conflicting = draft.changedElsewhere.filter((name) => draft.dirty.includes(name));
  return (
    <Form onSubmit={() => void save()} errors={fieldsOf(error)} className="gap-8" aria-label="Settings">
      <fieldset disabled={!mayUpdate} className="contents">
        <GeneralFields draft={draft} />
        {!isApp && <SourceFields draft={draft} />}
        {!isApp && <BuildFields draft={draft} framework={framework} frameworks={frameworks} />}
        <ServingFields draft={draft} isApp={isApp} />
      </fieldset>
      {draft.changedElsewhere.length > 0 && (
        <ChangedElsewhere
          key={draft.expectedUpdatedAt}
          subject={`project:${project.id}`}
          changed={draft.changedElsewhere.map((name) => fields[name])}
          conflicting={conflicting.map((name) => fields[name].label)}
          onDismiss={draft.dismiss}
        />
      )}
      {mayUpdate && (
        <SaveBar
          draft={draft}
          what="project"
          disabledReason={refusal("update")}
          error={error}
          isPending={isPending}
          isSaved={isSaved}
        />
      )}
    </Form>
  );
}

function useSettings(project: ProjectReply, frameworks: readonly Framework[]) {
  const organization = useOrganization();
  const [isSaved, setSaved] = useState(false);
  const pick = useCallback(
    (row: ProjectReply) =>
      valuesOf(
        row,
        frameworks.find(({ id }) => id === row.framework_id),
      ),
    [frameworks],
  );
  const record = projectRead(organization, project.id);
  const read = async () => {
    // One that is under way may have begun before the save.
    await cache.cancelQueries({ queryKey: record.queryKey, exact: true });
    return cache.fetchQuery({ ...record, staleTime: 0 });
  };
  const draft = useDraft({ record: project, pick, read });
  const update = useWrite("PUT /api/v1/projects/{id}", { touches: ["projects"] });
  const save = async () => {
    const body = { ...updateOf(draft.values, draft.dirty), expected_updated_at: draft.expectedUpdatedAt };
    setSaved(false);
    await draft
      .save(() => update.mutateAsync({ params: { id: project.id }, body }))
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
