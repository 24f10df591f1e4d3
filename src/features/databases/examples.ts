import type { Static } from "typebox";
import type {
  AdoptionRequest,
  ConnectionReply,
  DatabaseChanged,
  DatabaseCreated,
  DatabaseList,
  DatabaseReply,
  DatabaseRequest,
  DatabaseUpdate,
  DatabaseUserChanged,
  DatabaseUserReply,
  DatabaseUserRequest,
  ImportReply,
  PasswordRequest,
  UnmanagedDatabases,
} from "./schema.ts";

// Examples in the documentation of the API.

const password = "correct horse battery staple";
const time = "2026-03-01T10:20:30.123456Z";

export const databaseRequest: Static<typeof DatabaseRequest> = { name: "shop", username: "shop", project_id: 7 };

export const newDatabase: Static<typeof DatabaseCreated>["data"] = {
  id: 12,
  server_id: 1,
  project_id: 7,
  database_type: "postgresql",
  database_name: "shop",
  username: "shop",
  status: 0,
};

export const database: Static<typeof DatabaseChanged>["data"] = {
  ...newDatabase,
  status: 1,
  created_by_user: true,
  is_adopted: false,
  notes: null,
  size_bytes: 8_388_608,
  connections: 3,
  character_set: "UTF8",
  collation: "C.UTF-8",
  seen_at: time,
  sync: { state: "applied", since: time, error: null, retry_at: null },
  created_at: time,
  updated_at: time,
};

export const databaseWithPassword: Static<typeof DatabaseReply>["data"] = { ...database, password };

export const databaseList: Omit<Static<typeof DatabaseList>, "status"> = {
  engine: "postgresql",
  engine_version: "17.6",
  seen_at: time,
  error: null,
  current_page: 1,
  data: [database],
  per_page: 1_000,
  total_pages: 1,
  total_items: 1,
};

export const databaseUpdate: Static<typeof DatabaseUpdate> = { notes: "Orders since 2024", project_id: 7 };

export const passwordRequest: Static<typeof PasswordRequest> = { password };

export const connection: Static<typeof ConnectionReply>["data"] = {
  framework: "fw_1",
  host: "127.0.0.1",
  port: 5432,
  tls_required: false,
  environment_variables:
    "DB_CONNECTION=pgsql\nDB_HOST=127.0.0.1\nDB_PORT=5432\nDB_DATABASE=shop\nDB_USERNAME=shop\n" +
    'DB_PASSWORD="correct horse battery staple"\n',
  warnings: [],
};

export const unmanagedDatabases: Omit<Static<typeof UnmanagedDatabases>, "status"> = {
  engine: "postgresql",
  seen_at: time,
  data: [{ name: "old_shop", size_bytes: 8_388_608, character_set: "UTF8", collation: "de_DE.UTF-8", adoptable: true }],
};

export const adoptionRequest: Static<typeof AdoptionRequest> = { name: "old_shop", username: "shop_app" };

export const adoptedDatabase: Static<typeof DatabaseCreated>["data"] = {
  ...newDatabase,
  id: 13,
  project_id: null,
  database_name: "old_shop",
  username: "shop_app",
};

export const userRequest: Static<typeof DatabaseUserRequest> = { username: "reports" };

export const user: Static<typeof DatabaseUserChanged>["data"] = {
  id: 4,
  database_id: 12,
  username: "reports",
  access: "read",
  status: 1,
  error: null,
  created_at: time,
};

export const userWithPassword: Static<typeof DatabaseUserReply>["data"] = { ...user, password };

export const databaseImport: Static<typeof ImportReply>["data"] = {
  id: 5,
  database_id: 12,
  empties_first: true,
  size_bytes: 1_048_576,
  status: 3,
  error: null,
  created_at: time,
  ended_at: null,
};
