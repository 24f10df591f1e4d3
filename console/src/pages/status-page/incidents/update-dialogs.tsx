import { type ReactNode, useState } from "react";
import type { Incident } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { type IncidentState, incidentStates } from "./states.ts";
import { useIncidentWrite } from "./use-incident-write.ts";

interface Props {
  pageId: number;
  onClose: () => void;
}

export function OpenIncident({ pageId, onClose }: Props) {
  const [title, setTitle] = useState("");
  const open = useIncidentWrite("POST /api/v1/status-pages/{id}/incidents", onClose);
  return (
    <Dialog isOpen onClose={onClose} title="Open incident">
      <UpdateForm
        state="investigating"
        verb="Open incident"
        write={open}
        onSend={(update) => open.mutate({ params: { id: pageId }, body: { ...update, title: title.trim() } })}
        onClose={onClose}
        title={<TitleField value={title} onChange={setTitle} />}
      />
    </Dialog>
  );
}

const TitleField = ({ value, onChange }: { value: string; onChange: (title: string) => void }) => (
  <TextField
    label="Title"
    name="title"
    description="What is wrong, in a line."
    value={value}
    onChange={onChange}
    isRequired
    autoFocus
    maxLength={200}
    autoComplete="off"
  />
);

interface AddProps extends Props {
  incident: Incident;
  resolves: boolean;
}

export function AddUpdate({ pageId, incident: { id, title, state }, resolves, onClose }: AddProps) {
  const add = useIncidentWrite("POST /api/v1/status-pages/{id}/incidents/{incidentId}/updates", onClose);
  const isOver = state === "resolved";
  return (
    <Dialog isOpen onClose={onClose} title={`${resolves ? "Resolve" : "Add update to"} ${title}`}>
      <UpdateForm
        state={resolves ? "resolved" : isOver ? "investigating" : state}
        note={isOver ? "The incident is resolved. Any other state opens it again." : undefined}
        verb={resolves ? "Resolve incident" : "Add update"}
        write={add}
        onSend={(body) => add.mutate({ params: { id: pageId, incidentId: id }, body })}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface FormProps {
  state: IncidentState;
  verb: string;
  write: { error: Error | null; isPending: boolean };
  onSend: (update: { state: IncidentState; text: string }) => void;
  onClose: () => void;
  /** The field of a new incident's title. */
  title?: ReactNode;
  note?: string | undefined;
}

const options = Object.entries(incidentStates).map(([id, { word }]) => ({ id, label: word }));

function UpdateForm({ state: first, verb, write, onSend, onClose, title, note }: FormProps) {
  const [state, setState] = useState(first);
  const [text, setText] = useState("");
  return (
    <Form onSubmit={() => onSend({ state, text })} errors={fieldsOf(write.error)}>
      {title}
      <Select
        label="State"
        name="state"
        options={options}
        value={state}
        onChange={(id) => setState(id as IncidentState)}
        {...(note && { description: note })}
      />
      <TextArea
        label="Text"
        name="text"
        description="Plain text, which visitors see within seconds."
        value={text}
        onChange={setText}
        isRequired
        autoFocus={title === undefined}
        maxLength={5_000}
        rows={5}
      />
      <FormActions refusal={sentenceOf(write.error)}>
        <Button type="submit" kind="primary" isPending={write.isPending}>
          {verb}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
