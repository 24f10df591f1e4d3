import type { Organization } from "../../../../../contract/types.ts";
import { fieldsOf, isStatus, sentenceOf } from "../../../api/errors.ts";
import { invalidateAccount } from "../../../data/account.ts";
import { readAgain } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { organizationRecord } from "../../../data/organization-settings.ts";
import { useWrite } from "../../../data/write.ts";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toast.tsx";

const pick = ({ name }: Organization) => ({ name });

/** The name, which a member who may not change it reads. */
export function NameSection({ organization }: { organization: Organization }) {
  const mayManage = useMay("organization:manage");
  return (
    <Section title="Organization" description="What members and invitations call it.">
      {mayManage ? <NameForm organization={organization} /> : <p dir="auto">{organization.name}</p>}
    </Section>
  );
}

function NameForm({ organization }: { organization: Organization }) {
  const { draft, save, error, isPending } = useName(organization);
  const sentence = isStatus(error, 409) ? "Not saved: it was renamed elsewhere meanwhile." : sentenceOf(error);
  return (
    <Form onSubmit={() => void save()} errors={fieldsOf(error)}>
      <TextField
        label="Name"
        name="name"
        value={draft.values.name}
        onChange={(name) => draft.set({ name })}
        isRequired
        maxLength={100}
        autoComplete="off"
        {...(draft.changedElsewhere.length > 0 &&
          draft.dirty.length > 0 && { description: "It was renamed elsewhere. Saving replaces that name." })}
      />
      <FormActions refusal={sentence}>
        <Button
          type="submit"
          kind="primary"
          isPending={isPending}
          disabledReason={draft.dirty.length === 0 ? "Nothing was changed." : undefined}
        >
          Save
        </Button>
      </FormActions>
    </Form>
  );
}

function useName(organization: Organization) {
  const { id } = organization;
  const record = organizationRecord(id);
  const read = async () => (await readAgain(record)).data;
  const draft = useDraft({ record: organization, pick, read });
  const update = useWrite("PUT /api/v1/organizations/{id}", {
    onDone: async ({ message }) => {
      await invalidateAccount();
      showToast({ text: message, tone: "ok" });
    },
  });
  const body = { name: draft.values.name.trim(), expected_updated_at: draft.expectedUpdatedAt };
  const save = () => draft.save(() => update.mutateAsync({ params: { id }, body })).catch(() => {});
  return { draft, save, error: update.error, isPending: update.isPending };
}
