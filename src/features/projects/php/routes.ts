import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { changePhp, showPhp } from "./actions.ts";
import { php } from "./examples.ts";
import { PhpChanged, PhpReply, PhpUpdate } from "./schema.ts";

const notPhp = "The project does not run on PHP.";

export const phpRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/projects/:id/php",
    summary: "Read the PHP settings of a project",
    description:
      "Limits, compiled scripts and extensions of the project's own PHP-FPM. The version is `php_version` of the project, and the " +
      "largest upload its `max_upload_mb`. `sync` shows whether its servers have the settings.",
    permission: "project:read",
    params: IdParams,
    reply: PhpReply,
    errors: { refused: notPhp },
    examples: { reply: success({ data: php }) },
    handle: async (ctx, { params }) => success({ data: await showPhp(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/php",
    record: "/api/v1/projects/:id",
    summary: "Change the PHP settings of a project",
    description:
      "Omitted fields keep their values, and nothing is deployed: the project's PHP-FPM is reloaded without a lost request. The " +
      "request waits for the project's own server for at most 90 seconds; past that it answers 202, and the change continues.\n\n" +
      "* PHP-FPM tests the settings before it gets them. What it refuses is taken back, and the answer has the reason (422).\n" +
      "* `max_workers` is at most one for each 32 MB of the server's memory; a further server with less gets fewer.\n" +
      "* `max_execution_seconds` above 300 also lets nginx and PHP-FPM wait as long for a request.\n" +
      "* `extensions` are installed from the packages of the server, for the version of PHP that the project uses. The workers of " +
      "this project alone load them, while the command line of PHP has them for all projects of the server.",
    permission: "project:update",
    params: IdParams,
    body: PhpUpdate,
    reply: PhpChanged,
    otherStatuses: [202],
    errors: { refused: `${notPhp} Or its PHP-FPM refuses the settings.` },
    examples: {
      body: { memory_limit_mb: 512, max_workers: 40, extensions: ["imagick"] },
      reply: success({ message: "PHP has the settings.", data: php }),
    },
    handle: (ctx, { params, body }) => changePhp(ctx, params.id, body),
  }),
];
