import { isStatus, sentenceOf } from "../../api/errors.ts";
import { Button } from "../../ui/button.tsx";
import { FormActions } from "../../ui/form.tsx";

interface SaveBarProps {
  draft: { dirty: readonly unknown[]; reset: () => void };
  /** The record: "project". */
  what: string;
  /** Why it cannot be changed now. */
  disabledReason: string | undefined;
  error: Error | null;
  isPending: boolean;
  isSaved: boolean;
}

/** At the end of a long form, always in view: saves what was changed, or discards it. */
export function SaveBar({ draft, what, disabledReason, error, isPending, isSaved }: SaveBarProps) {
  // Of a record that has changed since, the note above says what.
  const sentence = isStatus(error, 409) ? `Not saved: the ${what} was changed elsewhere.` : sentenceOf(error);
  const unchanged = draft.dirty.length === 0 ? "Nothing was changed." : undefined;
  return (
    <div className="sticky bottom-0 border-line max-md:bottom-16 border-t bg-bg py-2">
      <FormActions refusal={sentence}>
        <Button type="submit" kind="primary" isPending={isPending} disabledReason={disabledReason ?? unchanged}>
          Save
        </Button>
        {draft.dirty.length > 0 && <Button onPress={draft.reset}>Discard changes</Button>}
        <span role="status" className="text-text-2">
          {isSaved && draft.dirty.length === 0 && "Saved."}
        </span>
      </FormActions>
    </div>
  );
}
