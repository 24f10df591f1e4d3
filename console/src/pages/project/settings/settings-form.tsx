import { useCallback } from "react";
import type { Framework, ProjectReply } from "../../../../../contract/types.ts";
import { readAgain } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { project as projectRead } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { RecordForm } from "../../../parts/record-draft/record-form.tsx";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { useProjectRefusals } from "../use-project.ts";
import { BuildFields } from "./build-fields.tsx";
import { GeneralFields } from "./general-fields.tsx";
import { ServingFields } from "./serving-fields.tsx";
import { SiteFields } from "./site-fields.tsx";
import { SourceFields } from "./source-fields.tsx";
import { fields, updateOf, valuesOf } from "./values.ts";

interface Props {
  project: ProjectReply;
  frameworks: readonly Framework[];
}

export function SettingsForm({ project, frameworks }: Props) {
  const { draft, send, update } = useSettings(project, frameworks);
  const framework = frameworks.find(({ id }) => id === draft.values.framework_id);
  const refusal = useProjectRefusals(project);
  const isApp = project.source_type === "app";
  return (
    <RecordForm
      draft={draft}
      what="project"
      subject={`project:${project.id}`}
      fieldOf={(name) => fields[name]}
      mayUpdate={useMay("project:update")}
      disabledReason={refusal("update")}
      send={send}
      write={update}
      className="gap-8"
    >
      <GeneralFields draft={draft} />
      {!isApp && <SourceFields draft={draft} />}
      {!isApp && <BuildFields draft={draft} framework={framework} frameworks={frameworks} />}
      <ServingFields draft={draft} family={framework?.runtime_family} isApp={isApp} />
      <SiteFields draft={draft} family={framework?.runtime_family} />
    </RecordForm>
  );
}

function useSettings(project: ProjectReply, frameworks: readonly Framework[]) {
  const { id } = project;
  const pick = useCallback(
    (row: ProjectReply) =>
      valuesOf(
        row,
        frameworks.find((framework) => framework.id === row.framework_id),
      ),
    [frameworks],
  );
  const record = projectRead(useOrganization(), id);
  const draft = useDraft({ record: project, pick, read: () => readAgain(record) });
  const update = useWrite("PUT /api/v1/projects/{id}", { touches: ["projects"] });
  const body = { ...updateOf(draft.values, draft.dirty), expected_updated_at: draft.expectedUpdatedAt };
  return { draft, send: () => update.mutateAsync({ params: { id }, body }), update };
}
