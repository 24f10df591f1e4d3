import { useEffect, useReducer } from "react";
import { isStatus } from "../../api/errors.ts";
import { beginDraft, type Draft, type DraftAction, dirtyFields, nextDraft } from "./draft.ts";

interface Recorded {
  updated_at: string;
}

export interface RecordDraft<Values extends object> {
  values: Values;
  set: (values: Partial<Values>) => void;
  dirty: readonly (keyof Values)[];
  changedElsewhere: readonly (keyof Values)[];
  expectedUpdatedAt: string;
  /**
   * Saves the draft: `send` writes it, `read` resolves with the record afterwards. After a 409 the form follows the present
   * record, and what was typed stays.
   */
  save: (send: () => Promise<unknown>) => Promise<void>;
  reset: () => void;
  /** The note about changes elsewhere was read. */
  dismiss: () => void;
}

interface Source<Row extends Recorded, Values extends object> {
  record: Row;
  /** The fields of the form. */
  pick: (record: Row) => Values;
  read: () => Promise<Row>;
}

/** The values of a form for a record that others can change at the same time. */
export function useDraft<Row extends Recorded, Values extends object>(
  source: Source<Row, Values>,
): RecordDraft<Values> {
  const { record, pick, read } = source;
  const [draft, act] = useReducer(nextDraft<Values>, record, (row) => beginDraft(pick(row), row.updated_at));
  useEffect(() => act(followed(record, pick)), [record, pick]);
  const save = async (send: () => Promise<unknown>) => {
    act({ type: "send" });
    try {
      await send();
      const row = await read();
      act({ type: "saved", values: pick(row), updatedAt: row.updated_at });
    } catch (error) {
      act({ type: "refused" });
      if (isStatus(error, 409) && error.current) act(followed(error.current as Row, pick));
      throw error;
    }
  };
  return { ...shownOf(draft, act), save };
}

const followed = <Row extends Recorded, Values extends object>(record: Row, pick: (record: Row) => Values) =>
  ({ type: "follow", values: pick(record), updatedAt: record.updated_at }) as const;

const shownOf = <Values extends object>(draft: Draft<Values>, act: (action: DraftAction<Values>) => void) => ({
  values: draft.values,
  dirty: dirtyFields(draft),
  changedElsewhere: draft.changedElsewhere,
  expectedUpdatedAt: draft.updatedAt,
  set: (values: Partial<Values>) => act({ type: "set", values }),
  reset: () => act({ type: "reset" }),
  dismiss: () => act({ type: "seen" }),
});
