import type { Incident, IncidentUpdate } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { incidentStates } from "./states.ts";
import { useIncidentWrite } from "./use-incident-write.ts";

interface Props {
  pageId: number;
  incident: Incident;
  onClose: () => void;
}

export function DeleteIncident({ pageId, incident: { id, title, state }, onClose }: Props) {
  const remove = useIncidentWrite("DELETE /api/v1/status-pages/{id}/incidents/{incidentId}", onClose);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${title}`}
      verb="Delete incident"
      danger
      onConfirm={() => remove.mutate({ params: { id: pageId, incidentId: id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>It disappears from the page and the feed, with all of its updates.</p>
      {state !== "resolved" && <p>To end it, resolve it instead: visitors read how it ended.</p>}
    </ConfirmDialog>
  );
}

export function DeleteUpdate({ pageId, incident, update, onClose }: Props & { update: IncidentUpdate }) {
  const remove = useIncidentWrite(
    "DELETE /api/v1/status-pages/{id}/incidents/{incidentId}/updates/{updateId}",
    onClose,
  );
  const [newest, before] = incident.updates;
  const returnsTo = update.id === newest?.id && before && before.state !== update.state ? before.state : undefined;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete an update of ${incident.title}`}
      verb="Delete update"
      danger
      onConfirm={() => remove.mutate({ params: { id: pageId, incidentId: incident.id, updateId: update.id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>It disappears from the page and the feed.</p>
      {before === undefined && <p>It is the only one: the incident stays, with its title alone.</p>}
      {returnsTo && <p>The incident is “{incidentStates[returnsTo].word}” again, as the update before it says.</p>}
    </ConfirmDialog>
  );
}
