import { ChosenRecords } from "../../parts/chosen-records/chosen-records.tsx";
import { useMonitorChoice, useServerChoice } from "../../parts/chosen-records/use-choice.ts";
import { RadioGroup } from "../../ui/radio-group.tsx";
import type { FieldsProps } from "./values.ts";

/** The API's sentence. */
const restrictedReason = "A window for all monitors needs a membership that is not restricted.";

export function TargetFields({ values, set, isRestricted }: FieldsProps & { isRestricted: boolean }) {
  const all = {
    value: "all",
    label: "All monitors",
    description: "Also those that are created later.",
    disabledReason: isRestricted ? restrictedReason : undefined,
  };
  return (
    <>
      <RadioGroup
        label="Applies to"
        options={[all, { value: "chosen", label: "Chosen monitors and servers" }]}
        value={values.all_monitors ? "all" : "chosen"}
        onChange={(chosen) => set({ all_monitors: chosen === "all" })}
      />
      {!values.all_monitors && <Chosen values={values} set={set} />}
    </>
  );
}

const Chosen = ({ values: { monitor_ids, server_ids }, set }: FieldsProps) => (
  <div className="flex flex-col gap-4 border-line border-l pl-4">
    <ChosenRecords
      noun="monitor"
      label="Monitors"
      ids={monitor_ids}
      onChange={(ids) => set({ monitor_ids: ids })}
      useChoice={useMonitorChoice}
    />
    <ChosenRecords
      noun="server"
      label="Servers"
      description="With all monitors of what is on them."
      ids={server_ids}
      onChange={(ids) => set({ server_ids: ids })}
      useChoice={useServerChoice}
    />
  </div>
);
