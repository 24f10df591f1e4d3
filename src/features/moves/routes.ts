import { type Route, route } from "../../http/route.ts";
import { IdParams } from "../../http/schemas.ts";
import { moveProject } from "./actions.ts";
import { moveExample, plannedMoveExample } from "./examples.ts";
import { MoveAccepted, MoveQuery, MoveRequest } from "./schema.ts";

export const moveRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/projects/:id/move",
    summary: "Move a project to another server",
    description:
      "A deployment (`process_type: move`) of the commit that is live, with the present settings, on the " +
      "destination. Then shared files and attached databases are copied while visitors see the maintenance page, " +
      "the project is switched over, and removed from its former server. A catalog application is copied with its " +
      "release instead of being built.\n\n" +
      "* The answer comes at once. `GET /deployments/:id` shows the progress; its `description` names the DNS " +
      "records in the end, as `dns_records` does here. The domains have to be pointed at the new server; the former " +
      "one forwards visitors for `forward_days`.\n" +
      "* Until the switch a failure or a cancel leaves the project serving as before. A failed move is not rerun " +
      "but requested again.\n" +
      "* Both servers have to be in reach (404). The destination is an App server whose setup has ended, with the " +
      "engines of the attached databases, and without databases or users of the same names (422 on `server_id`).\n" +
      "* Databases that the environment names and that are not attached get 422 on `server_id`: attach them, or " +
      "send `leave_databases`.\n" +
      "* While it is moved, the project's maintenance mode and its databases cannot be changed.\n" +
      "* With `dry_run` nothing is moved: the answer is 200, and `plan.needs_build` is false for a catalog application.",
    permission: "project:update",
    params: IdParams,
    query: MoveQuery,
    body: MoveRequest,
    status: 202,
    reply: MoveAccepted,
    errors: {
      refused: "It is not installed, being deployed, updated or moved, or an earlier move is still being cleared up.",
    },
    examples: { body: { server_id: 2 }, reply: moveExample, plan: plannedMoveExample },
    handle: (ctx, { params, body, query }) => moveProject(ctx, params.id, body, query.dry_run),
  }),
];
