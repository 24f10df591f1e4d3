import { useState } from "react";
import { fieldsOf, isStatus, sentenceOf } from "../../api/errors.ts";
import { type Database, paramsOf } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import type { Owner, Place } from "./place.ts";
import { ProjectField } from "./project-field.tsx";
import { touches, useDatabaseRefusals } from "./use-database.ts";

interface Props {
  place: Place;
  database: Database;
}

export function AttachToProject({ place, database }: Props) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useDatabaseRefusals(database)("update");
  if (!useMay("server:update")) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button compact onPress={() => setOpen(true)} disabledReason={refusal}>
        Attach to project
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Attach ${database.database_name} to a project`}>
        <AttachForm place={place} database={database} onClose={close} />
      </Dialog>
    </>
  );
}

function AttachForm({ place, database, onClose }: Props & { onClose: () => void }) {
  const [project, setProject] = useState<Owner | null>(place.project ?? null);
  const attach = useWrite("PUT /api/v1/servers/{id}/databases/{database}", { touches, onDone: onClose });
  const send = () => {
    const body = { project_id: project?.id ?? null, expected_updated_at: database.updated_at };
    attach.mutate({ params: paramsOf(database), body });
  };
  const stale = isStatus(attach.error, 409) ? "The database was changed elsewhere. Try again." : undefined;
  return (
    <Form onSubmit={send} errors={fieldsOf(attach.error)}>
      <p className="text-text-2">It moves with the project from now on, and is deleted with it.</p>
      <ProjectField serverId={database.server_id} value={project} onChange={setProject} isRequired />
      <FormActions refusal={stale ?? sentenceOf(attach.error)}>
        <Button type="submit" kind="primary" isPending={attach.isPending}>
          Attach to project
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
