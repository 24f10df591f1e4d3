import { useState } from "react";
import type { EnvironmentVariable } from "../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SaveButtons } from "./save-buttons.tsx";

interface Props {
  projectId: number;
  /** The one to change; "new": another one; undefined: closed. */
  variable: EnvironmentVariable | "new" | undefined;
  onClose: () => void;
  onDeploy: () => void;
}

export function VariableDialog({ variable, onClose, ...rest }: Props) {
  const title = variable === undefined || variable === "new" ? "Add a variable" : `Change ${variable.name}`;
  return (
    <Dialog isOpen={variable !== undefined} onClose={onClose} title={title}>
      {variable !== undefined && <Variable {...rest} variable={variable} onClose={onClose} />}
    </Dialog>
  );
}

function Variable({ projectId, variable, onClose, onDeploy }: Props & { variable: EnvironmentVariable | "new" }) {
  const isNew = variable === "new";
  const [name, setName] = useState(isNew ? "" : variable.name);
  const [value, setValue] = useState("");
  const [isMasked, setMasked] = useState(isNew ? undefined : variable.masked);
  const save = useWrite("PUT /api/v1/projects/{id}/environment-variables/{name}", {
    touches: ["environment", "project", "projects"],
  });
  const body = changeOf(variable, { value, isMasked });
  const send = async (thenDeploy: boolean) => {
    await save.mutateAsync({ params: { id: projectId, name: name.trim() }, body });
    onClose();
    if (thenDeploy) onDeploy();
  };
  return (
    <Form onSubmit={() => void send(false).catch(() => {})} errors={fieldsOf(save.error)}>
      {isNew && (
        <TextField
          label="Name"
          name="name"
          value={name}
          onChange={setName}
          isRequired
          mono
          autoFocus
          autoComplete="off"
        />
      )}
      <TextArea
        label="Value"
        name="value"
        description={
          isNew
            ? "As programs receive it, without quoting."
            : "The present one is not shown. What you type replaces it."
        }
        value={value}
        onChange={setValue}
        rows={3}
        mono
        autoFocus={!isNew}
        autoComplete="off"
      />
      <Checkbox isSelected={isMasked ?? true} onChange={setMasked} description="Wherever a program prints it.">
        Mask the value in logs
      </Checkbox>
      <SaveButtons
        isPending={save.isPending}
        refusal={sentenceOf(save.error)}
        disabledReason={name.trim() === "" ? "Name the variable first." : nothingToSave(body)}
        onSaveAndDeploy={() => void send(true).catch(() => {})}
      >
        <Button onPress={onClose}>Cancel</Button>
      </SaveButtons>
    </Form>
  );
}

interface Typed {
  value: string;
  isMasked: boolean | undefined;
}

/** What is sent. The value of an existing variable stays when none was typed: the form never has the present one. */
function changeOf(variable: EnvironmentVariable | "new", { value, isMasked }: Typed) {
  const isNew = variable === "new";
  const isChoice = isMasked !== undefined && (isNew || isMasked !== variable.masked);
  return { ...((isNew || value !== "") && { value }), ...(isChoice && { masked: isMasked }) };
}

const nothingToSave = (body: object): string | undefined =>
  Object.keys(body).length === 0 ? "Type the new value, or change whether logs mask it." : undefined;
