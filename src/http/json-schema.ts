/** The parts of JSON Schema that the schemas of routes use. */
export interface Schema {
  type?: string | string[];
  title?: string;
  errorMessage?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: unknown;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  /** What the OpenAPI document shows in place of it, where the handler reads the value. */
  documentedAs?: Schema;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
