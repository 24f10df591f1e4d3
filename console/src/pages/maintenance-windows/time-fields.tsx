import { scheduleText } from "../../parts/schedule-text.ts";
import { TimeZoneField } from "../../parts/time-zone-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { FieldsProps, Unit } from "./values.ts";
import { ownZone } from "./window-text.ts";

const zoneText = `In your time zone, ${ownZone.replaceAll("_", " ")}.`;

export const OnceFields = ({ values, set }: FieldsProps) => (
  <>
    <TextField
      label="Starts"
      name="starts_at"
      type="datetime-local"
      description={zoneText}
      value={values.starts_at}
      onChange={(starts_at) => set({ starts_at })}
      isRequired
    />
    <TextField
      label="Ends"
      name="ends_at"
      type="datetime-local"
      value={values.ends_at}
      onChange={(ends_at) => set({ ends_at })}
      isRequired
    />
  </>
);

const unitOptions: readonly { id: Unit; label: string }[] = [
  { id: "minutes", label: "Minutes" },
  { id: "hours", label: "Hours" },
  { id: "days", label: "Days" },
];

export function RepeatingFields({ values, set }: FieldsProps) {
  return (
    <>
      <TextField
        label="Schedule"
        name="cron_expression"
        description="When it begins: minute, hour, day, month and weekday, such as 0 3 * * 0, or @daily."
        placeholder="0 3 * * 0"
        value={values.cron_expression}
        onChange={(cron_expression) => set({ cron_expression })}
        isRequired
        mono
        autoComplete="off"
      />
      <p aria-live="polite" className="text-text-2 empty:hidden">
        {scheduleText(values.cron_expression)}
      </p>
      <div className="flex gap-3">
        <TextField
          label="Duration"
          name="duration_seconds"
          value={values.duration}
          onChange={(duration) => set({ duration })}
          isRequired
          inputMode="decimal"
          autoComplete="off"
          className="min-w-0 flex-1"
        />
        <Select
          label="Unit"
          options={unitOptions}
          value={values.unit}
          onChange={(unit) => set({ unit: unit as Unit })}
          className="min-w-0 flex-1"
        />
      </div>
      <TimeZoneField
        value={values.timezone}
        onChange={(timezone) => set({ timezone })}
        description="Of the schedule; changes to daylight saving time are those of cron."
      />
    </>
  );
}
