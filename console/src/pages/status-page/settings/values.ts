import type { StatusPage, StatusPageMonitor, StatusPageUpdate } from "../../../../../contract/types.ts";
import type { RecordDraft } from "../../../parts/record-draft/use-draft.ts";

/** The fields of the form, as people edit them: what is not set is an empty text. */
export interface SettingsValues {
  name: string;
  description: string;
  slug: string;
  domain: string;
  is_public: boolean;
  monitors: readonly StatusPageMonitor[];
}

export type SettingsDraft = RecordDraft<SettingsValues>;

/** What a field is called on the page. Its name is the API's. */
export const labels: Record<keyof SettingsValues, string> = {
  name: "Name",
  description: "Description",
  slug: "Address",
  domain: "Domain",
  is_public: "Public",
  monitors: "Monitors",
};

export const valuesOf = (page: StatusPage): SettingsValues => ({
  name: page.name,
  description: page.description,
  slug: page.slug,
  domain: page.domain ?? "",
  is_public: page.is_public,
  monitors: page.monitors,
});

/** What saving sends: only fields that were changed, so that a save never takes back what others did. */
export function updateOf(values: SettingsValues, dirty: readonly (keyof SettingsValues)[]): StatusPageUpdate {
  const sent: Required<Omit<StatusPageUpdate, "expected_updated_at">> = {
    name: values.name.trim(),
    description: values.description,
    slug: values.slug.trim(),
    domain: values.domain.trim() || null,
    is_public: values.is_public,
    monitors: values.monitors.map(({ id, label }) => ({ id, label: label?.trim() || null })),
  };
  return Object.fromEntries(dirty.map((name) => [name, sent[name]]));
}
