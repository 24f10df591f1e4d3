import type { MonitorType } from "../../data/monitors.ts";
import { Select } from "../../ui/select.tsx";
import type { Target } from "./targets.ts";

interface Props {
  type: MonitorType;
  /** Of the chosen project. */
  targets: readonly Target[];
  chosen: string | undefined;
  onChange: (key: string) => void;
}

/** What of a project a monitor watches. */
export function TargetField({ type, targets, chosen, onChange }: Props) {
  if (type === "heartbeat" && targets.length === 0) {
    return (
      <p className="text-text-2">This project has no jobs. A heartbeat watches a scheduled or a background job.</p>
    );
  }
  return (
    <Select
      label={type === "http" ? "Site" : "Job"}
      name="monitorable_id"
      options={targets.map(({ key: id, label, description, disabledReason }) => ({
        ...{ id, label, description, disabledReason },
      }))}
      value={chosen ?? null}
      onChange={(key) => onChange(String(key))}
      placeholder="Choose"
      isRequired
    />
  );
}
