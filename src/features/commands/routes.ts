import { LogQuery } from "../../http/logs.ts";
import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { cancelCommand, runCommand, showCommand, showCommands } from "./actions.ts";
import {
  CommandAccepted,
  CommandCancelled,
  CommandPage,
  CommandParams,
  CommandReply,
  CommandRequest,
  mostCommands,
} from "./schema.ts";

const commands = "/api/v1/projects/:id/commands";
const tag = "commands";

export const commandRoutes: Route[] = [
  route({
    method: "POST",
    path: commands,
    summary: "Run a command in a project's live release",
    description:
      "Once, as the project's own user and with the live release's environment variables, such as `php artisan migrate:status`. " +
      "It has no terminal and no input. The answer comes at once; each event `command.log` signals that there is more to read.",
    tag,
    permission: "deployment:create",
    params: IdParams,
    body: CommandRequest,
    status: 202,
    reply: CommandAccepted,
    errors: {
      refused: `The project has no live release, is being moved or removed, or runs ${mostCommands} commands already.`,
    },
    examples: { body: { command: "php artisan migrate:status" } },
    handle: async (ctx, { params, body }) => success(await runCommand(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: commands,
    summary: "List a project's commands",
    description: "The newest first. They are kept as long as logs are.",
    tag,
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: CommandPage,
    handle: (ctx, { params, query }) => showCommands(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: `${commands}/:commandId`,
    summary: "Read a command with a part of its output",
    description: "Secrets of the project's environment are masked in `command` and `log`.",
    tag,
    permission: "project:read",
    params: CommandParams,
    query: LogQuery,
    reply: CommandReply,
    handle: async (ctx, { params, query }) =>
      success({ data: await showCommand(ctx, { projectId: params.id, commandId: params.commandId }, query) }),
  }),
  route({
    method: "POST",
    path: `${commands}/:commandId/cancel`,
    summary: "End a command",
    description: "With every process that it started. What it has done stays.",
    tag,
    permission: "deployment:create",
    params: CommandParams,
    status: 202,
    reply: CommandCancelled,
    errors: { conflict: "It has ended, or is being cancelled already." },
    handle: async (ctx, { params }) =>
      success(await cancelCommand(ctx, { projectId: params.id, commandId: params.commandId })),
  }),
];
