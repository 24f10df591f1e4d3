import { findRefusal, type Noun, type VerbOf } from "../../../contract/capabilities.ts";
import type { AllowedHere } from "../../../contract/types.ts";

export type Permission = AllowedHere["permissions"][number];

/** Whether the role allows something at all: what it never allows is not shown. */
export const mayEver = (allowed: AllowedHere | null | undefined, permission: Permission): boolean =>
  allowed?.permissions.includes(permission) ?? false;

/** Why the record's state refuses a verb, in the API's sentence; undefined: it does not. */
export const refusalOf = <Name extends Noun>(noun: Name, verb: VerbOf<Name>, record: object): string | undefined =>
  findRefusal(noun, verb, record)?.message;
