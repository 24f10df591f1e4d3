import type { ComponentProps } from "react";
import type { Account, Database, DatabaseImport, DatabaseList, DatabaseUser } from "../../contract/types.ts";
import {
  databaseActions,
  databaseConnection,
  databaseImport,
  databaseUsers,
  serverDatabases,
  unmanagedDatabases,
} from "../src/data/databases.ts";
import { me } from "../src/data/me.ts";
import { projectNames, projectNamesOn } from "../src/data/names.ts";
import { frameworks } from "../src/data/projects.ts";
import { serverActions, server as serverRead } from "../src/data/servers.ts";
import { DatabaseList as Tab } from "../src/parts/databases/database-list.tsx";
import { DatabaseBody, DatabasePage } from "../src/parts/databases/database-page.tsx";
import { ImportFacts } from "../src/parts/databases/import-result.tsx";
import { LoadForm } from "../src/parts/databases/load-form.tsx";
import type { Place } from "../src/parts/databases/place.ts";
import { UploadProgress } from "../src/parts/databases/upload-progress.tsx";
import { InOrganization } from "./in-organization.tsx";

const at = "2026-11-20T10:20:30.123456Z";
const applied: Database["sync"] = { state: "applied", since: at, error: null, retry_at: null };

const shop: Database = {
  id: 12,
  server_id: 3,
  project_id: 5,
  database_type: "mariadb",
  database_name: "shop",
  username: "shop",
  status: 1,
  created_by_user: true,
  is_adopted: false,
  notes: "Orders and customers; the accounting reads it each night.",
  size_bytes: 1_610_612_736,
  connections: 14,
  character_set: "utf8mb4",
  collation: "utf8mb4_general_ci",
  seen_at: at,
  sync: applied,
  created_at: at,
  updated_at: at,
};

const unseen = {
  size_bytes: null,
  connections: null,
  character_set: null,
  collation: null,
  seen_at: null,
  notes: null,
};
const creating: Database = {
  ...shop,
  ...unseen,
  id: 13,
  project_id: null,
  database_name: "shop_of_a_customer_with_a_name_that_is_as_long_as_names_may_be_",
  status: 0,
  sync: { ...applied, state: "pending" },
};
const waiting: Database = {
  ...creating,
  id: 14,
  database_name: "warehouse",
  sync: { state: "failing", since: at, error: "web-1 cannot be reached.", retry_at: "2026-11-20T10:40:30.123456Z" },
};
const failed: Database = {
  ...creating,
  id: 15,
  database_name: "archive",
  status: 2,
  notes: "MariaDB has a database archive that is not Longshore's.\nDelete this record, or adopt that one.",
};
const own: Database = {
  ...shop,
  id: 11,
  project_id: null,
  database_name: "longshore",
  username: "longshore",
  created_by_user: false,
  notes: null,
  size_bytes: 16_384,
  connections: 0,
};
const awaited: Database = { ...own, status: 0, seen_at: null, size_bytes: null, connections: null };
const hebrew: Database = { ...shop, id: 16, database_name: "catalog", project_id: 6, notes: "קטלוג המוצרים של החנות" };

const listOf = (data: Database[], more: Partial<DatabaseList> = {}): DatabaseList => ({
  status: "success",
  engine: "mariadb",
  engine_version: "10.11.14",
  seen_at: at,
  error: null,
  data,
  current_page: 1,
  per_page: 1000,
  total_pages: 1,
  total_items: data.length,
  ...more,
});

const many = Array.from({ length: 400 }, (_, index) => ({
  ...shop,
  id: 100 + index,
  database_name: `customer_${index}`,
  notes: null,
  size_bytes: index * 1_234_567,
}));

const readers: DatabaseUser[] = [
  { id: 1, database_id: 12, username: "reports", access: "read", status: 1, error: null, created_at: at },
  { id: 2, database_id: 12, username: "accounting", access: "read", status: 0, error: null, created_at: at },
  {
    ...{ id: 3, database_id: 12, username: "former", access: "read", status: 2, created_at: at },
    error: "ERROR 1227 (42000): Access denied; you need the CREATE USER privilege for this operation",
  },
];

const server: Place = { server: { id: 3, name: "web-1" }, hasProjects: true };
const project: Place = { ...server, project: { id: 5, name: "Shop" } };

const account = (role: "Owner" | "Viewer"): { data: Account } => ({
  data: {
    ...{ id: 1, name: "Alice", email: "alice@example.com" },
    organization: { role, permissions: role === "Owner" ? ["server:read", "server:update"] : ["server:read"] },
  } as unknown as Account,
});

const found = [
  {
    name: "old_shop",
    size_bytes: 734_003_200,
    character_set: "latin1",
    collation: "latin1_swedish_ci",
    adoptable: true,
  },
  { name: "Wiki-2019", size_bytes: null, character_set: "utf8mb4", collation: "utf8mb4_bin", adoptable: false },
];

