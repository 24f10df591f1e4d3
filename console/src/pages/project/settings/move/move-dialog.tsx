import { useState } from "react";
import type { MoveAccepted, ProjectReply } from "../../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../../api/errors.ts";
import { useWrite } from "../../../../data/write.ts";
import { Button } from "../../../../ui/button.tsx";
import { Checkbox } from "../../../../ui/checkbox.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../../ui/form.tsx";
import { MovePlan } from "./move-plan.tsx";
import { MoveStarted } from "./move-started.tsx";
import { ServerField } from "./server-field.tsx";

interface Props {
  project: ProjectReply;
  onClose: () => void;
}

export function MoveDialog({ project, onClose }: Props) {
  const [accepted, setAccepted] = useState<MoveAccepted>();
  return (
    <Dialog isOpen onClose={onClose} title={`Move ${project.name}`}>
      {accepted ? (
        <MoveStarted move={accepted} former={project.server.name} />
      ) : (
        <MoveForm project={project} onAccepted={setAccepted} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface FormProps extends Props {
  onAccepted: (move: MoveAccepted) => void;
}

function MoveForm({ project: { id, server }, onAccepted, onClose }: FormProps) {
  const [serverId, setServerId] = useState<number>();
  const [leavesDatabases, setLeavesDatabases] = useState(false);
  const move = useWrite("POST /api/v1/projects/{id}/move", {
    touches: ["project", "projects", "deployments"],
    onDone: onAccepted,
  });
  const body = serverId !== undefined && { server_id: serverId, ...(leavesDatabases && { leave_databases: true }) };
  return (
    <Form onSubmit={() => body && move.mutate({ params: { id }, body })} errors={fieldsOf(move.error)}>
      <ServerField present={server.id} value={serverId} onChange={setServerId} />
      <Checkbox
        isSelected={leavesDatabases}
        onChange={setLeavesDatabases}
        description="Move it also when its environment names databases of the server that are not attached to it, and so stay there."
      >
        Leave databases behind
      </Checkbox>
      {body && <MovePlan key={JSON.stringify(body)} projectId={id} body={body} />}
      <FormActions refusal={sentenceOf(move.error)}>
        <Button
          type="submit"
          kind="primary"
          isPending={move.isPending}
          disabledReason={body ? undefined : "Choose a server first."}
        >
          Move project
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
