import { sentenceOf } from "../../../api/errors.ts";
import { type AppFacts, useAppSettings } from "../../../data/apps.ts";
import { Switch } from "../../../ui/switch.tsx";

/** Changed at once. */
export function AutomaticUpdates({ projectId, facts }: { projectId: number; facts: AppFacts }) {
  const change = useAppSettings(projectId);
  const mode = change.isPending ? change.variables.automatic_updates : facts.automatic_updates;
  return (
    <div className="flex flex-col gap-1">
      <Switch
        isSelected={mode === "minor"}
        onChange={(isOn) => change.mutate({ automatic_updates: isOn ? "minor" : "off" })}
        description="Within the installed line of versions, such as 6.8.4 to 6.8.5. Longshore looks once a day."
      >
        Install minor updates automatically
      </Switch>
      {change.error && (
        <p role="alert" className="text-bad">
          {sentenceOf(change.error)}
        </p>
      )}
    </div>
  );
}
