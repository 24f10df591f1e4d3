import type { OperationName } from "../../../contract/client.ts";
import type { AttentionItem } from "../../../contract/types.ts";

/** What the list of what needs attention can ask for; all of them need no more than the ids in their path. */
const mends = [
  "POST /api/v1/servers/{id}/setup/retry",
  "POST /api/v1/deployments/{id}/rerun",
  "POST /api/v1/projects/{id}/recycle",
  "POST /api/v1/projects/{id}/background-jobs/{jobId}/restart",
  "POST /api/v1/projects/{id}/install/retry",
  "POST /api/v1/projects/{id}/app/update",
  "POST /api/v1/projects/{id}/source/register",
  "POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew",
  "GET /api/v1/projects/{id}/check-ns",
  "POST /api/v1/notification-channels/{id}/test",
] as const satisfies readonly OperationName[];

/** The id that the API's document gives an operation. */
function operationId(name: string): string {
  const [method = "", path = ""] = name.split(" ");
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "" && word !== "api" && word !== "v1");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const byId = new Map<string, (typeof mends)[number]>(mends.map((name) => [operationId(name), name]));

/**
 * What mends an item by one press; undefined: it needs more, a file to choose or a question first, or this version of the page
 * does not know it.
 */
export const mendOf = ({ operation }: Pick<AttentionItem, "operation">): (typeof mends)[number] | undefined =>
  byId.get(operation ?? "");
