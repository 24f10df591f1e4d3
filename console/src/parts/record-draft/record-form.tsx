import { type ReactNode, useState } from "react";
import { fieldsOf } from "../../api/errors.ts";
import { FieldSet } from "../../ui/field-set.tsx";
import { Form } from "../../ui/form.tsx";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";
import { SaveBar } from "./save-bar.tsx";
import type { RecordDraft } from "./use-draft.ts";

interface RecordFormProps<Values extends object> {
  draft: RecordDraft<Values>;
  /** What it is: "project". */
  what: string;
  /** The record, as the activity names it: "project:5". */
  subject: string;
  /** What a field is called on the page, and which field of the API has it. */
  fieldOf: (name: keyof Values) => { label: string; field: string };
  /** Without it the values are only shown. */
  mayUpdate: boolean;
  /** Why it cannot be changed now. */
  disabledReason?: string | undefined;
  /** Writes the draft. */
  send: () => Promise<unknown>;
  write: { error: Error | null; isPending: boolean };
  className?: string;
  children: ReactNode;
}

/** The settings of a record that others can change at the same time. */
export function RecordForm<Values extends object>(props: RecordFormProps<Values>) {
  const { draft, what, subject, fieldOf, mayUpdate, send, write, children } = props;
  const [isSaved, setSaved] = useState(false);
  const save = () => {
    setSaved(false);
    draft.save(send).then(
      () => setSaved(true),
      () => {},
    );
  };
  const conflicting = draft.changedElsewhere.filter((name) => draft.dirty.includes(name));
  return (
    <Form onSubmit={save} errors={fieldsOf(write.error)} className={props.className} aria-label="Settings">
      <FieldSet isDisabled={!mayUpdate}>{children}</FieldSet>
      {draft.changedElsewhere.length > 0 && (
        <ChangedElsewhere
          key={draft.expectedUpdatedAt}
          subject={subject}
          changed={draft.changedElsewhere.map(fieldOf)}
          conflicting={conflicting.map((name) => fieldOf(name).label)}
          onDismiss={draft.dismiss}
        />
      )}
      {mayUpdate && (
        <SaveBar
          {...{ draft, what, isSaved }}
          disabledReason={props.disabledReason}
          error={write.error}
          isPending={write.isPending}
        />
      )}
    </Form>
  );
}
