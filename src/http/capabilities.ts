import { type Condition, filledIn, isMet } from "../../contract/capability-rules.ts";
import { AppError } from "../lib/errors.ts";
import { endRehearsal } from "./rehearsal.ts";

// What can be done to a record in its state, as data: the API checks requests against these tables, and contract/
// publishes them.

type Field<Row> = keyof Row & string;
type ValuesOf<Row> = { readonly [Name in Field<Row>]?: readonly (Row[Name] | null)[] };

export interface Refusal<Row> {
  /** Refused when each of these fields has one of these values. */
  readonly when?: ValuesOf<Row>;
  /** Refused unless each of these fields has one of these values. */
  readonly unless?: ValuesOf<Row>;
  /** Detected only while the verb runs, for example by a compare-and-set that changes nothing. */
  readonly late?: true;
  /** The code of the error; `refused` when omitted. */
  readonly code?: "conflict";
  /** For the reader; `{name}` stands for that field of the record, or a value passed by the caller. */
  readonly message: string;
}

export interface Verb<Row> {
  /** Such as `POST /api/v1/servers/:id/reboot`; the verb has its permission. */
  readonly route: string;
  /**
   * By reason, in the order in which they are checked. A refusal without `when` and `unless` depends on more than the record. None:
   * only the permission decides.
   */
  readonly refusals: Readonly<Record<string, Refusal<Row>>>;
}

export interface CapabilityTable<Row> {
  /** Several tables can define verbs for one noun: a later feature adds its own to those of an earlier one. */
  readonly noun: string;
  /** The route that shows the record with the fields used in the conditions. */
  readonly record: string;
  /** The path of the record, if `record` is a list. */
  readonly path?: string;
  /** The field that holds the record's state, and the names of its values. */
  readonly state?: {
    readonly field: Field<Row>;
    readonly values: Readonly<Record<string, unknown>> | readonly string[];
  };
  readonly verbs: Readonly<Record<string, Verb<Row>>>;
}

type RefusalsOf<Table, Name extends VerbOf<Table>> = Table extends { verbs: infer Verbs }
  ? Verbs[Name & keyof Verbs] extends { refusals: infer Refusals }
    ? Refusals
    : never
  : never;
type VerbOf<Table> = Table extends { verbs: infer Verbs } ? keyof Verbs & string : never;

type Values = Readonly<Record<string, unknown>>;
/** Whether a condition refuses the verb; values fill in the sentence. */
type Finding = boolean | Values | undefined;

/** The reasons that depend on more than the record, each with its check. */
type Checks<Refusals> = {
  [Reason in keyof Refusals as Refusals[Reason] extends { when: unknown } | { unless: unknown } | { late: true }
    ? never
    : Reason]: () => Finding | Promise<Finding>;
};

type Rest<Refusals> = keyof Checks<Refusals> extends never ? [] : [checks: Checks<Refusals>];

export interface Capabilities<Row, Table> {
  table: Table;
  /**
   * Throws the first refusal of the table that applies to the record. Each reason that depends on more than the record has its
   * check in `checks`, which runs in the order of the table. A rehearsal ends here, unless the verb has late refusals.
   */
  refuse: <Name extends VerbOf<Table>>(
    verb: Name,
    record: Row,
    ...checks: Rest<RefusalsOf<Table, Name>>
  ) => Promise<void>;
  /** The error for one reason, for a refusal that is detected elsewhere. */
  refusal: <Name extends VerbOf<Table>>(
    verb: Name,
    reason: keyof RefusalsOf<Table, Name> & string,
    values?: object,
  ) => AppError;
}

/** Makes the table of a noun: `capabilities<ServerRow>()({ noun: "server", … })`. */
export function capabilities<Row extends object>() {
  return <const Table extends CapabilityTable<Row>>(table: Table): Capabilities<Row, Table> => ({
    table,
    refuse: async (name, record, ...[checks]) => {
      const { refusals } = verbOf(table, name);
      for (const [reason, each] of Object.entries(refusals)) {
        if (each.late) continue;
        const values = hasCondition(each) ? isMet(each as Condition, record) : await checkOf(checks, reason)();
        if (values) throw errorOf(reason, each, { ...record, ...(values === true ? {} : values) });
      }
      if (!Object.values(refusals).some(({ late }) => late)) endRehearsal();
    },
    refusal: (name, reason, values = {}) => {
      const refusal = verbOf(table, name).refusals[reason];
      if (!refusal) throw new Error(`The ${table.noun} has no refusal ${reason} of ${name}`);
      return errorOf(reason, refusal, values);
    },
  });
}

/** Whether the record alone decides about the refusal. */
export const hasCondition = ({ when, unless }: { when?: unknown; unless?: unknown }): boolean =>
  when !== undefined || unless !== undefined;

function verbOf<Row>(table: CapabilityTable<Row>, name: string): Verb<Row> {
  const verb = table.verbs[name];
  if (!verb) throw new Error(`The ${table.noun} has no verb ${name}`);
  return verb;
}

function checkOf(checks: unknown, reason: string): () => Finding | Promise<Finding> {
  const check = (checks as Record<string, (() => Finding | Promise<Finding>) | undefined> | undefined)?.[reason];
  if (!check) throw new Error(`Nothing checks ${reason}`);
  return check;
}

function errorOf<Row>(reason: string, { code, message }: Refusal<Row>, values: object): AppError {
  return new AppError(code ?? "refused", filledIn(message, values), { reason });
}
