import type { StatusPage } from "../../../../../contract/types.ts";
import { readAgain } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { statusPage } from "../../../data/status-pages.ts";
import { useWrite } from "../../../data/write.ts";
import { RecordForm } from "../../../parts/record-draft/record-form.tsx";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { Section } from "../../../ui/section.tsx";
import { MonitorsSection } from "./monitors-section.tsx";
import { PageFields } from "./page-fields.tsx";
import { labels, updateOf, valuesOf } from "./values.ts";

/** What the page shows and where. Those who may not change it see the values. */
export function SettingsSection({ page }: { page: StatusPage }) {
  const { draft, send, update } = useSettings(page);
  const mayManage = useMay("monitor:manage");
  return (
    <RecordForm
      draft={draft}
      what="status page"
      subject={`status-page:${page.id}`}
      fieldOf={(field) => ({ field, label: labels[field] })}
      mayUpdate={mayManage}
      send={send}
      write={update}
      className="gap-8"
    >
      <MonitorsSection draft={draft} mayManage={mayManage} />
      <Section title="Settings">
        <PageFields draft={draft} />
      </Section>
    </RecordForm>
  );
}

function useSettings(page: StatusPage) {
  const { id } = page;
  const record = statusPage(useOrganization(), id);
  const draft = useDraft({ record: page, pick: valuesOf, read: async () => (await readAgain(record)).data });
  const update = useWrite("PUT /api/v1/status-pages/{id}", { touches: ["status_pages"] });
  const body = { ...updateOf(draft.values, draft.dirty), expected_updated_at: draft.expectedUpdatedAt };
  return { draft, send: () => update.mutateAsync({ params: { id }, body }), update };
}
