import { transaction } from "../../db/transaction.ts";
import type { CallerContext } from "../../http/route.ts";
import { type FieldErrors, invalid } from "../../lib/errors.ts";
import { isObject, merge } from "./merge.ts";
import { findPreferences, lockPreferences, savePreferences } from "./queries.ts";
import { type JsonObject, maxPreferencesBytes, namespaces } from "./schema.ts";

export const showPreferences = ({ pool, actor }: CallerContext): Promise<JsonObject> =>
  findPreferences(pool, actor.userId);

/** Merges the patch into the stored preferences; the later of two patches of the same key wins. */
export async function patchPreferences({ pool, actor }: CallerContext, patch: JsonObject): Promise<JsonObject> {
  const known: readonly string[] = namespaces;
  const errors: FieldErrors = {};
  for (const [namespace, value] of Object.entries(patch)) {
    const field = `preferences.${namespace}`;
    if (!known.includes(namespace)) errors[field] = `There are only the namespaces ${known.join(" and ")}.`;
    else if (value !== null && !isObject(value))
      errors[field] = `The namespace ${namespace} must be an object or null.`;
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return transaction(pool, async (tx) => {
    const merged = merge(await lockPreferences(tx, actor.userId), patch) as JsonObject;
    const bytes = Buffer.byteLength(JSON.stringify(merged));
    if (bytes > maxPreferencesBytes) {
      throw invalid({ preferences: `The preferences would take ${bytes} bytes; ${maxPreferencesBytes} is the limit.` });
    }
    await savePreferences(tx, actor.userId, merged);
    return merged;
  });
}
