import { type Route, route } from "../../../http/route.ts";
import { success } from "../../../http/schemas.ts";
import { importMonitors } from "./actions.ts";
import { ImportReply, ImportRequest } from "./schema.ts";

const example = {
  source: "healthchecks",
  dry_run: true,
  data: { checks: [{ name: "Nightly backup", slug: "nightly-backup", schedule: "30 4 * * *", grace: 3600 }] },
};

export const monitorImportRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/monitors/import",
    summary: "Import monitors from Uptime Kuma or Healthchecks",
    description:
      "With `dry_run` nothing is made, and the answer shows what would be, and what cannot be and why. An HTTP monitor watches the " +
      "domain of its address, a heartbeat the job of the same name; `targets` names what else an item watches. What is watched already is " +
      "skipped, so that an import can be repeated.",
    permission: "monitor:manage",
    body: ImportRequest,
    reply: ImportReply,
    examples: { body: example },
    handle: async (ctx, { body }) => success(await importMonitors(ctx, body)),
  }),
];
