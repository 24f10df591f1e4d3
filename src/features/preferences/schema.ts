import { Type } from "typebox";
import { named, Success } from "../../http/schemas.ts";

export const namespaces = ["console", "mobile"] as const;
export const maxPreferencesBytes = 16 * 1024;

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

// Free-form: the action rejects anything but an object, since it can report the error by namespace.
const Preferences = Type.Unsafe<JsonObject>({
  type: "object",
  additionalProperties: true,
  description: "By namespace: console, mobile",
});

export const PreferencesReply = named("PreferencesReply", Success({ preferences: Preferences }));
export const PreferencesRequest = named("PreferencesRequest", Type.Object({ preferences: Preferences }));
