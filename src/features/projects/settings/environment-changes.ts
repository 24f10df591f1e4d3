import { type Variable, variablesIn } from "../../../host/environment/environment.ts";
import { timestamp } from "../../../lib/timestamp.ts";

/** When the value of a variable was last set, and by which account. */
export interface VariableChange {
  at: string;
  by: number;
}

/** By the name of the variable; a variable that was set before this was recorded has none. */
export type VariableChanges = Readonly<Record<string, VariableChange>>;

const valuesIn = (text: string): Map<string, string> =>
  new Map(variablesIn(text).map(({ name, value }): [string, string] => [name, value]));

/** The changes of a text's variables after it has replaced another one. */
export function changesAfter(
  before: { text: string; changes: VariableChanges },
  text: string,
  { at, by }: { at: Date; by: number },
): VariableChanges {
  const former = valuesIn(before.text);
  const known = new Map(Object.entries(before.changes));
  const now = { at: timestamp(at), by };
  const next = variablesIn(text).map(({ name, value }): [string, VariableChange | undefined] => [
    name,
    former.get(name) === value ? known.get(name) : now,
  ]);
  return Object.fromEntries(next.filter((each): each is [string, VariableChange] => each[1] !== undefined));
}

/** Whether each of the environments has the variable with this value; not without an environment. */
export const livenessIn = (texts: readonly string[]): ((variable: Variable) => boolean) => {
  const live = texts.map(valuesIn);
  return ({ name, value }) => live.length > 0 && live.every((values) => values.get(name) === value);
};

/** What a text would change, by name: values are compared as programs receive them. */
export function compareEnvironments(before: string, after: string) {
  const [former, next] = [valuesIn(before), valuesIn(after)];
  const names = [...next.keys()];
  return {
    added: names.filter((name) => !former.has(name)),
    changed: names.filter((name) => former.has(name) && former.get(name) !== next.get(name)),
    removed: [...former.keys()].filter((name) => !next.has(name)),
    unchanged: names.filter((name) => former.get(name) === next.get(name)).length,
  };
}
