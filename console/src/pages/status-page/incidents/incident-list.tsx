import { CircleCheck, Ellipsis, MessageSquarePlus, Pencil, Trash2 } from "lucide-react";
import type { Incident, IncidentUpdate } from "../../../../../contract/types.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Opened } from "./incident-dialogs.tsx";
import { incidentStates } from "./states.ts";

interface ListProps {
  incidents: readonly Incident[];
  /** Undefined for those who only read. */
  onOpen: ((opened: Opened) => void) | undefined;
}

export const IncidentList = ({ incidents, onOpen }: ListProps) => (
  <ul aria-label="Incidents" className="border-line border-t">
    {incidents.map((incident) => (
      <IncidentItem key={incident.id} incident={incident} onOpen={onOpen} />
    ))}
  </ul>
);

interface ItemProps extends Pick<ListProps, "onOpen"> {
  incident: Incident;
}

function IncidentItem({ incident, onOpen }: ItemProps) {
  const { id, title, state, created_at: openedAt, resolved_at: resolvedAt, updates } = incident;
  return (
    <li data-incident={id} className="flex flex-col gap-3 border-line border-b py-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-0 grow basis-64 flex-col gap-0.5">
          <h3 className="font-medium text-prose [overflow-wrap:anywhere]">
            <bdi>{title}</bdi>
          </h3>
          <p className="flex flex-wrap gap-x-3 text-text-2">
            <StateIcon {...incidentStates[state]} state={state} />
            <span>
              opened <Time at={openedAt} />
            </span>
            {resolvedAt && (
              <span>
                resolved <Time at={resolvedAt} />
              </span>
            )}
          </p>
        </div>
        {onOpen && <IncidentActions incident={incident} onOpen={onOpen} />}
      </div>
      {updates.length > 0 && (
        <ol aria-label={`Updates of ${title}`} className="flex flex-col gap-3 border-line border-l pl-4">
          {updates.map((update) => (
            <UpdateItem key={update.id} incident={incident} update={update} onOpen={onOpen} />
          ))}
        </ol>
      )}
    </li>
  );
}

interface ActionsProps {
  incident: Incident;
  onOpen: (opened: Opened) => void;
}

function IncidentActions({ incident, onOpen }: ActionsProps) {
  const { title, state } = incident;
  const rename = { id: "rename", label: "Rename incident", icon: Pencil };
  const remove = { id: "delete", label: "Delete incident", icon: Trash2, danger: true };
  return (
    <div className="flex flex-wrap items-center gap-1">
      <Button compact icon={MessageSquarePlus} onPress={() => onOpen({ kind: "add", incident })}>
        Add update
      </Button>
      {state !== "resolved" && (
        <Button compact icon={CircleCheck} onPress={() => onOpen({ kind: "resolve", incident })}>
          Resolve
        </Button>
      )}
      <Menu
        label={`Actions of ${title}`}
        trigger={<IconButton label={`Actions of ${title}`} icon={Ellipsis} compact />}
        sections={[
          { items: [{ ...rename, onAction: () => onOpen({ kind: "rename", incident }) }] },
          { items: [{ ...remove, onAction: () => onOpen({ kind: "delete", incident }) }] },
        ]}
      />
    </div>
  );
}

interface UpdateProps extends ItemProps {
  update: IncidentUpdate;
}

function UpdateItem({ incident, update, onOpen }: UpdateProps) {
  const { word } = incidentStates[update.state];
  return (
    <li data-update={update.id} className="flex items-start justify-between gap-3">
      <div className="min-w-0 max-w-[72ch]">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{word}</span>
          <Time at={update.created_at} className="text-text-2" />
        </p>
        <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
          {update.text}
        </p>
      </div>
      {onOpen && (
        <span className="flex shrink-0">
          <IconButton
            compact
            label={`Edit the update “${word}”`}
            icon={Pencil}
            onPress={() => onOpen({ kind: "edit-update", incident, update })}
          />
          <IconButton
            compact
            label={`Delete the update “${word}”`}
            icon={Trash2}
            onPress={() => onOpen({ kind: "delete-update", incident, update })}
          />
        </span>
      )}
    </li>
  );
}
