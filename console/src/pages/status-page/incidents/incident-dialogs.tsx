import type { Incident, IncidentUpdate } from "../../../../../contract/types.ts";
import { DeleteIncident, DeleteUpdate } from "./delete-dialogs.tsx";
import { EditUpdate, RenameIncident } from "./edit-dialogs.tsx";
import { AddUpdate, OpenIncident } from "./update-dialogs.tsx";

/** What one does with incidents in a dialog. The record is the one that was on screen. */
export type Opened =
  | { kind: "open" }
  | { kind: "add" | "resolve" | "rename" | "delete"; incident: Incident }
  | { kind: "edit-update" | "delete-update"; incident: Incident; update: IncidentUpdate };

interface Props {
  pageId: number;
  opened: Opened | undefined;
  onClose: () => void;
}

export function IncidentDialogs({ pageId, opened, onClose }: Props) {
  const given = { pageId, onClose };
  switch (opened?.kind) {
    case undefined:
      return null;
    case "open":
      return <OpenIncident {...given} />;
    case "add":
    case "resolve":
      return <AddUpdate {...given} incident={opened.incident} resolves={opened.kind === "resolve"} />;
    case "rename":
      return <RenameIncident {...given} incident={opened.incident} />;
    case "delete":
      return <DeleteIncident {...given} incident={opened.incident} />;
    case "edit-update":
      return <EditUpdate {...given} incident={opened.incident} update={opened.update} />;
    case "delete-update":
      return <DeleteUpdate {...given} incident={opened.incident} update={opened.update} />;
  }
}
