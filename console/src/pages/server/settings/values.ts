import type { ServerUpdate } from "../../../../../contract/types.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { numberIn } from "../../../parts/form-text.ts";
import type { RecordDraft } from "../../../parts/record-draft/use-draft.ts";

/** The fields of the form, as people edit them: what is not set is an empty text. */
export interface SettingsValues {
  name: string;
  environment: WholeServer["environment"];
  timezone: string;
  notes: string;
  public_ip: string;
  private_ip: string;
  ssh_port: string;
  queue_limit: string;
  delete_protection: boolean;
}

export type SettingsDraft = RecordDraft<SettingsValues>;

/** What a field is called on the page. Its name is the API's. */
export const labels: Record<keyof SettingsValues, string> = {
  name: "Name",
  environment: "Environment",
  timezone: "Time zone",
  notes: "Notes",
  public_ip: "Public IP",
  private_ip: "Private IP",
  ssh_port: "SSH port",
  queue_limit: "Deployments at once",
  delete_protection: "Delete protection",
};

export const valuesOf = (server: WholeServer): SettingsValues => ({
  name: server.name,
  environment: server.environment,
  timezone: server.timezone,
  notes: server.notes ?? "",
  public_ip: server.public_ip ?? "",
  private_ip: server.private_ip ?? "",
  ssh_port: String(server.ssh_port),
  queue_limit: server.queue_limit === null ? "" : String(server.queue_limit),
  delete_protection: server.delete_protection || server.protects_live_projects,
});

/** What saving sends: only fields that were changed, so that a save never takes back what others did. */
export function updateOf(values: SettingsValues, dirty: readonly (keyof SettingsValues)[]): ServerUpdate {
  return Object.fromEntries(dirty.map((name) => [name, sentAs(name, values)]));
}

const emptyIsNull: readonly (keyof SettingsValues)[] = ["notes", "private_ip", "queue_limit"];
const numbers: readonly (keyof SettingsValues)[] = ["ssh_port", "queue_limit"];

function sentAs(name: keyof SettingsValues, values: SettingsValues): unknown {
  const value = values[name];
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "" && emptyIsNull.includes(name)) return null;
  return numbers.includes(name) ? numberIn(text) : text;
}
