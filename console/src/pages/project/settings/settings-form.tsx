import { useCallback, useState } from "react";
import type { Framework, ProjectReply } from "../../../../../contract/types.ts";
import { fieldsOf, isStatus, sentenceOf } from "../../../api/errors.ts";
import { cache } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { project as projectRead } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { ChangedElsewhere } from "../../../parts/record-draft/changed-elsewhere.tsx";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { useProjectRefusals } from "../use-project.ts";
import { BuildFields } from "./build-fields.tsx";
import { GeneralFields } from "./general-fields.tsx";
import { ServingFields } from "./serving-fields.tsx";
import { SourceFields } from "./source-fields.tsx";
import { fields, type SettingsDraft, type SettingsValues, updateOf, valuesOf } from "./values.ts";

interface Props {
  project: ProjectReply;
  frameworks: readonly Framework[];
}

export function SettingsForm({ project, frameworks }: Props) {
  const { draft, save, error, isPending, isSaved } = useSettings(project, frameworks);
  const framework = frameworks.find(({ id }) => id === draft.values.framework_id);
  const isApp = project.source_type === "app";
  const mayUpdate = useMay("project:update");
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
          projectId={project.id}
          changed={draft.changedElsewhere.map((name) => fields[name])}
          conflicting={conflicting.map((name) => fields[name].label)}
          onDismiss={draft.dismiss}
        />
      )}
      <SaveBar draft={draft} project={project} error={error} isPending={isPending} isSaved={isSaved} />
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

interface SaveBarProps {
  draft: SettingsDraft;
  project: ProjectReply;
  error: Error | null;
  isPending: boolean;
  isSaved: boolean;
}

function SaveBar({ draft, project, error, isPending, isSaved }: SaveBarProps) {
  const refusal = useProjectRefusals(project);
  if (!useMay("project:update")) return null;
  // Of a record that has changed since, the note above says what.
  const sentence = isStatus(error, 409) ? "Not saved: the project was changed elsewhere." : sentenceOf(error);
  const unchanged = draft.dirty.length === 0 ? "Nothing was changed." : undefined;
  return (
    <div className="sticky bottom-0 border-line max-md:bottom-16 border-t bg-bg py-2">
      <FormActions refusal={sentence}>
        <Button type="submit" kind="primary" isPending={isPending} disabledReason={refusal("update") ?? unchanged}>
          Save
        </Button>
        {draft.dirty.length > 0 && <Button onPress={draft.reset}>Discard changes</Button>}
        <span role="status" className="text-text-2">
          {isSaved && draft.dirty.length === 0 && "Saved."}
        </span>
      </FormActions>
    </div>
  );
}
