import { useQuery } from "@tanstack/react-query";
import type { MonitorOptions } from "../../../../contract/types.ts";
import { type MonitorType, monitorOptions } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatNumber } from "../../ui/format.ts";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type CheckField, type CheckValues, checkLabels } from "./check-values.ts";

interface Props {
  values: CheckValues;
  set: (values: Partial<CheckValues>) => void;
}

/** How a monitor of a type checks. */
export function CheckFields({ type, ...props }: Props & { type: MonitorType }) {
  const options = useQuery(monitorOptions(useOrganization())).data?.data;
  const shared = { ...props, options };
  return (
    <>
      {type === "http" ? <HttpFields {...shared} /> : <HeartbeatFields {...shared} />}
      <NumberField
        {...props}
        name="confirmation_threshold"
        description="How many checks in a row have to fail."
        placeholder={options?.defaults.confirmation_threshold}
      />
    </>
  );
}

type Optioned = Props & { options: MonitorOptions | undefined };

function HttpFields({ options, ...props }: Optioned) {
  const { values, set } = props;
  const least = options?.interval.min_seconds;
  return (
    <>
      <TextField
        label={checkLabels.url}
        name="config.url"
        description="What is requested. Redirects are not followed."
        placeholder="https://shop.example.com/health"
        value={values.url}
        onChange={(url) => set({ url })}
        isRequired
        mono
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={checkLabels.method}
          name="config.method"
          options={(options?.methods ?? ["GET", "HEAD", "POST"]).map((id) => ({ id, label: id }))}
          value={values.method}
          onChange={(method) => set({ method: String(method) })}
        />
        <NumberField {...props} name="expected_status" placeholder="Any 2xx" />
        <NumberField
          {...props}
          name="interval_seconds"
          description={
            least === undefined
              ? undefined
              : `At least ${formatNumber(least)}: the organization's plan allows no shorter one.`
          }
          placeholder={options?.interval.default_seconds}
          unit="seconds"
        />
        <NumberField
          {...props}
          name="timeout_seconds"
          description="Until the whole answer is there."
          placeholder={options?.defaults.timeout_seconds}
          unit="seconds"
        />
      </div>
    </>
  );
}

const HeartbeatFields = (props: Optioned) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <NumberField
      {...props}
      name="expected_period_seconds"
      description="Empty: by the schedule of the job."
      placeholder="By the schedule"
      unit="seconds"
    />
    <NumberField
      {...props}
      name="grace_seconds"
      description="How late a report may be. Empty: by the period."
      placeholder="By the period"
      unit="seconds"
    />
  </div>
);

interface NumberProps extends Props {
  name: CheckField;
  description?: string | undefined;
  placeholder?: string | number | undefined;
  unit?: string;
}

function NumberField({ name, values, set, description, placeholder, unit }: NumberProps) {
  return (
    <TextField
      label={checkLabels[name]}
      name={`config.${name}`}
      description={description}
      placeholder={String(placeholder ?? "")}
      inputMode="numeric"
      value={values[name]}
      onChange={(value) => set({ [name]: value })}
      {...(unit && { after: unit })}
      autoComplete="off"
    />
  );
}
