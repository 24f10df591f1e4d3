import { capabilities } from "../../http/capabilities.ts";
import { serverStatus } from "../servers/schema.ts";
import type { ServerOfDatabases } from "./queries.ts";
import { type DatabaseRow, databaseStatus, databasesPerServer, usersPerDatabase } from "./schema.ts";

const project_moving = {
  late: true,
  message: "The project is being moved to another server. Give it the database when the move has ended.",
} as const;

const hosting = {
  no_engine: {
    message: "{name} has no database engine: choose an App or Database server that has one.",
  },
  setup_not_ended: {
    unless: { server_status: [serverStatus.provisioned] },
    message: "The setup of {name} has not ended. Create the database when it has.",
  },
  too_many: { message: `A server can have ${databasesPerServer} databases.` },
  project_moving,
} as const;

export const hostingCapabilities = capabilities<ServerOfDatabases>()({
  noun: "server",
  record: "GET /api/v1/servers/:id",
  verbs: {
    create_database: { route: "POST /api/v1/servers/:id/databases", refusals: hosting },
    adopt_database: { route: "POST /api/v1/servers/:id/databases/adopt", refusals: hosting },
  },
});

const moving = {
  message: "The database is being moved with its project. Change it when the move has ended.",
} as const;
const never_created = {
  when: { status: [databaseStatus.failed] },
  message: "The database {database_name} could not be created. Delete it, and create it again.",
} as const;
const awaits_setup = {
  when: { status: [databaseStatus.creating], created_by_user: [false] },
  message: "The database {database_name} comes with the server, and the setup of the server has not made it yet.",
} as const;
const not_there = {
  unless: { status: [databaseStatus.exists] },
  message: "The database {database_name} does not exist on the server yet.",
} as const;

export const databaseCapabilities = capabilities<DatabaseRow>()({
  noun: "database",
  record: "GET /api/v1/servers/:id/databases/:database",
  state: { field: "status", values: databaseStatus },
  verbs: {
    update: {
      route: "PUT /api/v1/servers/:id/databases/:database",
      refusals: {
        moving,
        came_with_server: {
          late: true,
          message: "The database {database_name} came with the server and cannot belong to a project.",
        },
        project_moving,
        notes_are_reason: {
          late: true,
          message:
            "The notes of the database {database_name} are the reason why it could not be created. Delete it and create it again; " +
            "run the server's setup again for the one that came with the server.",
        },
      },
    },
    change_password: {
      route: "POST /api/v1/servers/:id/databases/:database/password",
      refusals: { moving, never_created, awaits_setup },
    },
    delete: {
      route: "DELETE /api/v1/servers/:id/databases/:database",
      refusals: {
        moving,
        came_with_server: {
          when: { created_by_user: [false] },
          message: "The database {database_name} came with the server and cannot be deleted.",
        },
        attached: {
          unless: { project_id: [null] },
          message: "The database {database_name} belongs to a project. Detach it, or delete the project.",
        },
      },
    },
    create_user: {
      route: "POST /api/v1/servers/:id/databases/:database/users",
      refusals: {
        moving,
        never_created,
        awaits_setup,
        too_many: { message: `A database can have ${usersPerDatabase} further users.` },
      },
    },
    delete_user: {
      route: "DELETE /api/v1/servers/:id/databases/:database/users/:user",
      refusals: { moving },
    },
    import: {
      route: "POST /api/v1/servers/:id/databases/:database/imports",
      refusals: {
        moving,
        not_there,
        importing: {
          message: "Another dump is being loaded into the database. Try again when that has ended.",
        },
        no_room: { late: true, message: "The disk of the server has no room for the dump." },
        empty: { late: true, message: "The dump is empty." },
        too_slow: { late: true, message: "The import was given up, because the upload took too long." },
      },
    },
    connect: {
      route: "GET /api/v1/servers/:id/databases/:database/connection",
      refusals: { awaits_setup },
    },
    download: {
      route: "GET /api/v1/servers/:id/databases/:database/dump",
      refusals: { not_there },
    },
  },
});
