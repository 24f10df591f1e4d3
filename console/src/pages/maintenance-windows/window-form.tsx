import { useState } from "react";
import { fieldsOf, isStatus, sentenceOf } from "../../api/errors.ts";
import { useAllowed } from "../../data/me.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { TargetFields } from "./target-fields.tsx";
import { OnceFields, RepeatingFields } from "./time-fields.tsx";
import { newValues, valuesOf, type WindowValues } from "./values.ts";
import type { MaintenanceWindow } from "./window.ts";

interface Props {
  /** The one to change; absent: a new one. */
  window?: MaintenanceWindow;
  verb: string;
  write: { error: Error | null; isPending: boolean };
  onSend: (values: WindowValues) => void;
  onClose: () => void;
}

const whens = [
  { value: "once", label: "Once" },
  { value: "repeating", label: "Repeating" },
];

export function WindowForm({ window, verb, write, onSend, onClose }: Props) {
  const isRestricted = (useAllowed()?.restriction ?? null) !== null;
  const [values, setValues] = useState(() => (window ? valuesOf(window) : newValues(isRestricted)));
  const set = (changed: Partial<WindowValues>) => setValues((now) => ({ ...now, ...changed }));
  const isOld = isStatus(write.error, 409);
  const sentence = isOld ? "Not saved: the window was changed elsewhere. Close this and look at it." : undefined;
  return (
    <Form onSubmit={() => onSend(values)} errors={fieldsOf(write.error)}>
      <TextField
        label="Name"
        name="name"
        description="What it is called here, such as “Database upgrade”."
        value={values.name}
        onChange={(name) => set({ name })}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <RadioGroup
        label="When"
        options={whens}
        value={values.repeats ? "repeating" : "once"}
        onChange={(when) => set({ repeats: when === "repeating" })}
      />
      {values.repeats ? <RepeatingFields values={values} set={set} /> : <OnceFields values={values} set={set} />}
      <TargetFields values={values} set={set} isRestricted={isRestricted} />
      <FormActions refusal={sentence ?? sentenceOf(write.error)}>
        <Button type="submit" kind="primary" isPending={write.isPending} disabledReason={missing(values)}>
          {verb}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

const missing = ({ all_monitors: isForAll, monitor_ids, server_ids }: WindowValues): string | undefined =>
  isForAll || monitor_ids.length + server_ids.length > 0 ? undefined : "Choose a monitor or a server first.";
