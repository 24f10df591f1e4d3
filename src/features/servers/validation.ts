import type { Static, TSchema } from "typebox";
import { type Parser, parserOf } from "../../http/validation.ts";
import type { FieldErrors } from "../../lib/errors.ts";
import {
  type CloudServer,
  type CustomServer,
  type ProviderType,
  providerTypes,
  serverRequests,
  ThisMachineServer,
  UnknownServer,
} from "./schema.ts";

/** The request, with its errors; a field without an error holds a value of its type. */
export type ServerOrder =
  | { providerType: "custom"; body: CustomServer; errors: FieldErrors }
  | { providerType: "this_machine"; body: ThisMachineServer; errors: FieldErrors }
  | { providerType: Exclude<ProviderType, "custom">; body: CloudServer; errors: FieldErrors }
  | { providerType: undefined; body: Partial<Static<typeof UnknownServer>>; errors: FieldErrors };

const parsers = Object.fromEntries(
  providerTypes.map((type) => [type, parserOf(serverRequests[type] as TSchema)]),
) as Record<ProviderType, Parser>;
const unknownParser = parserOf(UnknownServer);
const thisMachineParser = parserOf(ThisMachineServer);

/** Reads a request by its provider type; default: custom. One with `this_machine` is for the machine of Longshore itself. */
export function readOrder(given: unknown): ServerOrder {
  if ((given as { this_machine?: unknown } | null)?.this_machine === true) {
    const { value, errors = {} } = thisMachineParser.parse(given);
    return { providerType: "this_machine", body: value ?? given, errors } as ServerOrder;
  }
  const named = (given as { provider_type?: unknown } | null)?.provider_type;
  const providerType = named === undefined ? "custom" : providerTypes.find((type) => type === named);
  const parser = providerType ? parsers[providerType] : unknownParser;
  const { value, errors = {} } = parser.parse(given);
  return { providerType, body: value ?? given, errors } as ServerOrder;
}
