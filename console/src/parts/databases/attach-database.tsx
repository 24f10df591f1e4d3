import { useState } from "react";
import { fieldsOf, isStatus, sentenceOf } from "../../api/errors.ts";
import { type Database, paramsOf } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import type { Place } from "./place.ts";
import { touches } from "./use-database.ts";

interface Props {
  place: Place;
  /** All of the server. */
  databases: readonly Database[];
}

/** Gives the project a database that its server has already. */
export function AttachDatabase({ place, databases }: Props) {
  const [isOpen, setOpen] = useState(false);
  const free = databases.filter(({ project_id: id, created_by_user: own }) => id === null && own);
  if (!useMay("server:update") || free.length === 0) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Attach database</Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Attach a database to ${place.project?.name}`}>
        <AttachForm place={place} databases={free} onClose={close} />
      </Dialog>
    </>
  );
}

function AttachForm({ place, databases, onClose }: Props & { onClose: () => void }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const attach = useWrite("PUT /api/v1/servers/{id}/databases/{database}", { touches, onDone: onClose });
  const database = databases.find(({ id }) => id === chosen);
  const send = () => {
    if (!database || !place.project) return;
    const body = { project_id: place.project.id, expected_updated_at: database.updated_at };
    attach.mutate({ params: paramsOf(database), body });
  };
  const refusal = isStatus(attach.error, 409)
    ? "The database was changed elsewhere. Try again."
    : sentenceOf(attach.error);
  return (
    <Form onSubmit={send} errors={fieldsOf(attach.error)}>
      <ComboBox
        label="Database"
        name="project_id"
        description={`Those on ${place.server.name} that belong to no project.`}
        options={databases.map(({ id, database_name: label }) => ({ id: String(id), label }))}
        value={chosen === null ? null : String(chosen)}
        onChange={(id) => setChosen(id === null ? null : Number(id))}
        empty="No free database has this name."
        isRequired
        autoFocus
      />
      <FormActions refusal={refusal}>
        <Button type="submit" kind="primary" isPending={attach.isPending}>
          Attach database
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
