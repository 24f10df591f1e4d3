import { fieldsOf, isStatus, sentenceOf } from "../../api/errors.ts";
import { readAgain } from "../../data/cache.ts";
import { type Database, paramsOf, serverDatabases } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { useDraft } from "../record-draft/use-draft.ts";
import { useDatabaseRefusals } from "./use-database.ts";

const pick = ({ notes }: Database) => ({ notes: notes ?? "" });

/** A text of one's own about the database, which a viewer reads. */
export function NotesSection({ database }: { database: Database }) {
  const mayChange = useMay("server:update");
  if (!mayChange && !database.notes) return null;
  return (
    <Section title="Notes">
      {mayChange ? (
        <NotesForm database={database} />
      ) : (
        <p dir="auto" className="max-w-[72ch] whitespace-pre-line [overflow-wrap:anywhere]">
          {database.notes}
        </p>
      )}
    </Section>
  );
}

function NotesForm({ database }: { database: Database }) {
  const { draft, save, error, isPending } = useNotes(database);
  const refusal = useDatabaseRefusals(database)("update");
  const isBehind = draft.changedElsewhere.length > 0 && draft.dirty.length > 0;
  const unchanged = draft.dirty.length === 0 ? "Nothing was changed." : undefined;
  return (
    <Form onSubmit={() => void save()} errors={fieldsOf(error)}>
      <TextArea
        label="Notes"
        name="notes"
        {...(isBehind && { description: "They were changed elsewhere. Saving replaces that text." })}
        value={draft.values.notes}
        onChange={(notes) => draft.set({ notes })}
        maxLength={10_000}
        rows={3}
      />
      <FormActions
        refusal={isStatus(error, 409) ? "Not saved: the database was changed elsewhere." : sentenceOf(error)}
      >
        <Button type="submit" isPending={isPending} disabledReason={refusal ?? unchanged}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}

function useNotes(database: Database) {
  const list = serverDatabases(useOrganization(), database.server_id);
  const read = async () => {
    const { data } = await readAgain(list);
    return data.find(({ id }) => id === database.id) ?? database;
  };
  const draft = useDraft({ record: database, pick, read });
  const update = useWrite("PUT /api/v1/servers/{id}/databases/{database}");
  const body = { notes: draft.values.notes || null, expected_updated_at: draft.expectedUpdatedAt };
  const save = () => draft.save(() => update.mutateAsync({ params: paramsOf(database), body })).catch(() => {});
  return { draft, save, error: update.error, isPending: update.isPending };
}
