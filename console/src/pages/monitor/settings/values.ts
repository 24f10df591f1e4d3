import type { MonitorUpdate } from "../../../../../contract/types.ts";
import type { Monitor, MonitorType } from "../../../data/monitors.ts";
import { type CheckValues, checkLabels, checkValuesOf, configOf } from "../../../parts/monitor/check-values.ts";
import type { RecordDraft } from "../../../parts/record-draft/use-draft.ts";

/** Where a monitor sends notifications; of a stored one the target is without its secret. */
export interface Channel {
  type: Monitor["notification_channels"][number]["type"];
  target: string;
  bot_token?: string;
  on: readonly ("down" | "up")[];
}

export interface SettingsValues extends CheckValues {
  name: string;
  notification_channels: readonly Channel[];
}
export type SettingsField = keyof SettingsValues;
export type SettingsDraft = RecordDraft<SettingsValues>;

/** What a field is called on the page. */
export const labels: Record<SettingsField, string> = {
  name: "Name",
  ...checkLabels,
  notification_channels: "Notifications",
};

export const valuesOf = ({ name, config, notification_channels }: Monitor): SettingsValues => ({
  name,
  ...checkValuesOf(config),
  notification_channels,
});

/** What saving sends: only fields that were changed, so that a save never takes back what others did. */
export function updateOf(type: MonitorType, values: SettingsValues, dirty: readonly SettingsField[]): MonitorUpdate {
  const checks = dirty.filter((name): name is keyof CheckValues => name !== "name" && name !== "notification_channels");
  return {
    ...(dirty.includes("name") && { name: values.name.trim() }),
    ...(checks.length > 0 && { config: configOf(type, values, checks) }),
    ...(dirty.includes("notification_channels") && { notification_channels: values.notification_channels }),
  };
}

/** The field of the API's activity: those of a check are in `config`. */
export const activityField = (name: SettingsField): string =>
  name === "name" || name === "notification_channels" ? name : `config.${name}`;
