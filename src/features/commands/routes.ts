import {
  followLogErrors,
  howLogsAreFollowed,
  LogEvent,
  LogMatches,
  LogQuery,
  LogSearchQuery,
  LogStreamQuery,
  logEventExample,
  logMatchesExample,
} from "../../http/logs.ts";
import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import { cancelCommand, findInOutput, runCommand, showCommand, showCommands } from "./actions.ts";
import { commandAcceptedExample, commandPageExample, commandReplyExample } from "./examples.ts";
import { followCommand } from "./log-stream.ts";
import { CommandAccepted, CommandPage, CommandParams, CommandReply, CommandRequest, mostCommands } from "./schema.ts";

const commands = "/api/v1/projects/:id/commands";
const tag = "commands";

export const commandRoutes: Route[] = [
  route({
    method: "POST",
    path: commands,
    summary: "Run a command in a project's live release",
    description:
      "Once, as the project's own user, by bash, in the live release's working directory and with its environment " +
      "variables, such as `php artisan migrate:status`. It has no terminal and no input, and is ended after " +
      "`timeout_seconds` (1,800) with all that it started. The answer comes at once, with the record: its `status` " +
      "shows the progress, and each event `command.log` signals that there is more to read. Where a project is " +
      "behind a load balancer, `server_id` names the server; default: its own.\n\n" +
      `Secrets in the text are masked in the record. A project runs at most ${mostCommands} commands at once. After ` +
      "a reboot of the server the command has failed, and is not begun again.",
    tag,
    permission: "deployment:create",
    params: IdParams,
    body: CommandRequest,
    status: 202,
    reply: CommandAccepted,
    errors: {
      refused: `The project has no live release, is being moved or removed, or runs ${mostCommands} commands already.`,
    },
    examples: { body: { command: "php artisan migrate:status" }, reply: commandAcceptedExample },
    handle: async (ctx, { params, body }) => success(await runCommand(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: commands,
    summary: "List a project's commands",
    description:
      "The newest first, 50 on a page, without their output. They are kept as long as logs are, and the newest one " +
      "stays.",
    tag,
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: CommandPage,
    examples: { reply: commandPageExample },
    handle: (ctx, { params, query }) => showCommands(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: `${commands}/:commandId`,
    summary: "Read a command with a part of its output",
    description:
      "`log` is a page of its output, from `after` on and about `limit` bytes long: send `next` as `after` for what " +
      "follows, until `is_complete`. `exit_code` is that of the command, and `error` a sentence when it failed. The " +
      "secrets of the project's environment are masked in `command` and `log`.",
    tag,
    permission: "project:read",
    params: CommandParams,
    query: LogQuery,
    reply: CommandReply,
    examples: { reply: commandReplyExample },
    handle: async (ctx, { params, query }) =>
      success({ data: await showCommand(ctx, { projectId: params.id, commandId: params.commandId }, query) }),
  }),
  route({
    method: "GET",
    path: `${commands}/:commandId/log/search`,
    summary: "Search a command's output",
    description: "Control characters of the lines are left as they were printed.",
    tag,
    permission: "project:read",
    params: CommandParams,
    query: LogSearchQuery,
    reply: LogMatches,
    examples: { reply: logMatchesExample },
    handle: async (ctx, { params, query }) =>
      success(await findInOutput(ctx, { projectId: params.id, commandId: params.commandId }, query)),
  }),
  route({
    method: "GET",
    path: `${commands}/:commandId/log/stream`,
    summary: "Follow a command's output",
    description: howLogsAreFollowed,
    tag,
    permission: "project:read",
    params: CommandParams,
    query: LogStreamQuery,
    streams: "text/event-stream",
    reply: LogEvent,
    errors: followLogErrors,
    examples: { reply: logEventExample },
    handle: (ctx, { params, query }) =>
      followCommand(ctx, { projectId: params.id, commandId: params.commandId }, query),
  }),
  route({
    method: "POST",
    path: `${commands}/:commandId/cancel`,
    summary: "End a command",
    description:
      "It is ended with every process that it started, and `status` is `cancelling` until the server has reported " +
      "that; one that was not begun does not begin. What it has done is not undone.",
    tag,
    permission: "deployment:create",
    params: CommandParams,
    status: 202,
    reply: Acknowledgement,
    errors: { conflict: "It has ended, or is being cancelled already." },
    examples: { reply: success({ message: "The command is being ended." }) },
    handle: async (ctx, { params }) =>
      success(await cancelCommand(ctx, { projectId: params.id, commandId: params.commandId })),
  }),
];
