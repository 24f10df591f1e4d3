/** The forms of the values of facts. No form is longer than its use needs. */
const forms = {
  base64: /^[A-Za-z0-9+/]{1,16384}={0,2}$/,
  commit: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
  ids: /^[1-9][0-9]{0,14}(?: [1-9][0-9]{0,14}){0,15}$/,
  line: /^[^\p{Cc}\p{Zl}\p{Zp}]{1,300}$/u,
  number: /^(?:0|[1-9][0-9]{0,14})$/,
  origin: /^https?:\/\/[a-z0-9.-]{1,253}$/,
  "on-off": /^(?:on|off)$/,
  "path-or-removed": /^(?:removed|\/[^\p{Cc}]{1,1000})$/u,
  port: /^(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$/,
  "public-key": /^ssh-ed25519 [A-Za-z0-9+/]{68}(?: [!-~]{1,100})?$/,
  version: /^[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}$/,
} as const satisfies Record<string, RegExp>;

export type FactForm = keyof typeof forms;

/** The facts that a step may report, by key. In a key, `<id>` stands for the id of a record. */
export type FactForms = Readonly<Record<string, FactForm>>;

/** Whether a step that declares `declared` may report this value under this key. */
export function isFact(declared: FactForms, key: string, value: string): boolean {
  const pattern = key.replace(/(?<=_)[1-9][0-9]{0,14}$/, "<id>");
  return [key, pattern].some((each) => Object.hasOwn(declared, each) && forms[declared[each] as FactForm].test(value));
}
