import { useState } from "react";
import type { EnvironmentComparison, ProjectReply } from "../../../../../contract/types.ts";
import { isStatus, sentenceOf } from "../../../api/errors.ts";
import { invalidate } from "../../../data/cache.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { changesNothing } from "../../../parts/environment-editor/comparison.tsx";
import { EnvironmentText } from "../../../parts/environment-editor/environment-text.tsx";
import { SaveButtons } from "../../../parts/environment-editor/save-buttons.tsx";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";

interface Props {
  project: ProjectReply;
  onDone: () => void;
  onDeploy: () => void;
}

/** Replaces all variables by a text. What it holds is never stored in the browser. */
export function PasteForm({ project, onDone, onDeploy }: Props) {
  const organization = useOrganization();
  const [text, setText] = useState("");
  const [comparison, setComparison] = useState<EnvironmentComparison>();
  const save = useWrite("PUT /api/v1/projects/{id}/environment-variables", {
    touches: ["environment", "project", "projects"],
  });
  const send = async (thenDeploy: boolean) => {
    const body = { environment_variables: text, expected_updated_at: project.updated_at };
    try {
      await save.mutateAsync({ params: { id: project.id }, body });
    } catch (error) {
      // Someone changed it since the comparison: the present record brings another one.
      if (isStatus(error, 409)) await invalidate([organization, "project", project.id]);
      return;
    }
    onDone();
    if (thenDeploy) onDeploy();
  };
  const disabledReason = reasonOf(text, comparison);
  return (
    <Form onSubmit={() => void send(false)} className="max-w-none rounded-panel border border-line p-4">
      <EnvironmentText
        projectId={project.id}
        updatedAt={project.updated_at}
        text={text}
        onChange={setText}
        onCompared={setComparison}
      />
      <SaveButtons
        isPending={save.isPending}
        refusal={isStatus(save.error, 409) ? overtaken : sentenceOf(save.error)}
        disabledReason={disabledReason}
        onSaveAndDeploy={() => void send(true)}
      >
        <Button onPress={onDone}>Cancel</Button>
      </SaveButtons>
    </Form>
  );
}

const overtaken = "Not saved: the project was changed elsewhere. Look at what the text changes now, and save again.";

function reasonOf(text: string, comparison: EnvironmentComparison | undefined): string | undefined {
  if (text.trim() === "") return "Paste or type the variables first.";
  if (!comparison) return "What the text changes is not known yet.";
  return changesNothing(comparison) ? "The text changes nothing." : undefined;
}
