import { ChevronDown, X } from "lucide-react";
import { useMemo, useState } from "react";
import { messageOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { Button } from "../../../ui/button.tsx";
import { formatNumber } from "../../../ui/format.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import type { Selection } from "../use-selection.ts";
import { AutoDeployDialog, DeployDialog } from "./deploy-dialogs.tsx";
import { EnvironmentDialog, GroupDialog } from "./label-dialogs.tsx";

type Asking = "deploy" | "auto_on" | "auto_off" | "group" | "environment";

interface Props {
  selection: Selection;
  /** How many match the filters. */
  matching: number;
}

/** What can be done with the chosen projects. */
export function BulkBar({ selection, matching }: Props) {
  const [asking, setAsking] = useState<Asking>();
  const ids = useMemo(() => [...selection.ids], [selection.ids]);
  const props = (what: Asking) => ({
    ids,
    isOpen: asking === what,
    onClose: () => setAsking(undefined),
    onDone: () => {
      setAsking(undefined);
      selection.clear();
    },
  });
  return (
    <div role="toolbar" aria-label="Chosen projects" className="flex flex-wrap items-center gap-2">
      <span className="font-medium tabular" role="status">{`${formatNumber(ids.length)} selected`}</span>
      <IconButton label="Clear selection" icon={X} compact onPress={selection.clear} />
      {ids.length < matching && (
        <Button kind="quiet" compact onPress={selection.chooseAll} isPending={selection.isReading}>
          {`Select all ${formatNumber(matching)} matching`}
        </Button>
      )}
      <Verbs ask={setAsking} />
      {selection.error && (
        <p role="alert" className="text-bad">
          {messageOf(selection.error)}
        </p>
      )}
      <DeployDialog {...props("deploy")} />
      <AutoDeployDialog {...props("auto_on")} isActive />
      <AutoDeployDialog {...props("auto_off")} isActive={false} />
      <GroupDialog {...props("group")} />
      <EnvironmentDialog {...props("environment")} />
    </div>
  );
}

function Verbs({ ask }: { ask: (what: Asking) => void }) {
  const mayDeploy = useMay("deployment:create");
  const mayUpdate = useMay("project:update");
  const items = [
    { id: "auto_on", label: "Turn auto-deploy on", onAction: () => ask("auto_on") },
    { id: "auto_off", label: "Turn auto-deploy off", onAction: () => ask("auto_off") },
    { id: "group", label: "Set group", onAction: () => ask("group") },
    { id: "environment", label: "Set environment", onAction: () => ask("environment") },
  ];
  return (
    <>
      {mayDeploy && (
        <Button compact onPress={() => ask("deploy")}>
          Deploy
        </Button>
      )}
      {mayUpdate && (
        <Menu
          label="Change"
          trigger={
            <Button compact>
              Change
              <ChevronDown aria-hidden size={14} />
            </Button>
          }
          sections={[{ items }]}
        />
      )}
    </>
  );
}
