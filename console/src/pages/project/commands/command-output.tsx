import { useQuery } from "@tanstack/react-query";
import { refusalOf } from "../../../api/actions.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { type Command, command as commandRead } from "../../../data/commands.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { LogView } from "../../../parts/log-view/log-view.tsx";
import { commandLog } from "../../../parts/log-view/source.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { useProject } from "../use-project.ts";
import { CommandStateBadge } from "./command-state-badge.tsx";

/** A command with what it prints, from its first line on. */
export function CommandOutput({ id }: { id: number }) {
  const [o, project] = [useOrganization(), useProject()];
  const read = useQuery(commandRead(o, project.id, id));
  return (
    <Loaded query={read} what="The command could not be read.">
      {({ data }) => (
        <Section title="Output" actions={<Cancel command={data} />}>
          <p className="flex flex-wrap items-baseline gap-x-3">
            <code className="[overflow-wrap:anywhere]">{data.command}</code>
            <CommandStateBadge command={data} />
          </p>
          {data.error && <p className="text-bad [overflow-wrap:anywhere]">{data.error}</p>}
          <LogView source={commandLog(o, project.id, id)} label="Output" />
        </Section>
      )}
    </Loaded>
  );
}

function Cancel({ command }: { command: Command }) {
  const cancel = useWrite("POST /api/v1/projects/{id}/commands/{commandId}/cancel", { touches: ["commands"] });
  const mayCancel = useMay("deployment:create");
  if (!mayCancel || command.ended_at !== null) return null;
  const error = sentenceOf(cancel.error);
  return (
    <>
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <Button
        onPress={() => cancel.mutate({ params: { id: command.project_id, commandId: command.id } })}
        isPending={cancel.isPending}
        disabledReason={refusalOf("command", "cancel", command)}
      >
        Cancel command
      </Button>
    </>
  );
}
