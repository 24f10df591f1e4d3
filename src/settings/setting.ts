export interface Setting<Value> {
  env: string;
  /** The command-line option that overrides the variable. */
  flag?: string;
  /** Describes a valid value, for use after "must be". */
  type: string;
  /** As written in the environment; undefined if the setting is optional. */
  default?: string;
  about: string;
  secret?: true;
  /** The value, or undefined if the text is not valid. */
  parse(text: string): Value | undefined;
}

export type Settings = Record<string, Setting<unknown>>;
