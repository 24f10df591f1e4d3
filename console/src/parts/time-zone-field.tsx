import { ComboBox } from "../ui/combo-box.tsx";

/** The zones that the browser knows, and UTC, which it leaves out. */
const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")].map((id) => ({ id, label: id }));

interface Props {
  value: string;
  onChange: (zone: string) => void;
  description?: string;
}

/** Of a server, unless the description says of what. */
export function TimeZoneField({
  value,
  onChange,
  description = "Of the server's clock and of scheduled jobs.",
}: Props) {
  // A zone that this browser has under another name.
  const options = zones.some(({ id }) => id === value) ? zones : [{ id: value, label: value }, ...zones];
  return (
    <ComboBox
      label="Time zone"
      name="timezone"
      description={description}
      options={options}
      value={value}
      onChange={(zone) => zone !== null && onChange(String(zone))}
      empty="No time zone has this name."
    />
  );
}
