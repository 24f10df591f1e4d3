import { type ReactNode, useState } from "react";
import type { Incident, IncidentUpdate } from "../../../../../contract/types.ts";
import { fieldsOf, isStatus, sentenceOf } from "../../../api/errors.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useIncidentWrite } from "./use-incident-write.ts";

interface Props {
  pageId: number;
  incident: Incident;
  onClose: () => void;
}

export function RenameIncident({ pageId, incident, onClose }: Props) {
  const [title, setTitle] = useState(incident.title);
  const rename = useIncidentWrite("PUT /api/v1/status-pages/{id}/incidents/{incidentId}", onClose);
  const params = { id: pageId, incidentId: incident.id };
  const body = { title: title.trim(), expected_updated_at: incident.updated_at };
  return (
    <EditDialog
      title={`Rename ${incident.title}`}
      verb="Rename incident"
      write={rename}
      onSend={() => rename.mutate({ params, body })}
      onClose={onClose}
    >
      <TextField
        label="Title"
        name="title"
        value={title}
        onChange={setTitle}
        isRequired
        autoFocus
        maxLength={200}
        autoComplete="off"
      />
    </EditDialog>
  );
}

export function EditUpdate({ pageId, incident, update, onClose }: Props & { update: IncidentUpdate }) {
  const [text, setText] = useState(update.text);
  const edit = useIncidentWrite("PUT /api/v1/status-pages/{id}/incidents/{incidentId}/updates/{updateId}", onClose);
  const params = { id: pageId, incidentId: incident.id, updateId: update.id };
  const body = { text, expected_updated_at: incident.updated_at };
  return (
    <EditDialog
      title={`Edit an update of ${incident.title}`}
      verb="Save"
      write={edit}
      onSend={() => edit.mutate({ params, body })}
      onClose={onClose}
    >
      <TextArea
        label="Text"
        name="text"
        description="For corrections: state and time stay."
        value={text}
        onChange={setText}
        isRequired
        autoFocus
        maxLength={5_000}
        rows={5}
      />
    </EditDialog>
  );
}

interface EditProps {
  title: string;
  verb: string;
  write: { error: Error | null; isPending: boolean };
  onSend: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** What was typed stays in the dialog when another save was faster. */
function EditDialog({ title, verb, write, onSend, onClose, children }: EditProps) {
  const isOld = isStatus(write.error, 409);
  const sentence = isOld ? "Not saved: the incident was changed elsewhere. Close this and look at it." : undefined;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form onSubmit={onSend} errors={fieldsOf(write.error)}>
        {children}
        <FormActions refusal={sentence ?? sentenceOf(write.error)}>
          <Button type="submit" kind="primary" isPending={write.isPending}>
            {verb}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