const names = {
  data: [
    { id: 5, name: "Shop" },
    { id: 6, name: "חנות הספרים" },
  ],
};
const connection = {
  data: {
    framework: "fw_1",
    host: "127.0.0.1",
    port: 3306,
    tls_required: false,
    environment_variables:
      "DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_PORT=3306\nDB_DATABASE=shop\nDB_USERNAME=shop\nDB_PASSWORD=an-example\n",
    warnings: [],
  },
};

const known = (list: DatabaseList, role: "Owner" | "Viewer" = "Owner", unmanaged: object[] = []) =>
  [
    [me(1).queryKey, account(role)],
    [serverDatabases(1, 3).queryKey, list],
    [unmanagedDatabases(1, 3).queryKey, { data: unmanaged }],
    [projectNames(1, [5]).queryKey, names],
    [projectNames(1, [5, 6]).queryKey, names],
    [projectNamesOn(1, 3, "").queryKey, names],
    [serverRead(1, 3).queryKey, { data: {} }],
    [serverActions(1, 3).queryKey, { data: {} }],
    [databaseActions(1, shop).queryKey, { data: undefined }],
    [databaseActions(1, failed).queryKey, { data: undefined }],
    [databaseActions(1, awaited).queryKey, { data: undefined }],
    [frameworks(1).queryKey, { data: [] }],
    [databaseUsers(1, shop).queryKey, { data: readers }],
    [databaseUsers(1, failed).queryKey, { data: [] }],
    [databaseConnection(1, shop, {}).queryKey, connection],
    [databaseImport(1, shop, 7).queryKey, { data: load }],
  ] as const;

const load: DatabaseImport = {
  id: 7,
  database_id: 12,
  empties_first: true,
  size_bytes: 335_544_320,
  status: 3,
  error: null,
  created_at: at,
  ended_at: null,
};
const loads: DatabaseImport[] = [
  load,
  { ...load, status: 1, ended_at: "2026-11-20T10:21:42.123456Z", empties_first: false },
  {
    ...load,
    status: 2,
    ended_at: "2026-11-20T10:20:42.123456Z",
    error:
      "ERROR 1064 (42000) at line 4212: You have an error in your SQL syntax near 'INSRT INTO orders VALUES (1, 2, 3)' at line 1",
  },
];

const file = new File(["dump"], "shop-2026-11-19.sql.gz");
const upload = { file, emptiesFirst: false, sent: 2, cancel: () => {} };
const nothing = () => {};

const all = listOf([shop, hebrew, own, creating, waiting, failed]);

const InPage = ({ children, ...props }: ComponentProps<typeof InOrganization>) => (
  <main className="p-6 max-sm:p-4">
    <InOrganization {...props}>{children}</InOrganization>
  </main>
);

export const alone = true;
export const states = {
  "of a server": () => (
    <InPage known={known(all, "Owner", found)}>
      <Tab place={server} />
    </InPage>
  ),
  "many of them": () => (
    <InPage known={known(listOf(many, { error: "web-1 did not answer in time." }))}>
      <Tab place={server} />
    </InPage>
  ),
  "of a project": () => (
    <InPage known={known(all)}>
      <Tab place={project} />
    </InPage>
  ),
  "of a project without one, for a viewer": () => (
    <InPage known={known(listOf([own]), "Viewer")}>
      <Tab place={project} />
    </InPage>
  ),
  "without an engine": () => (
    <InPage known={known(listOf([], { engine: null, engine_version: null, seen_at: null }))}>
      <Tab place={server} />
    </InPage>
  ),
  "one of them": () => (
    <InPage known={known(all)} path="?import=7">
      <DatabaseBody place={project} database={shop} />
    </InPage>
  ),
  "one that failed": () => (
    <InPage known={known(all)}>
      <DatabaseBody place={server} database={failed} />
    </InPage>
  ),
  "one that comes with the setup": () => (
    <InPage known={known(listOf([awaited]))}>
      <DatabaseBody place={server} database={awaited} />
    </InPage>
  ),
  "one for a viewer": () => (
    <InPage known={known(all, "Viewer")}>
      <DatabaseBody place={server} database={shop} />
    </InPage>
  ),
  "one that is gone": () => (
    <InPage known={known(all)}>
      <DatabasePage place={server} id={99} />
    </InPage>
  ),
  imports: () => (
    <main className="flex flex-col gap-4 p-6">
      {loads.map((each) => (
        <ImportFacts key={each.status} load={each} />
      ))}
      <UploadProgress upload={upload} onRetry={nothing} onDismiss={nothing} />
      <UploadProgress upload={{ ...upload, sent: 4 }} onRetry={nothing} onDismiss={nothing} />
      <UploadProgress upload={{ ...upload, error: new Error() }} onRetry={nothing} onDismiss={nothing} />
      <LoadForm name="shop" onSend={nothing} onClose={nothing} />
    </main>
  ),
};
