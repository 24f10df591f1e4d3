/** What a run, target or workflow works for: the table of its `subjectId`, in the singular. */
export type Subject =
  | "certificate_order"
  | "database"
  | "database_import"
  | "deployment"
  | "project"
  | "removal"
  | "server"
  | "server_order"
  | "server_snapshot";

/**
 * A kind of runs, targets or workflows. Rows store both fields, so that everything that works for a record can be found without
 * a list of its kinds.
 */
export interface Kind {
  /** Unique among runs, among targets, and among workflows. */
  kind: string;
  subject: Subject;
}

/** The record that something works for. */
export interface SubjectRef {
  subject: Subject;
  subjectId: number;
}

/** A record, and a kind of work for it. */
export interface WorkRef extends Kind, SubjectRef {}
