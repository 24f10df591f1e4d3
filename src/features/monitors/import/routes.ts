import { type Route, route } from "../../../http/route.ts";
import { success } from "../../../http/schemas.ts";
import { importMonitors } from "./actions.ts";
import { importExample, importRequestExample } from "./examples.ts";
import { ImportReply, ImportRequest } from "./schema.ts";

export const monitorImportRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/monitors/import",
    summary: "Import monitors from Uptime Kuma or Healthchecks",
    description:
      "With `dry_run` nothing is made, and the answer shows what would be, and what cannot be and why. Each item is " +
      "imported on its own, at most 1,000 of them: one that cannot be imported is skipped with its `reason`, and " +
      "`notes` has what differs from the source.\n\n" +
      "* The target of an item is the first that matches: `targets`, the domain of its address, the job of the same " +
      "name without regard to case. An item that several jobs match is skipped.\n" +
      "* What is watched already is skipped, so that an import can be repeated.\n" +
      "* Intervals below the plan's minimum become that minimum. The limits of the plan apply as for single " +
      "monitors.",
    permission: "monitor:manage",
    body: ImportRequest,
    reply: ImportReply,
    examples: { body: importRequestExample, reply: importExample },
    handle: async (ctx, { body }) => success(await importMonitors(ctx, body)),
  }),
];
