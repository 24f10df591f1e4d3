/** What was typed into the fields of a form, by their names. */
export const textsOf = <Name extends string>(values: FormData, ...names: Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, String(values.get(name) ?? "")])) as Record<Name, string>;
