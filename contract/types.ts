// The API as types. Made from the route table by `node tools/contract.ts`.

export interface ErrorBody {
  status: "error";
  /** What failed, and what to do about it */
  message: string;
  /** One sentence for each bad field, under its dotted name */
  errors?: Record<string, string>;
  /** With errors: one sentence for each field that is not known */
  warnings?: Array<string>;
  /** The record as it is now, if it is not as `expected_updated_at` named it */
  current?: unknown;
}

export interface CarriedOut {
  status: "success";
  /** That the request was carried out, as a sentence for people */
  message: string;
  /** What was changed, such as `project:5` */
  records: Array<string>;
}

/** The account behind the token */
export interface Account {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** What the account signs in with */
  email: string;
  /** Where requests run that name no organization; null: in none */
  current_organization_id: number | null;
  /** Those that the account belongs to */
  organizations: Array<Membership>;
  organization: AllowedHere | null;
  /** Whether a second factor is asked for when the account signs in */
  two_factor: boolean;
  /** How many passkeys the account has */
  passkeys: number;
  /** Whether the installation sends mail: notifications, invitations and links to a new password */
  sends_mail: boolean;
}

export interface AccountChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: Account;
}

export interface AccountReply {
  status: "success";
  data: Account;
}

export interface AccountRequest {
  /** What others see */
  name: string;
}

export interface Acknowledgement {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
}

/** Whether a request would be refused now, and with what */
export interface Action {
  /** The operationId of the request in the OpenAPI document */
  operation: string;
  /** Whether nothing refuses the request */
  is_allowed: boolean;
  /** The reason in the capability tables, or the code of another refusal */
  reason: string | null;
  /** With which the request would be refused */
  status: number | null;
  /** The sentence with which the request would be refused */
  message: string | null;
}

/** A request that changed something */
export interface Activity {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Null when the account is gone */
  user_id: number | null;
  /** As it was then */
  user_email: string;
  /** Method and path */
  action: string;
  /** The endpoint's summary, as in this document */
  summary: string;
  /** The records in reach that it changed: `project:5` */
  subjects: Array<string>;
  /** What the subjects are called now, by subject; those that are gone are missing */
  subject_names: Record<string, string>;
  /** The fields that were sent */
  fields: Array<string>;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface ActivitySlice {
  /** The items of this page, the newest first */
  data: Array<Activity>;
  /** What to send as `before` for the next page; null: this is the last */
  next_before: number | null;
}

/** The organization of this request, and what the caller may do there */
export interface AllowedHere {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** What the account may do there */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  /** Those that both the role and the token have */
  permissions: Array<"project:read" | "project:create" | "project:update" | "project:delete" | "deployment:create" | "server:read" | "server:create" | "server:update" | "server:delete" | "server:transfer" | "monitor:read" | "monitor:manage" | "organization:read" | "organization:manage">;
  /** Null: everything in the organization. Otherwise these servers with their projects, and these projects */
  restriction: {
    /** Servers with all of their projects */
    server_ids: Array<number>;
    /** Further projects */
    project_ids: Array<number>;
  } | null;
  /** Those of the organization's plan; null: no limit */
  limits: {
    /** Servers of the organization */
    servers: number | null;
    /** Active ones of each type */
    monitors_of_type: number | null;
    /** The shortest interval of health checks */
    monitor_interval_seconds: number;
  };
}

/** What this installation can do */
export interface ApiVersion {
  /** Of Longshore, such as `0.2.0` */
  version: string;
  /** The newest release, if that is newer. Null as well if it is not known: it is looked up only with `LONGSHORE_UPDATE_CHECK=on` */
  newest_version: string | null;
  api: 1;
  /** The paths below `/api/v1` without their methods, and each filter of a list, such as `projects?q` */
  features: Array<string>;
}

export interface ApiVersionReply {
  status: "success";
  data: ApiVersion;
}

/** The installed application of a project */
export type App = {
  /** The application of the catalog */
  app_slug: string;
  /** For display */
  app_name: string;
  /** As read after the last install or update; null before */
  app_version: string | null;
  /** Where its administrator signs in */
  admin_url: string;
  /** Whether it can be updated in place */
  updatable: boolean;
  /** That of its database; null: it has none */
  engine: "mariadb" | "postgresql" | null;
  /** minor: within the line of versions that is installed */
  automatic_updates: "off" | "minor";
  /** The newest version that it can be updated to */
  update_available: string | null;
  /** Whether the update closes a security hole */
  update_is_security: boolean;
  last_update: AppUpdate | null;
} & {
  /** What the installation set, by name */
  credentials: Record<string, AppCredential>;
  database: AppDatabase | null;
};

/** By verb, what the caller can do to the record now */
export interface AppActions {
  update: Action;
  change: Action;
}

export interface AppActionsReply {
  status: "success";
  data: AppActions;
}

/** What its administrator needs, such as a password */
export interface AppCredential {
  /** For display */
  label: string;
  /** As the installation set it */
  value: string;
  /** Whether to hide it until it is asked for */
  secret: boolean;
}

/** The database of an application; null: it has none */
export interface AppDatabase {
  /** The engine of the server */
  engine: "mariadb" | "postgresql";
  /** The database */
  name: string;
  /** The user that the application has */
  username: string;
  /** Of that user */
  password: string;
  /** Where the application connects to */
  host: string;
}

/** A question that an installation asks */
export interface AppInput {
  /** Its name in `inputs` */
  key: string;
  /** For display */
  label: string;
  /** How a form asks for it */
  type: "text" | "email" | "password";
  /** Whether an answer is needed; others have a default */
  required: boolean;
  /** Whether an empty answer is generated */
  generated: boolean;
}

export interface AppInstallAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: AppInstallation;
}

/** How far the installation of an application is */
export interface AppInstallProgress {
  /** 0 running, 1 up, 2 a step failed */
  installation_status: 0 | 1 | 2;
  /** null for the project of a repository */
  app_slug: string | null;
  /** The installed version; null until it is up */
  app_version: string | null;
  /** In their order; none for the project of a repository */
  steps: Array<AppInstallStep>;
}

export interface AppInstallProgressReply {
  status: "success";
  data: AppInstallProgress;
}

export interface AppInstallRequest {
  /** For people; unique in the organization */
  name: string;
  /** The primary domain, which should point to the server already */
  domain: string;
  /** An App server on which it is `available` */
  server_id: number;
  /** A `slug` of the catalog */
  app_slug: string;
  /** Answers to its questions by `key`; what is omitted or empty is its default, or generated */
  inputs?: Record<string, string | null> | null;
  /** 0 none, 1 www to non-www, 2 non-www to www; default: 0 */
  www_redirect?: 0 | 1 | 2;
}

/** A step of an installation */
export interface AppInstallStep {
  /** Names the step */
  key: string;
  /** For display */
  label: string;
  /** From 1, in the order of the steps */
  position: number;
  /** skipped: it was not needed */
  status: "pending" | "running" | "completed" | "failed" | "skipped";
  /** Result of the step, or why it stopped */
  detail: string | null;
  /** 0 before it begins; grows while it runs */
  duration_ms: number;
}

/** A project whose application is being installed */
export interface AppInstallation {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Where it is installed */
  server_id: number;
  /** As people named it */
  name: string;
  /** The application of the catalog */
  app_slug: string;
  /** The primary domain */
  domain: string;
  /** 0 running */
  installation_status: 0;
}

export interface AppReply {
  status: "success";
  data: App;
}

export interface AppSettings {
  /** minor: updates within the installed line of versions are installed when they are found; off: none */
  automatic_updates: "off" | "minor";
}

/** An update of an installed application */
export interface AppUpdate {
  /** How far it is */
  state: "running" | "succeeded" | "failed";
  /** What it updates to */
  version: string;
  /** The reason; the former version serves again */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
}

/** Something that needs attention */
export interface AttentionItem {
  /** The same for as long as it needs attention: `deployment_failed:12` */
  key: string;
  /** What is wrong */
  kind: "server_unreachable" | "server_disk_filling" | "server_not_connected_yet" | "server_not_connected" | "setup_failed" | "setup_incomplete" | "server_not_applied" | "order_failed" | "order_left" | "snapshot_failed" | "provider_failing" | "monitor_down" | "heartbeat_late" | "deployment_failed" | "move_failed" | "project_crashing" | "job_crashing" | "job_failed" | "app_not_installed" | "app_not_updated" | "project_not_applied" | "source_not_registered" | "certificate_failed" | "certificate_expiring" | "own_certificate_expiring" | "domain_elsewhere" | "database_failed" | "channel_failing";
  /** critical: visitors or data are affected, or it cannot be worked with; warning: it will be, or is not as requested */
  severity: "critical" | "warning";
  subject: AttentionSubject;
  /** The server that it is about */
  server_id: number | null;
  /** The project that it is about */
  project_id: number | null;
  /** ISO 8601 UTC with microseconds */
  since: string;
  /** What is wrong, in a sentence; a part may come from a server or another service */
  message: string;
  /** The operationId of what mends it; null: nothing that the caller may request does */
  operation: string | null;
  /** What a button for the operation shows */
  label: string | null;
  /** The path parameters of the operation */
  params: Record<string, number> | null;
}

export interface AttentionItemList {
  status: "success";
  /** All of them */
  data: Array<AttentionItem>;
}

/** The record that needs attention */
export interface AttentionSubject {
  /** What it is: `server`, `project`, `deployment`, `monitor`, … */
  noun: string;
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Of a deployment the name of its project */
  name: string;
}

/** A request that changed something */
export interface AuditEntry {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Null when the account is gone */
  user_id: number | null;
  /** As it was then */
  user_email: string;
  /** Null: signed in to the console */
  token_id: number | null;
  /** Null when the token is gone */
  token_name: string | null;
  /** Where the request came from; null: not known */
  ip: string | null;
  /** Method and path; of passwords set on the command line, the command */
  action: string;
  /** The endpoint's summary, as in this document */
  summary: string;
  /** The records that it changed, as kind and id: `project:5` */
  subjects: Array<string>;
  /** What the subjects are called now, by subject; those that are gone are missing */
  subject_names: Record<string, string>;
  /** The fields that were sent; their values are not kept */
  fields: Array<string>;
  /** `X-Request-Id` of the answer */
  request_id: string;
  client: CallingProgram | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface AuditEntryPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<AuditEntry>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
  /** What to send as `before` for older ones, without `page`; null: there are none */
  next_before: number | null;
}

export interface AutoDeployRequest {
  /** 1 to 1,000 ids */
  project_ids: ReadonlyArray<number>;
  /** Whether a push to the project's branch deploys it */
  auto_deploy_is_active: true | false | 0 | 1;
}

export interface AutoDeploySet {
  status: "success";
  /** Projects that were named, each counted once */
  updated_count: number;
}

/** null: not asked for */
export interface Availability {
  /** As it would be stored */
  value: string;
  /** Whether a new project can have it */
  is_available: boolean;
  /** Why not */
  reason: string | null;
}

/** A command that runs continuously */
export interface BackgroundJob {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Where it runs */
  project_id: number;
  /** As people named it */
  name: string;
  /** Run by bash in the live release's working directory */
  command: string;
  /** Whether it runs */
  is_active: boolean;
  /** The project's own system user */
  user: string;
  /** State on the server: pending until it reported, active, inactive when switched off, or failed */
  status: "pending" | "active" | "inactive" | "failed";
  /** Why it failed, in a sentence */
  error: string | null;
  sync: Sync;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
  /** How many run at the same time */
  processes: number;
}

/** By verb, what the caller can do to the record now */
export interface BackgroundJobActions {
  update: Action;
  delete: Action;
  restart: Action;
}

export interface BackgroundJobActionsReply {
  status: "success";
  data: BackgroundJobActions;
}

export interface BackgroundJobChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: BackgroundJob;
}

export interface BackgroundJobPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<BackgroundJob>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface BackgroundJobReply {
  status: "success";
  data: BackgroundJob;
}

export interface BackgroundJobRequest {
  /** For people; stands in notifications */
  name: string;
  /** For bash, in the live release's working directory */
  command: string;
  /** How many run at the same time; default: 1 */
  processes?: number;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  /** Whether it runs; default: on */
  is_active?: true | false | 0 | 1;
}

export interface BackgroundJobUpdate {
  /** For people; stands in notifications */
  name?: string;
  /** For bash, in the live release's working directory */
  command?: string;
  /** How many run at the same time; default: 1 */
  processes?: number;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  /** Whether it runs; default: on */
  is_active?: true | false | 0 | 1;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface BackupCodes {
  /** True */
  status: boolean;
  /** Each signs in once instead of a code */
  backupCodes: Array<string>;
}

/** The servers of a project behind a load balancer */
export interface Balance {
  /** null: the project serves by itself */
  load_balancer_id: number | null;
  /** For display */
  load_balancer_name: string | null;
  /** The project's own server first */
  nodes: Array<BalancedServer>;
}

export interface BalanceAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** What is balanced */
  project_id: number;
  /** Those that install the project on servers that are new */
  deployment_ids: Array<number>;
}

export interface BalanceReply {
  status: "success";
  data: Balance;
}

export interface BalanceRequest {
  /** A server of the type 4 */
  load_balancer_id: number;
  /** Servers besides the project's own */
  server_ids: ReadonlyArray<number>;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** A server of a project behind a load balancer */
export interface BalancedServer {
  /** An App server */
  server_id: number;
  /** For display */
  server_name: string;
  /** installing: its first deployment has not succeeded; draining: it is being deployed to; unreachable: it does not answer, and gets no visitors; leaving: it is being removed; unknown: the load balancer did not report it */
  state: "installing" | "serving" | "draining" | "unreachable" | "leaving" | "unknown";
}

/** User name and password that the site requires; null: none. The password is in no answer. */
export interface BasicAuth {
  /** Without a colon, and no # at its beginning */
  username: string;
  /** 8 to 200 characters */
  password: string;
}

/** A session, as better-auth shows it; `GET /api/v1/me/sessions` is for the console */
export interface BrowserSession {
  /** For `POST /api/auth/revoke-session` */
  id: string;
  /** Of the account */
  userId: string;
  /** Where it was opened */
  ipAddress?: string | null;
  /** The browser that opened it */
  userAgent?: string | null;
  /** ISO 8601 */
  createdAt: string;
  /** ISO 8601 */
  updatedAt: string;
  /** ISO 8601 */
  expiresAt: string;
}

export type BrowserSessions = Array<BrowserSession>;

/** The program that sent a request, as it named itself in `X-Longshore-Client` */
export interface CallingProgram {
  /** `console` for sessions; `api` also when it names none */
  kind: "console" | "cli" | "mcp" | "api";
  /** Null: it did not name itself */
  name: string | null;
  /** Of the program */
  version: string | null;
}

/** An application that can be installed */
export interface CatalogApp {
  /** What `app_slug` takes */
  slug: string;
  /** For display */
  name: string;
  /** For display */
  category: string;
  /** What it is for, in a sentence */
  summary: string;
  /** Layout of its files in the project's directory */
  layout: string;
  /** Whether this server can host it */
  available: boolean;
  /** Why it cannot, a sentence each */
  unavailable_reasons: Array<string>;
  /** The questions of its installation */
  inputs: Array<AppInput>;
}

export interface CatalogAppList {
  status: "success";
  /** All of them */
  data: Array<CatalogApp>;
}

/** The certificate of a project */
export interface Certificate {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Whose names it has */
  project_id: number;
  /** The project's primary domain */
  domain_id: number;
  /** The primary domain, by which the server knows it */
  cert_name: string;
  /** The certificate with its chain, on the server */
  cert_path: string;
  /** The private key, which is on the server alone */
  cert_key_path: string;
  /** 0 pending, 1 active, 2 failed, 3 expired */
  status: 0 | 1 | 2 | 3;
  /** YYYY-MM-DD; null before there is one */
  expires_at: string | null;
  /** YYYY-MM-DD; when renewal begins */
  renews_at: string | null;
  /** Issued by the authority, or uploaded */
  source: "acme" | "custom";
  /** What it covers */
  names: Array<string>;
  /** Names of the project that it does not cover, since they do not lead here. It is ordered again when they do. */
  left_out: Array<UncoveredName>;
  /** Why the last attempt failed */
  error: string | null;
}

/** By verb, what the caller can do to the record now */
export interface CertificateActions {
  renew: Action;
}

export interface CertificateActionsReply {
  status: "success";
  data: CertificateActions;
}

export interface CertificateAnswer {
  /** failed: what served before keeps serving */
  status: "success" | "failed";
  /** What happened, as a sentence for people */
  message: string;
  data: CertificateResponses;
}

export type CertificateList = Array<Certificate>;

export interface CertificateRequest {
  /** Whose domains it is for */
  project_id: number;
  /** The primary one */
  domain_id: number;
}

/** What the server answered while the certificate was ordered and installed */
export interface CertificateResponses {
  ssl_response: ServerAnswer | null;
  nginx_response: ServerAnswer | null;
}

/** The certificate of the project; null: none was requested yet */
export interface CertificateSummary {
  /** 0 pending, 1 active, 2 failed, 3 expired */
  status: 0 | 1 | 2 | 3;
  /** YYYY-MM-DD; null while none is served */
  expires_at: string | null;
}

/** What changed of a monitor */
export interface ChangedMonitor {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Whether it is checked */
  is_active: boolean;
  /** What deliveries to new webhooks of this monitor are signed with; shown here and never again */
  webhook_secrets?: Array<MonitorWebhookSecret>;
}

export interface CloudAServerRequest {
  /** For people; default: server- and six hexadecimal digits */
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  /** Of its clock and of scheduled jobs, such as Europe/Berlin; default: UTC */
  timezone?: string;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  /** Free text for people */
  notes?: string | null;
  /** Decides the image that is ordered */
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04";
  /** Where it is ordered */
  provider_type: "cloud_a";
  /** A connection of this type (`GET /server-providers`) */
  provider_id: number;
  /** Ordered from this snapshot instead of an image; its disk, architecture and region have to fit */
  snapshot_id?: number | null;
  /** The `id` of a location of the options */
  cloud_a_location: string;
  /** The `name` of a server type of the options for the location */
  cloud_a_server_type: string;
  /** The `id` of a private network of the options; default: none */
  cloud_a_network?: number | string | null;
}

export interface CloudBServerRequest {
  /** For people; default: server- and six hexadecimal digits */
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  /** Of its clock and of scheduled jobs, such as Europe/Berlin; default: UTC */
  timezone?: string;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  /** Free text for people */
  notes?: string | null;
  /** Decides the image that is ordered */
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04";
  /** Where it is ordered */
  provider_type: "cloud_b";
  /** A connection of this type (`GET /server-providers`) */
  provider_id: number;
  /** Ordered from this snapshot instead of an image; its disk, architecture and region have to fit */
  snapshot_id?: number | null;
  /** The `id` of a location of the options */
  cloud_b_region: string;
  /** The `name` of a server type of the options for the region */
  cloud_b_instance_type: string;
  /** The `id` of a subnet of the options; decides the availability zone */
  cloud_b_subnet_id: string;
  /** GB; gp2 has at most 16384 */
  cloud_b_volume_size: number;
  /** Default: gp3 */
  cloud_b_volume_type?: "gp3" | "gp2" | "io2";
  /** Whether it gets an address of its own that stays; default: true */
  cloud_b_use_static_ip?: boolean;
}

export interface CloudCServerRequest {
  /** For people; default: server- and six hexadecimal digits */
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  /** Of its clock and of scheduled jobs, such as Europe/Berlin; default: UTC */
  timezone?: string;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  /** Free text for people */
  notes?: string | null;
  /** Decides the image that is ordered */
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04";
  /** Where it is ordered */
  provider_type: "cloud_c";
  /** A connection of this type (`GET /server-providers`) */
  provider_id: number;
  /** Ordered from this snapshot instead of an image; its disk, architecture and region have to fit */
  snapshot_id?: number | null;
  /** The `id` of a location of the options */
  cloud_c_region: string;
  /** The `name` of a server type of the options for the region */
  cloud_c_size: string;
  /** A private network of the region; default: the region's own */
  cloud_c_vpc_uuid?: string | null;
  /** Whether a firewall allows the ports 22, 80 and 443 only, and all outbound; default: true */
  cloud_c_use_firewall?: boolean;
  /** Whether it gets a reserved address, by which it is managed; default: false */
  cloud_c_use_reserved_ip?: boolean;
}

/** Those of the provider type; checked with the provider, and never shown */
export interface CloudCredentials {
  /** cloud_a, cloud_c: an API token that may read and write */
  token?: string;
  /** cloud_b: the id of an access key */
  access_key_id?: string;
  /** cloud_b: the access key itself */
  secret_access_key?: string;
}

/** An image that an order uses */
export interface CloudImage {
  /** Its id at the provider */
  id: string;
  /** For display */
  name: string;
  /** What `server_os` of an order takes */
  server_os: string;
  /** Of the processor */
  architecture: string;
}

/** A location or region of a provider */
export interface CloudLocation {
  /** What `location` of the options and of an order takes */
  id: string;
  /** For display */
  name: string;
  /** Two letters, such as DE; null: not known */
  country: string | null;
}

/** A private network */
export interface CloudNetwork {
  /** What an order takes */
  id: string;
  /** For display */
  name: string | null;
  /** Its addresses, such as 10.0.0.0/16 */
  cidr: string;
  /** Whether servers join it when an order names none */
  is_default: boolean;
}

/** A private network with its subnets */
export type CloudNetworkWithSubnets = CloudNetwork & {
  /** In all zones of the region */
  subnets: Array<CloudSubnet>;
};

/** What can be ordered from a cloud */
export interface CloudOptions {
  /** The requested location; null: none was requested */
  location: string | null;
  /** Without `location`: those that can be requested */
  locations?: Array<CloudLocation>;
  /** Sold in the location now */
  server_types?: Array<CloudServerType>;
  /** Those of the operating systems that can be ordered */
  images?: Array<CloudImage>;
  /** cloud_b: the VPCs of the region with their subnets */
  networks?: Array<CloudNetworkWithSubnets>;
  /** cloud_a, cloud_c: what `cloud_a_network` and `cloud_c_vpc_uuid` take */
  private_networks?: Array<CloudNetwork>;
  /** Sold in the location, and left out of server_types for this reason */
  omitted_types?: Array<OmittedServerType>;
  /** Entries of the provider's lists of another form than documented, which are left out */
  skipped_items?: Array<SkippedCloudItem>;
}

export interface CloudOptionsReply {
  status: "success";
  data: CloudOptions;
}

/** A connection to a cloud, without its credentials */
export interface CloudProvider {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** What `provider_type` of a new server takes */
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
  /** The provider's name, for display */
  label: string;
  /** The account at the provider that the credentials belong to */
  account: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface CloudProviderCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: CloudProvider;
}

export interface CloudProviderList {
  status: "success";
  /** All of them */
  data: Array<CloudProvider>;
}

export interface CloudProviderRequest {
  /** For people */
  name: string;
  /** The cloud */
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
  credentials: CloudCredentials;
}

/** A resource at a provider */
export interface CloudResource {
  /** server, address, volume, firewall, key or image */
  kind: string;
  /** Its id at the provider */
  id: string;
  /** The provider's location or region */
  location: string;
}

/** A server type that can be ordered */
export interface CloudServerType {
  /** What an order takes */
  name: string;
  /** For display */
  description: string;
  /** Virtual processors */
  cores: number;
  /** Memory in GB */
  memory_gb: number;
  /** null on cloud_b, where the root volume is ordered separately */
  disk_gb: number | null;
  /** Of the processor */
  architecture: string;
  /** Without VAT */
  monthly_price_net: string;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string;
  /** EUR or USD */
  currency: string;
}

export interface CloudSubnet {
  /** What `cloud_b_subnet_id` takes */
  id: string;
  /** For display */
  name: string | null;
  /** Its addresses, such as 10.0.1.0/24 */
  cidr: string;
  /** The availability zone that it decides */
  zone: string | null;
  /** Whether servers in it get a public address without a static one */
  is_public: boolean;
}

/** A single command in the live release of a project */
export interface Command {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Whose live release it runs in */
  project_id: number;
  /** Where it ran; null when that server was deleted */
  server_id: number | null;
  /** The id of the account; null once it was deleted */
  initiated_by: number | null;
  /** As it was requested */
  command: string;
  /** When it is ended */
  timeout_seconds: number;
  /** queued, running or cancelling until it has ended */
  status: "queued" | "running" | "cancelling" | "succeeded" | "failed" | "cancelled";
  /** The exit status of the command; null until it has one */
  exit_code: number | null;
  /** Why it failed, in a sentence */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
}

export interface CommandAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: Command;
}

/** By verb, what the caller can do to the record now */
export interface CommandActions {
  cancel: Action;
}

export interface CommandActionsReply {
  status: "success";
  data: CommandActions;
}

/** A page of its output */
export interface CommandLog {
  /** In the order of the log */
  data: Array<LogPart>;
  /** What to send as `after` to read the next page */
  next: number;
  /** Whether there is more already */
  has_more: boolean;
  /** The work has ended and this is the end of its log */
  is_complete: boolean;
  /** Lines of the whole log so far */
  total_lines: number;
  /** Bytes of the whole log so far */
  total_bytes: number;
}

export interface CommandPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Command>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface CommandReply {
  status: "success";
  data: CommandWithLog;
}

export interface CommandRequest {
  /** One of the servers of a balanced project; default: its own */
  server_id?: number;
  /** For bash, as it would be typed in the live release's working directory */
  command: string;
  /** When it is ended; default: 1800 */
  timeout_seconds?: number;
}

/** A command with a page of its output */
export type CommandWithLog = Command & {
  log: CommandLog;
};

/** What the host of a connected account shows of deployments at their commits */
export interface CommitStatus {
  /** Why the newest deployment is not shown there as it is, in a sentence */
  error: string | null;
}

/** What the servers of one currency cost */
export interface CostTotal {
  /** EUR or USD */
  currency: string;
  /** Servers whose price is in it */
  servers_count: number;
  /** Without VAT */
  monthly_price_net: string;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string;
}

/** A process that keeps crashing */
export interface CrashLoop {
  /** The background job; null: the process of the project itself */
  job_id: number | null;
  /** Where it crashes */
  server_id: number;
  /** ISO 8601 UTC with microseconds */
  since: string;
  /** How often it was restarted in the ten minutes before */
  restarts: number;
  /** Its last output; values of environment variables are masked */
  last_lines: Array<string>;
}

export interface CurrentSession {
  session: BrowserSession;
  user: SignInUser;
}

export interface CustomCertificateRequest {
  /** PEM: the certificate, followed by those between it and the root */
  certificate: string;
  /** PEM, without a passphrase; it fits the certificate */
  private_key: string;
}

/** What a deployment runs: the project's commands, and the framework's where it has none */
export interface CustomCommands {
  /** Starts the process of a Node project */
  dev: string;
  /** Installs the packages */
  install: string;
  /** Runs after the install */
  build: string;
  /** Where the application is in the repository; empty: its root */
  directory: string;
  /** A script that runs after the build; empty: none */
  custom: string;
}

/** What a deployment runs; an empty command is the framework's default */
export interface CustomCommandsRequest {
  /** Starts the process of a Node project */
  dev?: string;
  /** Installs the packages */
  install?: string;
  /** Runs after the install */
  build?: string;
  /** Where the application is in the repository; empty: its root */
  directory?: string;
  /** A script, one command a line, that runs after the build */
  custom?: string;
}

export interface CustomServerCreated {
  status: "provisioning";
  /** What happened, as a sentence for people */
  message: string;
  /** The server that it is about */
  server_id: number;
  /** The key with which Longshore will log in to this server alone */
  public_key: string;
  /** Run it on the server as root, so that Longshore can sign in */
  connect_command: string;
}

export interface CustomServerRequest {
  /** For people; default: server- and six hexadecimal digits */
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  /** Of its clock and of scheduled jobs, such as Europe/Berlin; default: UTC */
  timezone?: string;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  /** Free text for people */
  notes?: string | null;
  /** What runs on the machine */
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04" | "debian_12" | "debian_13";
  /** Your own machine; the default */
  provider_type?: "custom";
  /** IPv4 or IPv6, of no other server */
  public_ip: string;
  /** Where its SSH server listens; default: 22 */
  ssh_port?: number;
}

/** A database on a server */
export interface Database {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Where it is */
  server_id: number;
  /** The project that it is deleted and moved with; null: none */
  project_id: number | null;
  /** The engine of the server */
  database_type: "mariadb" | "postgresql";
  /** On the server */
  database_name: string;
  /** Its own user, with all rights on it and on nothing else */
  username: string;
  /** 0 being created, 1 exists, 2 could not be created */
  status: 0 | 1 | 2;
  /** false for the database that came with the server */
  created_by_user: boolean;
  /** Whether it was found on the server and adopted */
  is_adopted: boolean;
  /** With status 2: why it could not be created */
  notes: string | null;
  /** As last seen on the server */
  size_bytes: number | null;
  /** As last seen on the server */
  connections: number | null;
  /** As last seen on the server */
  character_set: string | null;
  /** As last seen on the server */
  collation: string | null;
  /** ISO 8601 UTC with microseconds */
  seen_at: string | null;
  sync: Sync;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

/** By verb, what the caller can do to the record now */
export interface DatabaseActions {
  update: Action;
  change_password: Action;
  delete: Action;
  create_user: Action;
  delete_user: Action;
  import: Action;
  connect: Action;
  download: Action;
}

export interface DatabaseActionsReply {
  status: "success";
  data: DatabaseActions;
}

export interface DatabaseAdoptionRequest {
  /** 1 to 63 lowercase letters, digits and underscores; a letter first */
  name: string;
  /** Its own user, with the rules of the name; default: the name */
  username?: string | "" | null;
  /** 12 to 200 characters; default: a generated one, which the record shows */
  password?: string | "" | null;
  /** The project that it is deleted and moved with; null: none */
  project_id?: number | null;
}

export interface DatabaseChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: Database;
}

/** How to connect to a database */
export interface DatabaseConnection {
  /** Whose names of variables are used; null: general ones */
  framework: string | null;
  /** 127.0.0.1 on the database's own server */
  host: string;
  /** Of the engine */
  port: number;
  /** Whether the engine refuses connections without TLS */
  tls_required: boolean;
  /** Lines for a .env file */
  environment_variables: string;
  /** Such as that the database is attached to no project */
  warnings: Array<string>;
}

export interface DatabaseConnectionReply {
  status: "success";
  data: DatabaseConnection;
}

export interface DatabaseCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NewDatabase;
}

export interface DatabaseDeleted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  plan?: Plan;
}

/** A dump that is loaded into a database */
export interface DatabaseImport {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** What it is loaded into */
  database_id: number;
  /** Whether all content is removed before */
  empties_first: boolean;
  /** What was uploaded */
  size_bytes: number;
  /** 0 being uploaded, 1 loaded, 2 failed, 3 being loaded */
  status: 0 | 1 | 2 | 3;
  /** Why it failed, in a sentence */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
}

export interface DatabaseImportAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: DatabaseImport;
}

export interface DatabaseImportReply {
  status: "success";
  data: DatabaseImport;
}

export interface DatabaseList {
  status: "success";
  /** null without a database engine */
  engine: "mariadb" | "postgresql" | null;
  /** As last seen on the server */
  engine_version: string | null;
  /** When the engine was last looked at */
  seen_at: string | null;
  /** Why the last look at the engine failed */
  error: string | null;
  /** The items of this page */
  data: Array<Database>;
  /** From 1 */
  current_page: number;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface DatabasePassword {
  /** Of the user named beside it */
  password: string;
}

export interface DatabasePasswordRequest {
  /** 12 to 200 characters; default: a generated one, which the record shows */
  password?: string | "" | null;
}

export interface DatabaseReply {
  status: "success";
  data: DatabaseWithPassword;
}

export interface DatabaseRequest {
  /** 1 to 63 lowercase letters, digits and underscores; a letter first */
  name: string;
  /** Its own user, with the rules of the name; default: the name */
  username?: string | "" | null;
  /** 12 to 200 characters; default: a generated one, which the record shows */
  password?: string | "" | null;
  /** The project that it is deleted and moved with; null: none */
  project_id?: number | null;
}

export interface DatabaseUpdate {
  /** Free text for people */
  notes?: string | null;
  /** The project that it is deleted and moved with; null: none */
  project_id?: number | null;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** A further user of a database, who can only read */
export interface DatabaseUser {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** What it reads */
  database_id: number;
  /** On the server */
  username: string;
  /** It can change nothing */
  access: "read";
  /** 0 being created, 1 exists, 2 could not be created */
  status: 0 | 1 | 2;
  /** With status 2: why it could not be created */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface DatabaseUserChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: DatabaseUser;
}

export interface DatabaseUserList {
  status: "success";
  /** All of them */
  data: Array<DatabaseUser>;
}

export interface DatabaseUserReply {
  status: "success";
  data: DatabaseUserWithPassword;
}

export interface DatabaseUserRequest {
  /** Unique on the server: 1 to 63 lowercase letters, digits and underscores */
  username: string;
  /** 12 to 200 characters; default: a generated one, which the record shows */
  password?: string | "" | null;
}

/** A user that reads a database, with its password */
export type DatabaseUserWithPassword = DatabaseUser & DatabasePassword;

/** A database with the password of its own user */
export type DatabaseWithPassword = Database & DatabasePassword;

/** The key with which a server fetches the repository */
export interface DeployKey {
  /** null until the project was prepared on its server */
  public_key: string | null;
  /** Whether the connected account registered it at the host */
  is_registered: boolean;
  /** Why it could not be registered, in a sentence */
  error: string | null;
}

/** An attempt to put a release live */
export interface Deployment {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** The organization's id */
  tenant_id: number;
  /** What is deployed */
  project_id: number;
  /** Where it is deployed */
  server_id: number;
  /** The id of the account; null: a push, Longshore, or a deleted account */
  initiated_by: number | null;
  /** The branch that was deployed; of a tag, the branch that the project had */
  git_branch: string;
  /** The tag that was deployed; null: a branch */
  git_tag: string | null;
  /** The commit, in 40 digits; null until it is known */
  commit_id: string | null;
  /** The commit at its git host; null: not known */
  commit_url: string | null;
  /** From the push, or found on the server; null until it is known */
  commit_author: string | null;
  /** Its first line; at most 200 characters, unless the deployment is for a push */
  commit_message: string | null;
  /** What it came from, such as a push or an account */
  description: string;
  /** Behind a load balancer: the deployment that this one continues on a further server */
  rolling_of: number | null;
  /** 0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled */
  status: 0 | 1 | 2 | 3 | 4 | 5;
  /** recycle: the process was restarted; move: to another server */
  process_type: "deployment" | "rollback" | "recycle" | "move";
  /** Why it failed, in a sentence */
  error: string | null;
  /** A warning about a release that is live nevertheless, such as 404 for `/` */
  warnings: Array<string>;
  proposed_settings: ProposedSettings | null;
  /** Whole seconds from start to end; 0 while queued */
  duration: number;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
  /** What is deployed */
  project: {
    /** Identifies the record in paths and bodies; never used for another one */
    id: number;
    /** As people named it */
    name: string;
  };
  /** Where it is deployed */
  server: {
    /** Identifies the record in paths and bodies; never used for another one */
    id: number;
    /** null: the membership does not reach the server */
    name: string | null;
  };
  /** Who or what requested it */
  initiator: {
    /** monitor: an automatic rollback */
    type: "user" | "push" | "monitor";
    /** The user or the monitor, which may be gone by now; null: a push, or an account that is gone */
    id: number | null;
    /** The name of the user, or of the monitor as it was then, or the author of a push */
    name: string | null;
  };
  /** Whether it is the one that made live what its server serves */
  is_live: boolean;
  waiting_for: DeploymentWaiting | null;
  /** The page of the git host with the changes since the success before it; null: the commit is the same or unknown, or there is no such page */
  compare_url: string | null;
}

export interface DeploymentAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The queued deployment */
  deployment_id: number;
}

/** By verb, what the caller can do to the record now */
export interface DeploymentActions {
  cancel: Action;
  rerun: Action;
  roll_back: Action;
}

export interface DeploymentActionsReply {
  status: "success";
  data: DeploymentActions;
}

export interface DeploymentCancelAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** What is cancelled */
  deployment_id: number;
  /** cancelling: it ends at its next checkpoint */
  state: "cancelled" | "cancelling";
}

/** What the deployment printed */
export interface DeploymentOutput {
  /** As of the deployment */
  process_type: "deployment" | "rollback" | "recycle" | "move";
  /** Output of the user's own commands; of more than 1 MiB only the beginning and the end, with a line between that states how much is left out */
  client_payload: Array<string>;
  /** Output of the platform's steps; of more than 1 MiB only the beginning and the end, with a line between that states how much is left out */
  system_payload: Array<string>;
}

/** What is being deployed */
export interface DeploymentOverview {
  /** At most 50, the running ones first */
  running: Array<RunningDeployment>;
  /** Requested since midnight, UTC */
  today: number;
}

export interface DeploymentPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Deployment>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

/** A deployment with its steps and its output */
export type DeploymentReply = Deployment & {
  output: DeploymentOutput;
  /** In their order */
  steps: Array<DeploymentStep>;
};

export interface DeploymentRequest {
  /** 1 to 1,000 ids; one that is repeated counts once */
  project_ids: ReadonlyArray<number>;
  /** Default: the project's `repository_branch` */
  branch?: string;
  /** Default: the newest commit of the branch. Complete, or its first characters: then it is searched among the commits of all branches */
  commit_id?: string;
  /** With `commit_id`: a project whose deployment of the commit is queued, running or successful gets no other one. Default: false */
  idempotent_per_commit?: boolean;
}

export interface DeploymentSlice {
  /** The items of this page, the newest first */
  data: Array<Deployment>;
  /** What to send as `before` for the next page; null: this is the last */
  next_before: number | null;
}

/** A step of a deployment */
export interface DeploymentStep {
  /** Names the step, and stays the same in further versions */
  key: string;
  /** For display */
  label: string;
  /** Steps of a phase follow each other */
  phase: string;
  /** skipped: it was not needed, or not reached */
  status: "pending" | "running" | "completed" | "failed" | "skipped" | "unreported";
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
  /** ISO 8601 UTC with microseconds */
  finished_at: string | null;
  /** null before it has begun */
  duration_ms: number | null;
  /** Why it failed, or what it found */
  detail: string | null;
  /** Where the log has its output, from 1; null: it has printed nothing */
  first_line: number | null;
  /** How many lines it has printed */
  lines: number;
}

/** A deployment as its project names it; null: there is none */
export interface DeploymentSummary {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** 0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled */
  status: 0 | 1 | 2 | 3 | 4 | 5;
  /** null until it is known */
  commit_id: string | null;
  /** Its first line; null until it is known */
  commit_message: string | null;
  /** The branch that was deployed */
  git_branch: string;
  /** The tag that was deployed; null: the branch */
  git_tag: string | null;
  /** When it ended, or was requested while it has not; ISO 8601 UTC with microseconds */
  at: string;
}

/** Why a queued deployment does not begin yet; null: it has begun */
export interface DeploymentWaiting {
  /** project: another deployment of the project; move: the project is moved; deploy_key: the git host does not have the server's key; server: its `queue_limit`; turn: nothing, it begins in a moment */
  reason: "project" | "move" | "deploy_key" | "server" | "turn";
  /** Its place in the queue of its server, from 1 */
  position: number;
  /** The reason in a sentence */
  message: string;
}

export interface DeploymentsAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** In the order of the projects */
  deployment_ids: Array<number>;
}

/** What was found in a repository, as proposals for a project */
export interface Detection {
  framework: ProposedFramework | null;
  directory: Proposal | null;
  package_manager: ProposedPackageManager | null;
  output_directory: Proposal | null;
  build_command: Proposal | null;
  start_command: Proposal | null;
  deployment_script: Proposal | null;
  node_version: Proposal | null;
  php_version: Proposal | null;
  health_path: Proposal | null;
  shared_directories: PathsProposal | null;
  shared_files: PathsProposal | null;
  /** What the framework runs at times, such as Laravel's scheduler */
  scheduler_jobs: Array<ProposedSchedulerJob>;
  /** The lines of a Procfile, or the workers of the framework */
  background_jobs: Array<ProposedJob>;
  /** Decisions that are left to the user, a sentence each */
  notes: Array<string>;
}

export interface DetectionReply {
  status: "success";
  /** The branch's newest commit, which was looked at */
  commit: string;
  data: Detection;
}

export interface DetectionRequest {
  /** An App server */
  server_id: number;
  git_repository: GitRepository;
  /** Where the application is; default: the only one that is found */
  directory?: string;
}

export interface DeviceAnswer {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** Where the browser takes the answer; null for a program on a device */
  redirect_to: string | null;
}

export interface DeviceApproval {
  /** Of the token */
  name: string;
  /** None that the role does not have there */
  permissions: ReadonlyArray<"*" | "project:read" | "project:create" | "project:update" | "project:delete" | "deployment:create" | "server:read" | "server:create" | "server:update" | "server:delete" | "server:transfer" | "monitor:read" | "monitor:manage" | "organization:read" | "organization:manage">;
  /** The token is bound to it */
  organization_id: number;
  /** ISO 8601; default: never, or when the token that makes this one expires */
  expires_at?: string | null;
}

/** A program that waits for a person to give it a token */
export interface DeviceAuthorization {
  /** With its dash */
  user_code: string;
  /** What the program calls itself: it may be any */
  client_name: string;
  client: CallingProgram;
  /** Where the program's request came from */
  ip: string | null;
  /** What the program proposes */
  permissions: Array<string> | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  expires_at: string;
  oauth: OAuthClient | null;
}

export interface DeviceAuthorizationReply {
  status: "success";
  data: DeviceAuthorization;
}

export interface DeviceCode {
  /** Of `POST /api/v1/device-authorizations` */
  device_code: string;
}

/** The codes of a program that waits for a token */
export interface DeviceCodes {
  /** For `POST /api/v1/device-authorizations/token`; to be kept secret */
  device_code: string;
  /** For the person to compare or enter */
  user_code: string;
  /** The page of the console that asks for the code */
  verification_uri: string;
  /** The same, with the code */
  verification_uri_complete: string;
  /** Seconds */
  expires_in: number;
  /** The least seconds between two questions for the token */
  interval: number;
}

export interface DeviceCodesReply {
  status: "success";
  data: DeviceCodes;
}

export interface DeviceRequest {
  /** What the person recognizes: the program, and the device it runs on */
  client_name: string;
  /** Proposed to the person */
  permissions?: ReadonlyArray<"*" | "project:read" | "project:create" | "project:update" | "project:delete" | "deployment:create" | "server:read" | "server:create" | "server:update" | "server:delete" | "server:transfer" | "monitor:read" | "monitor:manage" | "organization:read" | "organization:manage">;
}

/** The token, or how long to wait for it */
export interface DeviceToken {
  /** `slow_down`: the question came too early */
  state: "approved" | "authorization_pending" | "slow_down";
  /** Unless approved: the seconds to wait before the next question */
  interval?: number;
  /** Shown here and never again */
  token?: string;
  /** Where the token works */
  organization?: {
    /** Identifies the record in paths and bodies; never used for another one */
    id: number;
    /** As people named it */
    name: string;
  };
}

export interface DeviceTokenReply {
  status: "success";
  data: DeviceToken;
}

/** Disk space that it uses on its server, measured by its last deployment; null: not measured yet */
export interface DiskUsage {
  /** All kept releases */
  releases_bytes: number;
  /** Caches of build tools and copies of installed packages */
  caches_bytes: number;
  /** ISO 8601 UTC with microseconds */
  measured_at: string;
}

export interface DnsCheck {
  /** success: all names lead to the server */
  status: "success" | "failed";
  /** The domain that was asked for */
  domain: string;
  /** The server's address; null while it is not known */
  expected_ip: string | null;
  /** The first address of the domain; null when it has none */
  resolved_ip: string | null;
  /** What to change, when it fails */
  message: string;
  /** Every name that was looked up: the domain, and the form that www_redirect adds */
  names: Array<DnsCheckedName>;
}

export interface DnsCheckList {
  status: "success";
  /** All of them */
  data: Array<DnsCheck>;
}

export interface DnsCheckRequest {
  /** The server that the names should lead to */
  server_id: number;
  /** The names to look up */
  domains: ReadonlyArray<string>;
}

/** A name that was looked up */
export interface DnsCheckedName {
  /** A host name */
  name: string;
  /** Whether it leads to the server */
  ok: boolean;
  /** What the DNS answers */
  addresses: Array<string>;
  /** The aliases (CNAME) that led to the addresses */
  chain: Array<string>;
  /** What to change, when it fails */
  message: string;
}

/** A DNS record that a domain needs */
export interface DnsRecord {
  /** A host name */
  name: string;
  /** The kind of the record */
  type: "A" | "AAAA";
  /** The address of the destination */
  value: string;
}

/** A domain that a project answers to */
export type Domain = ProjectDomain & {
  /** The project that answers to it */
  project_id: number;
  sync: Sync;
  dns: StoredDnsCheck | null;
};

/** By verb, what the caller can do to the record now */
export interface DomainActions {
  make_primary: Action;
  redirect: Action;
  delete: Action;
}

export interface DomainActionsReply {
  status: "success";
  data: DomainActions;
}

export interface DomainAdded {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  domain: Domain;
  nginx_response: ServerAnswer | null;
}

export interface DomainDeleted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  nginx_response: ServerAnswer | null;
}

export interface DomainList {
  status: "success";
  /** All of them */
  data: Array<Domain>;
}

export interface DomainPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Domain>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface DomainRedirectRequest {
  /** A host name or an http(s) URL; null: the domain serves the project */
  redirect_to: string | null;
  /** Omitted: it stays, or is the project's */
  redirect_status_code?: 301 | 302 | 307 | 308;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface DomainRedirectSet {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** All of the project, as they are now */
  domains: Array<Domain>;
  nginx_response: ServerAnswer | null;
}

export interface DomainRequest {
  /** A host name, such as www.example.com, which no other project has */
  domain: string;
}

/** The names of a project */
export interface DomainSet {
  /** All of the project, as they are now */
  domains: Array<Domain>;
  /** 0 none, 1 www to non-www, 2 non-www to www */
  www_redirect: 0 | 1 | 2;
  /** The `domain_name` of the primary domain */
  primary_domain: string;
}

export interface DomainsReplaced {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: DomainSet;
  nginx_response: ServerAnswer | null;
}

export interface DomainsRequest {
  /** All of them. The primary domain stays primary; without it the first that serves becomes it */
  domains: ReadonlyArray<string>;
  /** 0 none, 1 www to non-www, 2 non-www to www */
  www_redirect?: 0 | 1 | 2;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface EmailChange {
  /** Where the link is mailed to */
  newEmail: string;
}

export interface EmailProof {
  /** What is after the `#` of the link */
  token: string;
}

/** The names of the variables that a text would change */
export interface EnvironmentComparison {
  /** Those that only the text has */
  added: Array<string>;
  /** Those whose value is another one in the text */
  changed: Array<string>;
  /** Those that the text does not have */
  removed: Array<string>;
  /** How many stay as they are */
  unchanged: number;
}

export interface EnvironmentComparisonReply {
  status: "success";
  data: EnvironmentComparison;
}

export interface EnvironmentRequest {
  /** Text of a .env file */
  environment_variables: string;
}

export interface EnvironmentUpdate {
  /** Text of a .env file */
  environment_variables: string;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** A variable of a project's environment, without its value */
export interface EnvironmentVariable {
  /** As in its line */
  name: string;
  /** Whether logs mask the value, or a part of it */
  masked: boolean;
  /** When its value was last set; null: before this was recorded */
  updated_at: string | null;
  /** null: unknown, or the account is gone */
  updated_by: {
    /** Identifies the record in paths and bodies; never used for another one */
    id: number;
    /** As people named it */
    name: string;
  } | null;
  /** Whether the live release has this value, on all of its servers; otherwise it applies from the next deployment on */
  is_live: boolean;
}

export interface EnvironmentVariableList {
  status: "success";
  /** All of them */
  data: Array<EnvironmentVariable>;
}

export interface EnvironmentVariableRequest {
  /** The value as programs receive it, without quoting; default: it stays */
  value?: string;
  /** Whether logs mask the value; null: as its name and value suggest, the default */
  masked?: boolean | null;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** The `data` of each event. Its `event` is the name, its `id` the place to resume from. */
export interface EventData {
  /** Of the record that the event is about */
  id?: number;
  /** The server that it concerns; null: none */
  server_id: number | null;
  /** The project that it concerns; null: none */
  project_id: number | null;
  /** The record's state in a word, where it has one */
  state?: string;
  /** Whether the record is gone */
  deleted?: boolean;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

/** The account and its organization */
export interface FirstAccount {
  /** Of the account */
  user_id: number;
  /** Of its organization */
  organization_id: number;
}

/** What a project can be made with */
export interface Framework {
  /** For `framework_id` */
  id: number;
  /** For `framework` of an update */
  name: string;
  /** For display */
  label: string;
  /** How releases are served; a project can change within its family only */
  runtime_family: "php" | "node" | "static";
  /** The `custom_commands` of a project that sets none */
  defaults: {
    /** Installs the packages */
    install: string;
    /** Runs after the install */
    build: string;
    /** Starts the process; empty: there is none */
    dev: string;
    /** Where the application is; empty: the root of the repository */
    directory: string;
  };
  /** What visitors get; empty: the working directory */
  public_directory: string;
  /** Whether releases replace each other without a pause */
  zero_downtime: boolean;
}

export interface FrameworkList {
  status: "success";
  /** All of them */
  data: Array<Framework>;
}

/** The framework */
export interface FrameworkName {
  /** 1 Laravel, 2 Symfony, 3 WordPress (from git), 4 PHP, 5 Next.js, 6 Nuxt, 7 SvelteKit / Astro (server), 8 Node.js, 9 Static site with a build, 10 Static files */
  id: number;
  /** Its name for people */
  label: string;
}

/** The repository and the branch */
export interface GitRepository {
  /** An address, such as `https://git.example.com/acme/shop.git`, or `owner/name` at the host of `type` */
  repo: string;
  /** git_host_a, git_host_b, git_host_c, git, or the `source` of a connected account */
  type: "git_host_a" | "git_host_b" | "git_host_c" | "git" | `source_${number}`;
  /** What is deployed, and whose pushes count with auto-deploy */
  branch: string;
}

/** What is omitted stays; not for a catalog application */
export interface GitRepositoryUpdate {
  /** An address, such as `https://git.example.com/acme/shop.git`, or `owner/name` at the host of `type` */
  repo?: string;
  /** git_host_a, git_host_b, git_host_c, git, or the `source` of a connected account */
  type?: "git_host_a" | "git_host_b" | "git_host_c" | "git" | `source_${number}`;
  /** What is deployed, and whose pushes count with auto-deploy */
  branch?: string;
}

/** A project of a group */
export interface GroupedProject {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** Its label; null: none */
  environment: "production" | "staging" | "dev" | null;
  /** Its own server */
  server_id: number;
}

export interface Health {
  status: "ok";
}

/** heartbeats only: the newest report; the result of the last run, also while the next one is running */
export interface HeartbeatReport {
  /** What was reported */
  kind: "success" | "start" | "fail";
  /** 0 is success; null: none was reported */
  exit_status: number | null;
  /** From start to end; null without a start */
  duration_ms: number | null;
  /** The beginning of the output that came with it, with the environment's values masked */
  body: string | null;
}

export interface HookAnswer {
  status: "success";
  /** The result */
  message: string;
  /** null: nothing was queued */
  deployment_id: number | null;
}

/** A branch of a repository */
export interface HostBranch {
  /** What `git_repository.branch` takes */
  name: string;
  /** Its newest commit */
  commit_id: string;
  /** Whether the repository is shown with it */
  is_default: boolean;
}

export interface HostBranchList {
  status: "success";
  /** The items of this page, in the host's order */
  data: Array<HostBranch>;
  /** null: this is the last page */
  next_cursor: string | null;
}

/** A repository that the account can read */
export interface HostRepository {
  /** `owner/name`, as `git_repository.repo` takes it */
  repository: string;
  /** Whether reading it needs a credential */
  is_private: boolean;
  /** null for an empty repository */
  default_branch: string | null;
  /** Its page at the host */
  web_url: string;
}

export interface HostRepositoryList {
  status: "success";
  /** The items of this page, in the host's order */
  data: Array<HostRepository>;
  /** null: this is the last page */
  next_cursor: string | null;
}

/** A line of a file that was not imported */
export interface IgnoredLine {
  /** Its number in the text, from 1 */
  line: number;
  /** The line, up to 200 characters */
  text: string;
  /** Why it was not imported */
  reason: string;
}

/** An incident on a status page */
export interface Incident {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** What is wrong, in a line */
  title: string;
  /** How far it is; resolved ends the incident */
  state: "investigating" | "identified" | "monitoring" | "resolved";
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
  /** ISO 8601 UTC with microseconds */
  resolved_at: string | null;
  /** The newest first */
  updates: Array<IncidentUpdate>;
}

export interface IncidentChange {
  /** What is wrong, in a line */
  title: string;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface IncidentChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: Incident;
}

export interface IncidentPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Incident>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface IncidentReply {
  status: "success";
  data: Incident;
}

export interface IncidentRequest {
  /** What is wrong, in a line */
  title: string;
  /** Where it begins; default: investigating */
  state?: "investigating" | "identified" | "monitoring" | "resolved";
  /** Plain text */
  text: string;
}

/** An entry of an incident */
export interface IncidentUpdate {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** How far it is; resolved ends the incident */
  state: "investigating" | "identified" | "monitoring" | "resolved";
  /** Plain text */
  text: string;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface IncidentUpdateChange {
  /** Plain text */
  text: string;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface IncidentUpdateRequest {
  /** How far it is; resolved ends the incident */
  state: "investigating" | "identified" | "monitoring" | "resolved";
  /** Plain text */
  text: string;
}

/** An invitation to an organization */
export interface Invitation {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Who is invited */
  email: string;
  /** Of the membership that it makes */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  restriction: Restriction | null;
  /** pending: it can be accepted */
  status: "pending" | "accepted" | "expired";
  /** A user's id */
  invited_by: number | null;
  /** ISO 8601 UTC with microseconds */
  expires_at: string;
  /** ISO 8601 UTC with microseconds */
  accepted_at: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface InvitationAcceptance {
  /** From the mail, or the answer to the invitation */
  token: string;
  /** Of the new account, when the email has none yet */
  name?: string;
  /** Of the new account, to sign in to the console */
  password?: string;
}

export interface InvitationAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NewMembership;
}

export interface InvitationCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NewInvitation;
}

export interface InvitationPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Invitation>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

/** What an invitation is for */
export interface InvitationPreview {
  /** Its name */
  organization: string;
  /** The name of the person who invites; null when the account is gone */
  inviter: string | null;
  /** Who is invited */
  email: string;
  /** Of the membership */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  /** Whether the membership reaches only chosen servers and projects */
  is_restricted: boolean;
  /** How many the membership would reach */
  servers_count: number;
  /** How many the membership would reach */
  projects_count: number;
  /** Whether the address has an account here */
  has_account: boolean;
  /** ISO 8601 UTC with microseconds */
  expires_at: string;
}

export interface InvitationPreviewReply {
  status: "success";
  data: InvitationPreview;
}

export interface InvitationRequest {
  /** Who is invited; the address of no member */
  email: string;
  /** Of the membership; only an Owner invites Owners */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  restriction?: RestrictionRequest | null;
  /** Default: 7 */
  expires_in_days?: number;
}

/** The end of a log */
export interface JobLog {
  /** The oldest first */
  lines: Array<string>;
}

export interface JobLogReply {
  status: "success";
  data: JobLog;
}

/** The newest notification of a channel */
export interface LastDelivery {
  /** queued: it failed, and is retried */
  status: "queued" | "delivered" | "failed";
  /** Why the last attempt failed */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  at: string;
}

/** A database with the name of its server */
export type ListedDatabase = Database & {
  /** That of `server_id` */
  server_name: string;
};

export interface ListedDatabasePage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<ListedDatabase>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export type ListedProjectGroup = ProjectGroup & {
  /** Of the projects that you can see */
  projects_count: number;
};

/** The `data` of each event `lines`. Its `id` is the place to resume from. */
export interface LiveLines {
  /** The oldest first; at most 200. Long lines are cut. */
  lines: Array<string>;
  /** Lines before these that are not shown, because too many came at once */
  left_out: number;
  /** The same lines, with their times */
  entries: Array<LogEntry>;
}

/** A line of a log */
export interface LogEntry {
  /** When it was written; null when the log does not show that */
  at: string | null;
  /** The line; secrets that a program printed are masked */
  text: string;
}

/** The `data` of the event `log` */
export interface LogEvent {
  /** Where it begins; grows, with gaps */
  offset: number;
  /** Key of the step that printed it */
  step: string | null;
  /** client: the user's own command; system: a step of the platform */
  audience: "system" | "client";
  /** Whole lines; a line longer than 64 KiB comes in parts */
  text: string;
  /** The number of its first line in the log, from 1; a further part of a line has the same */
  first_line: number;
}

export interface LogMatch {
  /** The number of the line in the log, from 1 */
  line: number;
  /** Key of the step that printed it */
  step: string | null;
  /** The line, up to 1,000 characters */
  text: string;
}

/** Lines of a log that contain a text */
export interface LogMatches {
  status: "success";
  /** At most 100, in the order of the log */
  matches: Array<LogMatch>;
  /** Lines of the whole log that match; 10,000: as many or more; null: it takes too long to count them */
  total: number | null;
  /** Where the next page begins; null: there are no further ones */
  next_line: number | null;
}

export interface LogPage {
  status: "success";
  /** In the order of the log */
  data: Array<LogPart>;
  /** What to send as `after` to read the next page */
  next: number;
  /** Whether there is more already */
  has_more: boolean;
  /** The work has ended and this is the end of its log */
  is_complete: boolean;
  /** Lines of the whole log so far */
  total_lines: number;
  /** Bytes of the whole log so far */
  total_bytes: number;
}

/** Output of one step */
export interface LogPart {
  /** Where it begins; grows, with gaps */
  offset: number;
  /** Key of the step that printed it */
  step: string | null;
  /** client: the user's own command; system: a step of the platform */
  audience: "system" | "client";
  /** Whole lines; a line longer than 64 KiB comes in parts */
  text: string;
  /** The number of its first line in the log, from 1; a further part of a line has the same */
  first_line: number;
}

/** Records that would be deleted with their content */
export interface Loss {
  /** Such as `project`; the nouns are those of the API */
  noun: string;
  /** How many of them */
  count: number;
  /** Of the first ten; empty where they have none */
  names: Array<string>;
  /** Of their content, as last measured */
  bytes: number | null;
}

export interface MaintenanceChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The new state; with 202 the state before, which is being changed */
  maintenance_mode: boolean;
}

export interface MaintenanceRequest {
  /** Whether visitors see the maintenance page */
  enabled: true | false | 0 | 1;
}

export interface MaintenanceStatus {
  status: "success";
  /** Whether visitors see the maintenance page */
  maintenance_mode: boolean;
}

export interface MaintenanceToggle {
  /** Whether visitors see the maintenance page */
  enabled?: true | false | 0 | 1;
}

/** A period in which monitors do not count failures */
export interface MaintenanceWindow {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** ISO 8601 UTC with microseconds */
  starts_at: string | null;
  /** ISO 8601 UTC with microseconds */
  ends_at: string | null;
  /** When a recurring window begins; null: it is once */
  cron_expression: string | null;
  /** How long a recurring window lasts */
  duration_seconds: number | null;
  /** Of the cron expression */
  timezone: string | null;
  /** Whether it applies to every monitor of the organization */
  all_monitors: boolean;
  /** Monitors that it applies to */
  monitor_ids: Array<number>;
  /** Servers with all monitors of what is on them */
  server_ids: Array<number>;
  /** Whether it is active now */
  is_active: boolean;
  /** Of the current or the next time; null when it is over */
  next_starts_at: string | null;
  /** ISO 8601 UTC with microseconds */
  next_ends_at: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface MaintenanceWindowChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: MaintenanceWindow;
}

export interface MaintenanceWindowPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<MaintenanceWindow>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface MaintenanceWindowReply {
  status: "success";
  data: MaintenanceWindow;
}

export interface MaintenanceWindowRequest {
  /** For people */
  name: string;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  starts_at?: string | null;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  ends_at?: string | null;
  /** When it begins, for a recurring window: five fields, or a nickname such as @daily */
  cron_expression?: string | null;
  /** How long a recurring window lasts: up to a week */
  duration_seconds?: number | null;
  /** For the cron expression; UTC when omitted */
  timezone?: string | null;
  /** Whether it applies to every monitor of the organization; default: off */
  all_monitors?: true | false | 0 | 1;
  /** Monitors that it applies to, at most 500 */
  monitor_ids?: ReadonlyArray<number>;
  /** Servers with all monitors of what is on them, at most 500 */
  server_ids?: ReadonlyArray<number>;
}

export interface MaintenanceWindowUpdate {
  /** For people */
  name?: string;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  starts_at?: string | null;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  ends_at?: string | null;
  /** When it begins, for a recurring window: five fields, or a nickname such as @daily */
  cron_expression?: string | null;
  /** How long a recurring window lasts: up to a week */
  duration_seconds?: number | null;
  /** For the cron expression; UTC when omitted */
  timezone?: string | null;
  /** Whether it applies to every monitor of the organization; default: off */
  all_monitors?: true | false | 0 | 1;
  /** Monitors that it applies to, at most 500 */
  monitor_ids?: ReadonlyArray<number>;
  /** Servers with all monitors of what is on them, at most 500 */
  server_ids?: ReadonlyArray<number>;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** An account that belongs to the organization */
export interface Member {
  /** The account's id */
  user_id: number;
  /** As people named it */
  name: string;
  /** What the account signs in with */
  email: string;
  /** What the member may do here */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  restriction: Restriction | null;
  /** ISO 8601 UTC with microseconds */
  joined_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

/** By verb, what the caller can do to the record now */
export interface MemberActions {
  update: Action;
  remove: Action;
}

export interface MemberActionsReply {
  status: "success";
  data: MemberActions;
}

export interface MemberChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: Member;
}

export interface MemberPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Member>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface MemberReply {
  status: "success";
  data: Member;
}

/** A token for the organization, with the account that it stands for */
export type MemberToken = Token & {
  /** The account that requests with it act as */
  user: {
    /** Identifies the record in paths and bodies; never used for another one */
    id: number;
    /** As people named it */
    name: string;
    /** What it signs in with */
    email: string;
  };
};

export interface MemberTokenPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<MemberToken>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface MemberUpdate {
  /** What the member may do; only an Owner appoints Owners */
  role?: "Owner" | "Admin" | "Member" | "Viewer";
  restriction?: RestrictionRequest | null;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** An organization of the account */
export interface Membership {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** What the account may do there */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  /** Sets the limits */
  plan: "starter" | "pro" | "business";
}

/** A health check of a site, or the heartbeat of a job */
export interface Monitor {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** http: a site is requested; heartbeat: a job reports */
  type: "http" | "heartbeat";
  /** As people named it */
  name: string;
  /** Whether it is checked */
  is_active: boolean;
  /** pending until the first verdict, and while it is off */
  current_status: "pending" | "up" | "down";
  /** What is watched */
  monitorable_type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  /** The id of the watched project, domain or job */
  monitorable_id: number;
  /** The project that the watched record belongs to, or is */
  project_id: number;
  config: MonitorConfig;
  /** Where it sends notifications besides the organization's channels */
  notification_channels: Array<MonitorChannel>;
  /** heartbeats only; without its secret for those who may not change the monitor */
  ping_url?: string;
  /** ISO 8601 UTC with microseconds */
  last_checked_at: string | null;
  /** ISO 8601 UTC with microseconds */
  last_ping_at?: string | null;
  /** ISO 8601 UTC with microseconds */
  last_status_changed_at: string | null;
  /** It changed so often that notifications are held back until it is stable */
  is_flapping: boolean;
  /** ISO 8601 UTC with microseconds */
  certificate_expires_at?: string | null;
  /** Percent of the observed time; null without enough of it */
  uptime_24h: number | null;
  /** Percent of the observed time; null without enough of it */
  uptime_7d: number | null;
  /** http only: the last 60 checks, the newest at the end; stored once a minute */
  recent: Array<{
    /** Whether it passed */
    ok: boolean;
    /** null: there was no answer */
    ms: number | null;
  }>;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface MonitorChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: ChangedMonitor;
}

/** Where a monitor sends notifications besides the organization's channels */
export interface MonitorChannel {
  /** What is sent to */
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** Without its secret: only the beginning of a web address */
  target: string;
  /** The changes that are sent */
  on: Array<"down" | "up">;
}

export interface MonitorChannelRequest {
  /** What is sent to */
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** As of a notification channel: addresses, a web address, or a chat */
  target: string;
  /** telegram: the bot's token; never shown */
  bot_token?: string;
  /** The changes that are sent */
  on: ReadonlyArray<"down" | "up">;
}

/** How it is checked; which fields there are depends on the type */
export interface MonitorConfig {
  /** http only: what is requested */
  url?: string;
  /** http only */
  method?: "GET" | "HEAD" | "POST";
  /** http only; null: any 2xx passes */
  expected_status?: number | null;
  /** http only: seconds between checks */
  interval_seconds?: number;
  /** http only: until the whole answer is there */
  timeout_seconds?: number;
  /** heartbeats only: in force, by the job's schedule unless it was set; null: no report is expected, since the job runs only at boot */
  expected_period_seconds?: number | null;
  /** heartbeats only: in force; null: there is no period to derive it from */
  grace_seconds?: number | null;
  /** Consecutive failures before down */
  confirmation_threshold: number;
}

export interface MonitorConfigRequest {
  /** http: what is requested; redirects are not followed */
  url?: string;
  /** http; default: GET */
  method?: "GET" | "HEAD" | "POST";
  /** http; null or omitted: any 2xx passes */
  expected_status?: number | null;
  /** http: seconds between checks; the plan sets the minimum, and the default if that is over 60 */
  interval_seconds?: number;
  /** http: until the whole answer is there; default: 10 */
  timeout_seconds?: number;
  /** Consecutive failures before down; default: 3 */
  confirmation_threshold?: number;
  /** heartbeat: seconds between reports; from the job's schedule when omitted or null */
  expected_period_seconds?: number | null;
  /** heartbeat: seconds that a report may be late; when omitted or null half of the period, at least 60, for a scheduled job, and 150 for a background job */
  grace_seconds?: number | null;
}

/** Each monitor counts once */
export interface MonitorCounts {
  /** All monitors */
  total: number;
  /** The monitors in the state up */
  up: number;
  /** The monitors in the state down */
  down: number;
  /** The monitors in the state pending */
  pending: number;
  /** The monitors in the state inactive */
  inactive: number;
}

export interface MonitorCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NewMonitor;
}

/** A monitor with its target and its newest events */
export type MonitorDetails = Monitor & {
  last_ping?: HeartbeatReport | null;
  target: MonitorTarget;
  /** Changes of the status, the newest first; at most 50 */
  events: Array<MonitorEvent>;
};

/** A change of a monitor's status */
export interface MonitorEvent {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** What it changed to */
  status: "up" | "down";
  /** What the check saw, in a sentence */
  message: string;
  context: MonitorEventContext;
  /** ISO 8601 UTC with microseconds */
  resolved_at: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

/** The details of a change: fields of the check, or of the job's report, and the deployment before an outage */
export interface MonitorEventContext {
  /** The HTTP status; null: there was no response */
  status?: number | null;
  /** Until the whole answer was there */
  latency_ms?: number | null;
  /** Why the check failed */
  error?: string | null;
  /** The address that was asked */
  address?: string | null;
  /** From the beginning to the end of dns, connect, tls, first_byte and whole, as far as the check came */
  phases_ms?: Record<string, number>;
  /** Failed checks in a row */
  failures?: number;
  /** It answers another server, so it is not down */
  disturbed?: boolean;
  /** What another server of the organization saw at that time */
  second_opinion?: {
    /** The server that asked */
    server_id: number;
    /** Its name then */
    server_name: string;
    /** Whether it got an answer that passes */
    is_up: boolean;
    /** The HTTP status; null: there was no response */
    status: number | null;
    /** What it saw, in a sentence */
    message: string;
  };
  /** When the job reported, ISO 8601 */
  reported_at?: string | null;
  /** Of the job; 0 is success */
  exit_status?: number | null;
  /** How long the job ran */
  duration_ms?: number | null;
  /** The end of what the job printed, without secrets */
  output?: string;
  /** When the report was due, ISO 8601 */
  expected_at?: string;
  /** When its grace ended, ISO 8601 */
  late_at?: string;
  /** The newest report before, ISO 8601; null: there was none */
  last_report_at?: string | null;
  /** When the run started that has not ended */
  started_at?: string | null;
  deployment?: OutageDeployment;
  /** What `rollback_on_down` of the project did */
  rollback?: {
    /** The deployment that rolls back */
    deployment_id?: number;
    /** The deployment whose release is made live again */
    target_id?: number;
    /** Why nothing was rolled back */
    refusal?: string;
  };
}

export interface MonitorEventSlice {
  /** The items of this page, the newest first */
  data: Array<MonitorEvent>;
  /** What to send as `before` for the next page; null: this is the last */
  next_before: number | null;
}

/** The checks and the states of a monitor in a period */
export interface MonitorHistory {
  /** ISO 8601 UTC with microseconds */
  from: string;
  /** ISO 8601 UTC with microseconds */
  to: string;
  /** What a point stands for */
  resolution: "hour" | "day";
  /** Percent of the observed time; null without enough of it */
  uptime: number | null;
  /** The oldest first; none where nothing was checked */
  points: Array<MonitorHistoryPoint>;
  /** The oldest first */
  states: Array<MonitorPeriod>;
}

/** The checks of an hour or a day */
export interface MonitorHistoryPoint {
  /** ISO 8601 UTC with microseconds */
  at: string;
  /** Checks that were made */
  checks: number;
  /** Those that passed */
  ok: number;
  /** Checks that were due and not made */
  unobserved: number;
  /** Milliseconds until the whole answer; null: there was none */
  average_ms: number | null;
  /** Milliseconds until the whole answer; null: there was none */
  p50_ms: number | null;
  /** Milliseconds until the whole answer; null: there was none */
  p95_ms: number | null;
  /** Checks by the status of the answer */
  statuses: {
    /** Checks without an answer */
    none: number;
    /** Checks with such a status */
    "1xx": number;
    /** Checks with such a status */
    "2xx": number;
    /** Checks with such a status */
    "3xx": number;
    /** Checks with such a status */
    "4xx": number;
    /** Checks with such a status */
    "5xx": number;
  };
  /** Seconds in which it counted as up */
  up_seconds: number;
  /** Seconds in which it counted as down */
  down_seconds: number;
}

export interface MonitorHistoryReply {
  status: "success";
  data: MonitorHistory;
}

/** What an import did, or would do */
export interface MonitorImport {
  /** As requested: nothing was created */
  dry_run: boolean;
  /** How many were created, or would be */
  created: number;
  /** How many were not, each with its reason */
  skipped: number;
  /** Each monitor of the source */
  items: Array<MonitorImportItem>;
}

/** A monitor of the source */
export interface MonitorImportItem {
  /** Names it in its source, and no other: its slug or id, or its uuid where a slug repeats */
  item: string;
  /** As people named it */
  name: string;
  /** null: there is no such type here */
  type: "http" | "heartbeat" | null;
  /** What was done, or would be done with dry_run */
  action: "create" | "skip";
  /** Why it is skipped */
  reason: string | null;
  /** Whether it is skipped because nothing, or more than one job, matches: name its target in `targets` */
  needs_target: boolean;
  /** Each difference from the source: values that change, and fields that are left out */
  notes: Array<string>;
  /** What was created; null with dry_run and when it is skipped */
  monitor_id: number | null;
  /** What it watches here; null when that was not found */
  monitorable_type: string | null;
  /** The id of what it watches here */
  monitorable_id: number | null;
  /** As of a request to create it; null when it is skipped */
  config: unknown;
}

export interface MonitorImportReply {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: MonitorImport;
}

export interface MonitorImportRequest {
  /** Where `data` comes from */
  source: "uptime_kuma" | "healthchecks";
  /** Uptime Kuma: its backup with monitorList. Healthchecks: the answer of GET /api/v3/checks/. */
  data: Record<string, unknown>;
  /** Whether nothing is created, and the answer shows what would be; default: off */
  dry_run?: true | false | 0 | 1;
  /** The targets of items, where neither their address nor their name identifies one */
  targets?: ReadonlyArray<MonitorImportTarget>;
}

/** What an item of the source is to watch here */
export interface MonitorImportTarget {
  /** The `item` of a dry run */
  item: string;
  /** What it is to watch */
  monitorable_type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  /** The id of the project, domain or job */
  monitorable_id: number;
}

/** What a request for a monitor can have */
export interface MonitorOptions {
  /** What a monitor can be */
  types: Array<{
    /** For `type` of a request */
    type: "http" | "heartbeat";
    /** For display */
    label: string;
    /** The values of `monitorable_type` that it takes */
    targets: Array<string>;
  }>;
  /** For `config.method` */
  methods: Array<"GET" | "HEAD" | "POST">;
  /** For `config.interval_seconds` */
  interval: {
    /** Set by the plan */
    min_seconds: number;
    /** The longest interval */
    max_seconds: number;
    /** In force when a request names none */
    default_seconds: number;
  };
  /** Set by the plan */
  monitor_limit: {
    /** Active monitors of this type; null: no limit */
    http: number | null;
    /** Active monitors of this type; null: no limit */
    heartbeat: number | null;
  };
  /** In force when a request names none */
  defaults: {
    /** Until the whole answer is there */
    timeout_seconds: number;
    /** Consecutive failures before down */
    confirmation_threshold: number;
  };
}

export interface MonitorOptionsReply {
  status: "success";
  data: MonitorOptions;
}

export interface MonitorPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Monitor>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

/** A period in which the state of a monitor stayed the same */
export interface MonitorPeriod {
  /** unobserved: it was off, or not checked */
  state: "up" | "down" | "unobserved";
  /** ISO 8601 UTC with microseconds */
  from: string;
  /** null: it continues */
  to: string | null;
}

export interface MonitorReply {
  status: "success";
  data: MonitorDetails;
}

export interface MonitorRequest {
  /** http: a site is requested; heartbeat: a job reports */
  type: "http" | "heartbeat";
  /** For people; stands in notifications */
  name: string;
  /** What is watched; http: a project or domain, heartbeat: a scheduled or background job */
  monitorable_type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  /** The id of the project, domain or job */
  monitorable_id: number;
  /** Required for http. Fields of the other type are ignored; null is the same as omitted. */
  config?: MonitorConfigRequest | null;
  /** Where this monitor sends notifications besides the organization's channels */
  notification_channels?: ReadonlyArray<MonitorChannelRequest>;
  /** Whether it is checked; default: on */
  is_active?: true | false | 0 | 1;
}

/** What a monitor watches */
export interface MonitorTarget {
  /** Of the record */
  type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** The project's or job's name, or the domain */
  name: string;
  /** The project that the record belongs to, or is */
  project_id: number;
}

export interface MonitorUpdate {
  /** For people; stands in notifications */
  name?: string;
  /** Required for http. Fields of the other type are ignored; null is the same as omitted. */
  config?: MonitorConfigRequest | null;
  /** Where this monitor sends notifications besides the organization's channels */
  notification_channels?: ReadonlyArray<MonitorChannelRequest>;
  /** Whether it is checked; one that is off counts against no limit */
  is_active?: true | false | 0 | 1;
  /** Rejected: fixed at creation */
  type?: unknown;
  /** Rejected: fixed at creation */
  monitorable_type?: unknown;
  /** Rejected: fixed at creation */
  monitorable_id?: unknown;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface MonitorWebhookSecret {
  /** The channel, without the rest of its address */
  target: string;
  /** What its deliveries are signed with */
  secret: string;
}

/** Of what would be ordered; null: nothing is */
export interface MonthlyPrice {
  /** Without VAT */
  monthly_price_net: string;
  /** With VAT */
  monthly_price_gross: string;
  /** Such as `EUR` */
  currency: string;
}

export interface MoveAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** What is moved */
  project_id: number;
  /** The deployment that moves it */
  deployment_id: number;
  /** The DNS records that the domains need once the move has succeeded */
  dns_records: Array<DnsRecord>;
  /** How many days the former server forwards visitors after the move. 0: it asks them to come back later, for a day */
  forward_days: number;
}

export interface MoveRequest {
  /** The destination */
  server_id: number;
  /** Move the project also when its environment names databases of its server that are not attached to it, and so stay there */
  leave_databases?: boolean;
}

/** A record by its id and name */
export interface NamedRecord {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Its name */
  name: string;
}

/** A server of which the caller reaches a project only */
export interface NamedServer {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
}

/** A database that is being created */
export interface NewDatabase {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Where it is created */
  server_id: number;
  /** The project that it is deleted and moved with; null: none */
  project_id: number | null;
  /** The engine of the server */
  database_type: "mariadb" | "postgresql";
  /** On the server */
  database_name: string;
  /** Its own user */
  username: string;
  /** 0 being created, 1 exists, 2 could not be created */
  status: 0 | 1 | 2;
}

/** An invitation with the token that accepts it */
export type NewInvitation = Invitation & {
  /** Anyone who has it can accept; it is shown here and never again */
  token: string;
};

/** The membership that an invitation made */
export interface NewMembership {
  /** The organization that was joined */
  organization_id: number;
  /** The account that joined */
  user_id: number;
  /** What it may do there */
  role: "Owner" | "Admin" | "Member" | "Viewer";
}

/** A monitor that was just created */
export interface NewMonitor {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As requested */
  type: "http" | "heartbeat";
  /** As people named it */
  name: string;
  /** pending until the first verdict */
  current_status: "pending" | "up" | "down";
  /** Whether it is checked */
  is_active: boolean;
  /** heartbeats only: where the job reports; its server is configured to do so */
  ping_url?: string;
  /** What deliveries to new webhooks of this monitor are signed with; shown here and never again */
  webhook_secrets?: Array<MonitorWebhookSecret>;
}

/** A channel with the secret of a webhook */
export type NewNotificationChannel = NotificationChannel & {
  /** webhook: what deliveries are signed with; shown here and never again */
  secret?: string;
};

/** A token with its value */
export type NewToken = Token & {
  /** The value; it is shown here and never again */
  token: string;
};

/** The new secret of a webhook */
export interface NewWebhookSecret {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** webhook: what deliveries are signed with; shown here and never again */
  secret: string;
}

/** Where an organization receives notifications */
export interface NotificationChannel {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** What is sent to */
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** Without its secret: only the beginning of a web address */
  target: string;
  /** The topics that it receives */
  on: Array<string>;
  /** Only what happens to these; null: everything */
  project_ids: Array<number> | null;
  /** Whether it receives anything */
  is_active: boolean;
  last_delivery: LastDelivery | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

/** By verb, what the caller can do to the record now */
export interface NotificationChannelActions {
  update: Action;
  delete: Action;
  test: Action;
  renew_secret: Action;
}

export interface NotificationChannelActionsReply {
  status: "success";
  data: NotificationChannelActions;
}

export interface NotificationChannelChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NotificationChannel;
}

export interface NotificationChannelCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NewNotificationChannel;
}

export interface NotificationChannelPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<NotificationChannel>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface NotificationChannelReply {
  status: "success";
  data: NotificationChannel;
}

export interface NotificationChannelRequest {
  /** For people */
  name: string;
  /** What is sent to; fixed at creation */
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** email: addresses, separated by commas. slack, discord, webhook: a web address. telegram: a chat's number or name, with `/` and a number for a topic of it */
  target: string;
  /** telegram: the bot's token; never shown */
  bot_token?: string;
  /** The topics that it receives */
  on: ReadonlyArray<"deployment.succeeded" | "deployment.failed" | "certificate.failed" | "certificate.renewed" | "server.unreachable" | "app.security_update" | "app.update_failed" | "server.not_removed" | "server.orphan_found" | "monitor.down" | "monitor.up" | "monitor.certificate_expiring" | "process.crash_loop" | "process.recovered">;
  /** Only what happens to these projects; null: everything, also what belongs to no project */
  project_ids?: ReadonlyArray<number> | null;
  /** Whether it receives anything; default: on */
  is_active?: true | false | 0 | 1;
}

export interface NotificationChannelTested {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NotificationDelivery;
}

export interface NotificationChannelUpdate {
  /** For people */
  name?: string;
  /** Cannot be changed */
  type?: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** email: addresses, separated by commas. slack, discord, webhook: a web address. telegram: a chat's number or name, with `/` and a number for a topic of it */
  target?: string;
  /** telegram: the bot's token; never shown */
  bot_token?: string;
  /** The topics that it receives */
  on?: ReadonlyArray<"deployment.succeeded" | "deployment.failed" | "certificate.failed" | "certificate.renewed" | "server.unreachable" | "app.security_update" | "app.update_failed" | "server.not_removed" | "server.orphan_found" | "monitor.down" | "monitor.up" | "monitor.certificate_expiring" | "process.crash_loop" | "process.recovered">;
  /** Only what happens to these projects; null: everything, also what belongs to no project */
  project_ids?: ReadonlyArray<number> | null;
  /** Whether it receives anything */
  is_active?: true | false | 0 | 1;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** A notification that was sent to a channel, or is retried */
export interface NotificationDelivery {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** What it is about; test for one that was requested */
  topic: string;
  /** What happened, in a line */
  title: string;
  /** queued: it is sent, or retried */
  status: "queued" | "delivered" | "failed";
  /** How often it was sent */
  attempts: number;
  /** The other side's answer when it accepted the message */
  answer: string | null;
  /** Why the last attempt failed */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  next_attempt_at: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
}

export interface NotificationDeliveryPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<NotificationDelivery>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

/** The program that waits now, or why its request was refused */
export interface OAuthAuthorization {
  program: DeviceAuthorization | null;
  /** Of a request that is not as OAuth 2.1 wants it; null when the program waits */
  refusal: {
    /** What the program did wrong */
    message: string;
    /** Where the browser takes the refusal */
    redirect_to: string;
  } | null;
}

export interface OAuthAuthorizationReply {
  status: "success";
  data: OAuthAuthorization;
}

/** A program of another site, which opened the page; null for one on a device */
export interface OAuthClient {
  /** The address of the document that describes it */
  client_id: string;
  /** Of that address: all that is known for sure about the program */
  client_host: string;
  /** Where the browser takes the answer */
  redirect_host: string;
  /** That is the person's own computer, where any program may listen */
  is_local: boolean;
}

/** The parameters of the address `/authorize`, as OAuth 2.1 names them */
export interface OAuthRequest {
  /** The https address of the document of the program */
  client_id: string;
  /** One of those in the document */
  redirect_uri: string;
  /** `code` */
  response_type?: string;
  /** Base64url of the SHA-256 of a secret of the program (PKCE) */
  code_challenge?: string;
  /** `S256` */
  code_challenge_method?: string;
  /** The address of /mcp */
  resource?: string;
  /** The program gets it back */
  state?: string;
  /** The permissions that are proposed to the person; default: those to read */
  scope?: string;
}

/** A server type that cannot be ordered, and why */
export interface OmittedServerType {
  /** The provider's name */
  name: string;
  /** Why, in a sentence */
  reason: string;
}

/** OpenAPI 3.1 */
export type OpenApiDocument = Record<string, unknown>;

export interface OrderedServerCreated {
  status: "provisioning";
  /** What happened, as a sentence for people */
  message: string;
  /** The server that it is about */
  server_id: number;
}

/** An organization of the account */
export interface Organization {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** Sets the limits; only an operator changes it */
  plan: "starter" | "pro" | "business";
  /** The caller's */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  /** Where requests of the account run that name no organization */
  is_current: boolean;
  /** With the caller */
  members_count: number;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

/** By verb, what the caller can do to the record now */
export interface OrganizationActions {
  update: Action;
  leave: Action;
}

export interface OrganizationActionsReply {
  status: "success";
  data: OrganizationActions;
}

export interface OrganizationChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: Organization;
}

export interface OrganizationPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Organization>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface OrganizationReply {
  status: "success";
  data: Organization;
}

export interface OrganizationRequest {
  /** For people; need not be unique */
  name: string;
}

export interface OrganizationUpdate {
  /** For people; need not be unique */
  name: string;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** A resource at a provider that belongs to no server here */
export type OrphanedResource = CloudResource & {
  /** Its name at the provider */
  name: string | null;
  /** Without VAT; null where it could not be read */
  monthly_price_net: string | null;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string | null;
  /** EUR or USD; null without a price */
  currency: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string | null;
  /** ISO 8601 UTC with microseconds */
  seen_at: string;
};

export interface OrphanedResourceList {
  status: "success";
  /** What the last comparison found */
  data: Array<OrphanedResource>;
  /** ISO 8601 UTC with microseconds */
  checked_at: string | null;
  /** Why the last comparison failed */
  error: string | null;
}

/** The deployment that went live shortly before an outage */
export interface OutageDeployment {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** What was deployed */
  project_id: number;
  /** deployment, rollback, recycle or move */
  process_type: string;
  /** As of the deployment: 1 success */
  status: number;
  /** The deployment that it continues on a further server */
  rolling_of: number | null;
  /** What it made live */
  commit_id: string | null;
  /** The commit at the git host */
  commit_url: string | null;
  /** Where the deployment came from */
  description: string;
  /** ISO 8601 UTC with microseconds */
  switched_at: string;
}

/** The state of everything that the caller reaches */
export interface Overview {
  projects: ProjectCounts | null;
  servers: ServerCounts | null;
  monitors: MonitorCounts | null;
  deployments: DeploymentOverview | null;
}

export interface OverviewReply {
  status: "success";
  data: Overview;
}

/** A passkey of the account */
export interface Passkey {
  /** Identifies the record in paths and bodies; never used for another one */
  id: string;
  /** As people named it */
  name?: string | null;
  /** Of the account */
  userId: string;
  /** The id that the device gave it */
  credentialID: string;
  /** What its signatures are verified with */
  publicKey: string;
  /** How often the device has used it */
  counter: number;
  /** `singleDevice` or `multiDevice` */
  deviceType: string;
  /** Whether the device keeps a copy elsewhere */
  backedUp: boolean;
  /** How the device is reached: `internal`, `usb` */
  transports?: string | null;
  /** The kind of device */
  aaguid?: string | null;
  /** ISO 8601 */
  createdAt?: string | null;
}

export interface PasskeyId {
  /** Of the passkey */
  id: string;
}

export interface PasskeyName {
  /** Of the passkey */
  id: string;
  /** As people named it */
  name: string;
}

/** What `navigator.credentials` takes (WebAuthn) */
export type PasskeyOptions = Record<string, unknown>;

export interface PasskeyRegistration {
  /** What `navigator.credentials` answered, as JSON */
  response: Record<string, unknown>;
  /** As people named it */
  name?: string;
}

export interface PasskeyRenamed {
  passkey: Passkey;
}

export interface PasskeySignIn {
  /** What `navigator.credentials` answered, as JSON */
  response: Record<string, unknown>;
}

export interface PasskeySignedIn {
  session?: BrowserSession;
  user?: SignInUser;
}

export type Passkeys = Array<Passkey>;

/** The password, asked for again */
export interface PasswordAgain {
  /** The present one */
  password: string;
}

export interface PasswordChange {
  /** The present one */
  currentPassword: string;
  /** Signs in from now on */
  newPassword: string;
  /** End all sessions but this one */
  revokeOtherSessions?: boolean;
}

export interface PasswordChanged {
  user: SignInUser;
}

export interface PasswordReset {
  /** What is after the `#` of the link */
  token: string;
  /** Signs in from now on */
  newPassword: string;
}

export interface PasswordResetRequest {
  /** Of the account */
  email: string;
}

export interface PasswordSignIn {
  /** Of the account */
  email: string;
  /** The present one */
  password: string;
  /** False: until the browser is closed */
  rememberMe?: boolean;
}

/** Proposed paths, and the reason for them */
export interface PathsProposal {
  /** Can be sent as they are */
  value: Array<string>;
  /** What they were concluded from */
  reason: string;
}

/** The PHP of a project */
export interface Php {
  /** Memory limit of a request in MB; null: `max_memory` of the project, or else the server's 256 */
  memory_limit_mb: number | null;
  /** Processor time of a request in seconds; null: the server's 60. Above 300 it is also how long a request may take in all */
  max_execution_seconds: number | null;
  /** Requests at the same time on each server, at most one for each 32 MB of its memory; default: 20 */
  max_workers: number;
  /** Whether compiled scripts are kept in memory; default: on */
  opcache_is_enabled: boolean;
  /** Memory for compiled scripts in MB; null: the server's 192 */
  opcache_memory_mb: number | null;
  /** Extensions that its workers load besides those of every project */
  extensions: Array<string>;
  /** The largest `max_workers` for its server; null: not known yet */
  most_workers: number | null;
  /** Why the last change was taken back; null: it was not */
  refusal: string | null;
  sync: Sync;
}

export interface PhpChanged {
  status: "success";
  /** The result */
  message: string;
  data: Php;
}

export interface PhpReply {
  status: "success";
  data: Php;
}

export interface PhpUpdate {
  /** Memory limit of a request in MB; null: `max_memory` of the project, or else the server's 256 */
  memory_limit_mb?: number | null;
  /** Processor time of a request in seconds; null: the server's 60. Above 300 it is also how long a request may take in all */
  max_execution_seconds?: number | null;
  /** Requests at the same time on each server, at most one for each 32 MB of its memory; default: 20 */
  max_workers?: number;
  /** Whether compiled scripts are kept in memory; default: on */
  opcache_is_enabled?: true | false | 0 | 1;
  /** Memory for compiled scripts in MB; null: the server's 192 */
  opcache_memory_mb?: number | null;
  /** Extensions that its workers load besides those of every project */
  extensions?: ReadonlyArray<"amqp" | "bz2" | "ds" | "enchant" | "gearman" | "gnupg" | "igbinary" | "imagick" | "imap" | "ldap" | "mailparse" | "maxminddb" | "memcache" | "memcached" | "mongodb" | "msgpack" | "oauth" | "pspell" | "rrd" | "smbclient" | "snmp" | "solr" | "ssh2" | "stomp" | "tidy" | "uploadprogress" | "uuid" | "xdebug" | "xmlrpc" | "yaml" | "zmq" | "zstd">;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** What a request would do: what is lost by it, what it costs, and whether it builds */
export interface Plan {
  /** What would be deleted, an entry for each kind of record */
  lost: Array<Loss>;
  price: MonthlyPrice | null;
  /** Whether the project is built; null: nothing would be deployed */
  needs_build: boolean | null;
  release?: PlannedRelease;
  /** What a client shows before it asks for a confirmation */
  warnings: Array<string>;
}

export interface Planned {
  status: "success";
  /** The plan in a sentence */
  message: string;
  plan: Plan;
}

/** Of a rollback */
export interface PlannedRelease {
  /** The deployment that it is of */
  deployment_id: number;
  /** null: none was recorded */
  release_id: number | null;
  /** From which it was built */
  git_branch: string;
  /** The tag from which it was built; null: the branch */
  git_tag: string | null;
  /** Of which it was built */
  commit_id: string | null;
  /** Whether it is still on the project's own server */
  is_kept: boolean;
}

export interface PreferencesReply {
  status: "success";
  /** By namespace: console, mobile */
  preferences: Record<string, unknown>;
}

export interface PreferencesRequest {
  /** By namespace: console, mobile */
  preferences: Record<string, unknown>;
}

/** What an ordered server costs */
export interface PricedServer {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** Where it was ordered */
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
  /** Without VAT; null where it could not be read */
  monthly_price_net: string | null;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string | null;
  /** EUR or USD; null without a price */
  currency: string | null;
  /** Why the price is null, in a sentence */
  price_problem: string | null;
}

export interface PrimaryDomainSet {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The project's www_redirect as it is now */
  redirect_setting: 0 | 1 | 2;
  nginx_response: ServerAnswer | null;
}

/** What is deployed: a repository or an app, with its settings and domains */
export type Project = ProjectSummary & {
  /** 0 not installed or install running, 1 installed, 2 the install of an app failed */
  installation_status: 0 | 1 | 2;
  /** Directory of the project on the server */
  directory: string;
  /** The port that the live process listens on; Node projects only */
  port: string | null;
  /** The host of the repository; git: any other */
  repository_type: "git_host_a" | "git_host_b" | "git_host_c" | "git" | null;
  /** The application of the catalog; null for a repository */
  app_slug: string | null;
  /** The installed version, as read after the last install or update */
  app_version: string | null;
  custom_commands: CustomCommands;
  /** Whether each deployment makes a release of its own, which replaces the live one without a pause; default: true */
  zero_downtime: boolean;
  /** Most memory of its processes on each server, such as 512MB; null: no limit */
  max_memory: string | null;
  /** Which tags are deployed when they are pushed, such as `v*`: `*` stands for any characters, `?` for one; null or empty: none. It does not depend on `auto_deploy_is_active` */
  deploy_tags: string | null;
  /** Whether the frontend of a PHP project is built also when its inputs did not change: 0 off, 1 on; default: 0 */
  always_rebuild_frontend: 0 | 1;
  /** Paths in the release that all releases share; `!` before one switches a framework's off */
  shared_directories: Array<string>;
  /** Files in the release that all releases share; `!` before one switches a framework's off */
  shared_files: Array<string>;
  /** The directory that is served, below the working directory; null or empty: detected */
  output_directory: string | null;
  /** Path that a release has to answer before it counts as served; default: / */
  health_path: string;
  /** The accepted statuses of the answer; null: any below 500 */
  health_status: Array<number> | null;
  /** How long a new process may take until it answers; Node only. With the default of 60, a process that has listened on another port for 10 seconds, and not on PORT, fails then */
  start_timeout_seconds: number;
  /** The version of PHP, from the next deployment on; null: the one that composer.json asks for */
  php_version: string | null;
  /** The version of Node; null: the one that the repository's files ask for */
  node_version: string | null;
  /** Seconds that requests and connections of a Node project may last after a switch, before its old process is ended; default: 30 */
  drain_timeout_seconds: number;
  /** Whether the caches of build tools are kept for the next build of a branch; default: on */
  build_cache: boolean;
  /** Whether files that the application has written into the live release, outside of shared paths, may get lost; if not, they stop a deployment */
  discard_written_files: boolean;
  /** Disk space that the kept releases may use together, in MB; the live one and the one before it are always kept; default: 5000 */
  kept_releases_mb: number;
  disk: DiskUsage | null;
  /** Whether a deployment is rolled back automatically when a monitor goes down within 5 minutes after it became live */
  rollback_on_down: boolean;
  /** Whether it has a certificate and HTTPS: 0 off, 1 on */
  ssl_is_enabled: 0 | 1;
  /** Of redirects among its domains: 301 and 308 permanent, 302 and 307 temporary; default: 301 */
  redirect_status_code: 301 | 302 | 307 | 308;
  /** 0 none, 1 www to non-www, 2 non-www to www */
  www_redirect: 0 | 1 | 2;
  /** All names that it answers to */
  domains: Array<ProjectDomain>;
  /** Whether visitors see the maintenance page */
  maintenance_mode: boolean;
  /** Whether clients that ask for text/markdown get pages as Markdown; default: off */
  markdown_negotiation_enabled: boolean;
  /** Whether unknown addresses of a static site get its index page; null: detected by its deployments */
  spa_fallback: boolean | null;
  /** The largest request body that the site takes, in MB; default: 100 */
  max_upload_mb: number;
  /** Whether browsers are required to keep to HTTPS; default: off */
  hsts_is_enabled: boolean;
  /** Proxies in front of the site, which are believed about the address and the scheme of visitors; the organization's load balancers are as well */
  trusted_proxies: Array<string>;
  /** The user name that the site requires with a password; null: it requires none */
  basic_auth_user: string | null;
  web_server_drift: WebServerDrift | null;
  /** The load balancer in front of the project */
  load_balancer_id: number | null;
  /** Processes that systemd restarts repeatedly, because they keep crashing */
  crash_loops: Array<CrashLoop>;
  /** Free text for people */
  notes: string | null;
  sync: Sync;
};

/** By verb, what the caller can do to the record now */
export interface ProjectActions {
  read_source: Action;
  renew_webhook_secret: Action;
  register_source: Action;
  update: Action;
  delete: Action;
  toggle_maintenance: Action;
  set_maintenance: Action;
  clear_build_cache: Action;
  read_php: Action;
  change_php: Action;
  publish: Action;
  create_scheduled_job: Action;
  create_background_job: Action;
  request_certificate: Action;
  upload_certificate: Action;
  remove_certificate: Action;
  deploy: Action;
  recycle: Action;
  move: Action;
  run_command: Action;
  balance: Action;
  unbalance: Action;
  retry_installation: Action;
}

export interface ProjectActionsReply {
  status: "success";
  data: ProjectActions;
}

/** What a new project can be called and answer to */
export interface ProjectAvailability {
  /** As people named it */
  name: Availability | null;
  domain: Availability | null;
}

export interface ProjectAvailabilityReply {
  status: "success";
  data: ProjectAvailability;
}

export interface ProjectBulkUpdate {
  /** The projects; a repeated id counts once */
  project_ids: ReadonlyArray<number>;
  /** The group of which it is an environment; null: none */
  project_group_id?: number | null;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
}

export interface ProjectChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The project that it is about */
  project_id: number;
}

/** Each project counts once, in the first of these states that it is in; unreachable: its server; failed: its last deployment, or its installation */
export interface ProjectCounts {
  /** All projects */
  total: number;
  /** The projects in the state unreachable */
  unreachable: number;
  /** The projects in the state deploying */
  deploying: number;
  /** The projects in the state waiting */
  waiting: number;
  /** The projects in the state crashing */
  crashing: number;
  /** The projects in the state in_maintenance */
  in_maintenance: number;
  /** The projects in the state failed */
  failed: number;
  /** The projects in the state not_installed */
  not_installed: number;
  /** The projects in the state live */
  live: number;
}

export interface ProjectCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The id, as a text */
  project_id: string;
}

export interface ProjectDeleted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The project that it is about */
  project_id: number;
  plan?: Plan;
}

/** A domain within its project */
export interface ProjectDomain {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** In lower case, and in Punycode where it has other letters */
  domain_name: string;
  /** 1: the domain that the others redirect to or stand beside */
  is_primary: 0 | 1;
  /** 1: the web servers answer to it */
  is_active: 0 | 1;
  /** Where visitors are redirected; null: the domain serves the project */
  redirect_to: string | null;
  /** 301, 302, 307 or 308; null: the project's */
  redirect_status_code: number | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface ProjectEnvironmentCount {
  /** The label; null: none */
  environment: "production" | "staging" | "dev" | null;
  /** How many projects */
  count: number;
}

/** How many projects there are, by what they can be filtered by */
export interface ProjectFacets {
  /** How many projects match */
  total_items: number;
  /** By state */
  states: Array<ProjectStateCount>;
  /** By server. At most the 1000 with the most projects */
  servers: Array<ProjectServerCount>;
  /** By group. At most the 1000 with the most projects */
  project_groups: Array<ProjectGroupCount>;
  /** By label */
  environments: Array<ProjectEnvironmentCount>;
}

export interface ProjectFacetsReply {
  status: "success";
  data: ProjectFacets;
}

/** An application: its projects are its environments */
export interface ProjectGroup {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** Free text for people */
  description: string | null;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface ProjectGroupCount {
  /** Of the group; null: in none */
  id: number | null;
  /** Of the group; null: in none */
  name: string | null;
  /** How many projects */
  count: number;
}

export interface ProjectGroupCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: ProjectGroup;
}

export interface ProjectGroupDeleted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** Projects that were in it, and stay */
  ungrouped_projects: number;
}

export interface ProjectGroupPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<ListedProjectGroup>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface ProjectGroupReply {
  status: "success";
  data: ProjectGroupWithProjects;
}

export interface ProjectGroupRequest {
  /** The application's name, for people */
  name: string;
  /** Free text for people */
  description?: string | null;
}

export interface ProjectGroupUpdate {
  /** The application's name, for people */
  name?: string;
  /** Free text for people */
  description?: string | null;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface ProjectGroupUpdated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** Free text for people */
  description: string | null;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
  data: ProjectGroup;
}

/** A group with its projects */
export type ProjectGroupWithProjects = ProjectGroup & {
  /** Those that you can see */
  projects: Array<GroupedProject>;
};

export interface ProjectIds {
  status: "success";
  /** In the order of the list; at most the first 10000 */
  data: Array<number>;
  /** How many there are */
  total_items: number;
}

/** The end of a log */
export interface ProjectLog {
  /** The log that was read */
  type: "access" | "error" | "php" | "output" | "app";
  /** The oldest first */
  lines: Array<string>;
  /** The same lines, with their times */
  entries: Array<LogEntry>;
}

export interface ProjectLogReply {
  status: "success";
  data: ProjectLog;
}

/** The monitors that have a verdict; null without `monitor:read` */
export interface ProjectMonitors {
  /** How many are up */
  up: number;
  /** How many are down */
  down: number;
}

export interface ProjectPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Project>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface ProjectPinned {
  status: "success";
  /** Whether the caller has it pinned now */
  is_pinned: boolean;
}

export type ProjectReply = {
  status: "success";
} & Project;

export interface ProjectRequest {
  /** For people; need not be unique */
  name: string;
  /** An App server */
  server_id: number;
  /** The primary domain, such as shop.example.com, which no other project has */
  domain: string;
  /** 1 Laravel, 2 Symfony, 3 WordPress (from git), 4 PHP, 5 Next.js, 6 Nuxt, 7 SvelteKit / Astro (server), 8 Node.js, 9 Static site with a build, 10 Static files */
  framework_id: number;
  git_repository: GitRepository;
  /** Text of a .env file */
  environment_variables?: string | null;
  /** 0 none, 1 www to non-www, 2 non-www to www; default: 0 */
  www_redirect?: 0 | 1 | 2;
  /** Whether a push to the branch deploys it: 0 off, 1 on; default: 0 */
  auto_deploy_is_active?: true | false | 0 | 1;
  /** Whether a certificate is ordered and HTTPS served; default: off */
  ssl_is_enabled?: true | false | 0 | 1;
  custom_commands?: CustomCommandsRequest | null;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  /** The group of which it is an environment; null: none */
  project_group_id?: number | null;
  /** Whether each deployment makes a release of its own, which replaces the live one without a pause; default: true */
  zero_downtime?: boolean;
  /** Such as 512MB or 2GB; null or empty: no limit */
  max_memory?: string | null;
  /** Which tags are deployed when they are pushed, such as `v*`: `*` stands for any characters, `?` for one; null or empty: none. It does not depend on `auto_deploy_is_active` */
  deploy_tags?: string | null;
  /** Paths in the release that all releases share; `!` before one switches a framework's off */
  shared_directories?: ReadonlyArray<string> | string | null;
  /** Files in the release that all releases share; `!` before one switches a framework's off */
  shared_files?: ReadonlyArray<string> | string | null;
  /** The directory that is served, below the working directory; null or empty: detected */
  output_directory?: string | null;
  /** Path that a release has to answer before it counts as served; default: / */
  health_path?: string;
  /** The accepted statuses of the answer; null: any below 500 */
  health_status?: ReadonlyArray<number> | null;
  /** How long a new process may take until it answers; Node only. With the default of 60, a process that has listened on another port for 10 seconds, and not on PORT, fails then */
  start_timeout_seconds?: number;
  /** The version of PHP, from the next deployment on; null: the one that composer.json asks for */
  php_version?: "8.1" | "8.2" | "8.3" | "8.4" | "8.5" | "default" | null;
  /** The version of Node; null: the one that the repository's files ask for */
  node_version?: string | null;
  /** Whether unknown addresses of a static site get its index page; null: detected by its deployments */
  spa_fallback?: boolean | null;
  /** Free text for people */
  notes?: string | null;
}

export interface ProjectServerCount {
  /** Of the server */
  id: number;
  /** Of the server */
  name: string;
  /** How many projects */
  count: number;
}

/** Where the code of a project comes from */
export interface ProjectSource {
  /** The host of the repository; git: any other */
  repository_type: string;
  /** Address or `owner/name` */
  repository: string;
  /** The branch that is deployed */
  repository_branch: string;
  provider: SourceProviderName | null;
  /** A restricted member chose the repository: no account is used for it until a member without restriction registers it */
  needs_confirmation: boolean;
  deploy_key: DeployKey;
  webhook: SourceWebhook;
  commit_status: CommitStatus;
  sync: Sync;
}

export interface ProjectSourceChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: ProjectSource;
}

export interface ProjectSourceReply {
  status: "success";
  data: ProjectSource;
}

export interface ProjectStateCount {
  /** The first of these that applies. unreachable: Longshore has no connection to its server. deploying: a deployment runs, or an app is being installed. waiting: a deployment is queued. crashing: `crash_loops` has a process. in_maintenance: visitors see the maintenance page. failed: the last deployment that was not cancelled, or the installation of an app, has failed; `live_deployment` may be served nevertheless. not_installed: nothing was deployed yet. live: none of these */
  state: "unreachable" | "deploying" | "waiting" | "crashing" | "in_maintenance" | "failed" | "not_installed" | "live";
  /** How many projects */
  count: number;
}

/** A project as lists show it with `view=summary` */
export interface ProjectSummary {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** Of the primary domain; https once a certificate is served */
  url: string;
  /** The first of these that applies. unreachable: Longshore has no connection to its server. deploying: a deployment runs, or an app is being installed. waiting: a deployment is queued. crashing: `crash_loops` has a process. in_maintenance: visitors see the maintenance page. failed: the last deployment that was not cancelled, or the installation of an app, has failed; `live_deployment` may be served nevertheless. not_installed: nothing was deployed yet. live: none of these */
  state: "unreachable" | "deploying" | "waiting" | "crashing" | "in_maintenance" | "failed" | "not_installed" | "live";
  /** Its own server; behind a load balancer there are others */
  server_id: number;
  server: ServerName;
  /** 1 Laravel, 2 Symfony, 3 WordPress (from git), 4 PHP, 5 Next.js, 6 Nuxt, 7 SvelteKit / Astro (server), 8 Node.js, 9 Static site with a build, 10 Static files */
  framework_id: number;
  framework: FrameworkName;
  /** The group of which it is an environment; null: none */
  project_group_id: number | null;
  /** A label; null: none */
  environment: "production" | "staging" | "dev" | null;
  /** git: deployed from a repository; app: installed from the catalog */
  source_type: "git" | "app";
  /** Address or `owner/name`; null for a catalog application */
  repository: string | null;
  /** The branch that is deployed */
  repository_branch: string | null;
  /** Whether a push to the branch deploys it: 0 off, 1 on; default: 0 */
  auto_deploy_is_active: 0 | 1;
  /** The domain that links to the project should name */
  primary_domain: string;
  live_deployment: DeploymentSummary | null;
  last_deployment: DeploymentSummary | null;
  monitors: ProjectMonitors | null;
  certificate: CertificateSummary | null;
  /** Whether settings of the release, or environment variables, were changed since the live release was made or got its variables */
  has_pending_changes: boolean;
  /** Whether the calling user pinned it */
  is_pinned: boolean;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface ProjectUpdate {
  /** For people; need not be unique */
  name?: string;
  git_repository?: GitRepositoryUpdate;
  /** In place of framework_id: fw_1 Laravel, fw_2 Symfony, fw_3 WordPress (from git), fw_4 PHP, fw_5 Next.js, fw_6 Nuxt, fw_7 SvelteKit / Astro (server), fw_8 Node.js, fw_9 Static site with a build, fw_10 Static files */
  framework?: "fw_1" | "fw_2" | "fw_3" | "fw_4" | "fw_5" | "fw_6" | "fw_7" | "fw_8" | "fw_9" | "fw_10";
  /** 1 Laravel, 2 Symfony, 3 WordPress (from git), 4 PHP, 5 Next.js, 6 Nuxt, 7 SvelteKit / Astro (server), 8 Node.js, 9 Static site with a build, 10 Static files */
  framework_id?: number;
  /** The group of which it is an environment; null: none */
  project_group_id?: number | null;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  custom_commands?: CustomCommandsRequest;
  /** Such as 512MB or 2GB; null or empty: no limit */
  max_memory?: string | null;
  /** Whether a push to the branch deploys it: 0 off, 1 on; default: 0 */
  auto_deploy_is_active?: true | false | 0 | 1;
  /** Which tags are deployed when they are pushed, such as `v*`: `*` stands for any characters, `?` for one; null or empty: none. It does not depend on `auto_deploy_is_active` */
  deploy_tags?: string | null;
  /** Whether the frontend of a PHP project is built also when its inputs did not change: 0 off, 1 on; default: 0 */
  always_rebuild_frontend?: true | false | 0 | 1;
  /** Paths in the release that all releases share; `!` before one switches a framework's off */
  shared_directories?: ReadonlyArray<string> | string | null;
  /** Files in the release that all releases share; `!` before one switches a framework's off */
  shared_files?: ReadonlyArray<string> | string | null;
  /** The directory that is served, below the working directory; null or empty: detected */
  output_directory?: string | null;
  /** Path that a release has to answer before it counts as served; default: / */
  health_path?: string;
  /** The accepted statuses of the answer; null: any below 500 */
  health_status?: ReadonlyArray<number> | null;
  /** How long a new process may take until it answers; Node only. With the default of 60, a process that has listened on another port for 10 seconds, and not on PORT, fails then */
  start_timeout_seconds?: number;
  /** The version of PHP, from the next deployment on; null: the one that composer.json asks for */
  php_version?: "8.1" | "8.2" | "8.3" | "8.4" | "8.5" | "default" | null;
  /** The version of Node; null: the one that the repository's files ask for */
  node_version?: string | null;
  /** Whether each deployment makes a release of its own, which replaces the live one without a pause; default: true */
  zero_downtime?: boolean;
  /** Seconds that requests and connections of a Node project may last after a switch, before its old process is ended; default: 30 */
  drain_timeout_seconds?: number;
  /** Whether the caches of build tools are kept for the next build of a branch; default: on */
  build_cache?: true | false | 0 | 1;
  /** Whether files that the application has written into the live release, outside of shared paths, may get lost; if not, they stop a deployment */
  discard_written_files?: true | false | 0 | 1;
  /** Disk space that the kept releases may use together, in MB; the live one and the one before it are always kept; default: 5000 */
  kept_releases_mb?: number;
  /** Whether a deployment is rolled back automatically when a monitor goes down within 5 minutes after it became live */
  rollback_on_down?: true | false | 0 | 1;
  /** Whether clients that ask for text/markdown get pages as Markdown; default: off */
  markdown_negotiation_enabled?: true | false | 0 | 1;
  /** Whether unknown addresses of a static site get its index page; null: detected by its deployments */
  spa_fallback?: boolean | null;
  /** Of redirects among its domains: 301 and 308 permanent, 302 and 307 temporary; default: 301 */
  redirect_status_code?: 301 | 302 | 307 | 308;
  /** The largest request body that the site takes, in MB; default: 100 */
  max_upload_mb?: number;
  /** Whether browsers are required to keep to HTTPS; default: off */
  hsts_is_enabled?: true | false | 0 | 1;
  /** Proxies in front of the site, which are believed about the address and the scheme of visitors; the organization's load balancers are as well */
  trusted_proxies?: ReadonlyArray<string>;
  basic_auth?: BasicAuth | null;
  /** Free text for people */
  notes?: string | null;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface ProjectsUpdated {
  status: "success";
  /** Projects that were named, each counted once */
  updated_count: number;
}

/** A proposed setting, and the reason for it */
export interface Proposal {
  /** Can be sent as it is */
  value: string;
  /** What it was concluded from */
  reason: string;
}

/** What the repository is made with */
export interface ProposedFramework {
  /** For `framework_id` */
  id: number;
  /** For `framework` of an update */
  name: string;
  /** For display */
  label: string;
  /** What it was concluded from */
  reason: string;
}

/** A background job for `POST /projects/:id/background-jobs`, and the reason for it */
export interface ProposedJob {
  /** As people named it */
  name: string;
  /** What runs continuously */
  command: string;
  /** What it was concluded from */
  reason: string;
}

/** What installs the packages of Node */
export interface ProposedPackageManager {
  /** npm, pnpm, yarn or bun */
  name: string;
  /** If one is named */
  version: string | null;
  /** What it was concluded from */
  reason: string;
}

/** A scheduled job for `POST /projects/:id/scheduler-jobs`, and the reason for it */
export interface ProposedSchedulerJob {
  /** As people named it */
  name: string;
  /** What runs at these times */
  command: string;
  /** Five fields, in the server's time zone */
  cron_expression: string;
  /** What it was concluded from */
  reason: string;
}

/** For a deployment that would have lost files which the application has written: the settings to send to `PUT /api/v1/projects/:id`, with which the next deployment takes them along */
export interface ProposedSettings {
  /** For the project's setting */
  shared_directories?: Array<string>;
  /** For the project's setting */
  shared_files?: Array<string>;
}

export interface RecycleAccepted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The queued deployment */
  deployment_id: number;
  /** What is restarted */
  project_id: number;
}

/** A redirect by path */
export interface Redirect {
  /** exact: this path. prefix: this path and all below it, which is added to the target. pattern: with placeholders, as in /blog/:year/:slug, and with an asterisk as its last part for all that follows, as in /docs/* */
  match: "exact" | "prefix" | "pattern";
  /** The path, with a slash at its beginning; upper and lower case differ */
  from: string;
  /** A path of the project, or an http(s) address. In that of a pattern, :name is what the placeholder stands for, and :splat what the asterisk does. null with 410 */
  to: string | null;
  /** 301 and 308 are permanent, 302 and 307 temporary; 410: what was there is gone */
  status: 301 | 302 | 307 | 308 | 410;
  /** Whether the query of the request is added to the target */
  keeps_query: boolean;
}

/** A redirect by path, as it is asked for */
export interface RedirectOrder {
  /** exact: this path. prefix: this path and all below it, which is added to the target. pattern: with placeholders, as in /blog/:year/:slug, and with an asterisk as its last part for all that follows, as in /docs/*; default: exact */
  match?: "exact" | "prefix" | "pattern";
  /** The path, with a slash at its beginning; upper and lower case differ */
  from: string;
  /** A path of the project, or an http(s) address. In that of a pattern, :name is what the placeholder stands for, and :splat what the asterisk does. null with 410 */
  to?: string | null;
  /** 301 and 308 are permanent, 302 and 307 temporary; 410: what was there is gone; default: 301, without a target 410 */
  status?: 301 | 302 | 307 | 308 | 410;
  /** Whether the query of the request is added to the target; default: on */
  keeps_query?: true | false | 0 | 1;
}

/** The redirects of a project */
export interface Redirects {
  /** All of the project, in their order */
  redirects: Array<Redirect>;
  /** When the project was changed last, for `expected_updated_at` */
  updated_at: string;
  sync: Sync;
}

export interface RedirectsChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** All of the project, in their order */
  data: Array<Redirect>;
  nginx_response: ServerAnswer | null;
}

export interface RedirectsImport {
  /** _redirects: the file of Netlify and Cloudflare Pages. htaccess: Redirect, RedirectMatch and RewriteRule of Apache */
  format: "_redirects" | "htaccess";
  /** The content of the file, at most 5000 lines */
  text: string;
  /** Whether the redirects that the project has are deleted; default: off, they stay before the others */
  replace?: true | false | 0 | 1;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

export interface RedirectsImported {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** All of the project, in their order */
  data: Array<Redirect>;
  nginx_response: ServerAnswer | null;
  /** The number of redirects that the text added */
  imported: number;
  /** The lines that were not imported */
  ignored: Array<IgnoredLine>;
}

export interface RedirectsReply {
  status: "success";
  data: Redirects;
}

export interface RedirectsUpdate {
  /** All of them: the first that matches applies */
  redirects: ReadonlyArray<RedirectOrder>;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** A resource that could not be deleted yet */
export type RemainingResource = CloudResource & {
  /** Why it is still there */
  reason: string;
};

/** The membership reaches these servers with all of their projects, and these projects */
export interface Restriction {
  /** Servers with all of their projects; at most 1,000 */
  server_ids: Array<number>;
  /** Projects; at most 1,000 */
  project_ids: Array<number>;
}

/** Servers and projects that the membership reaches; null: everything in the organization */
export interface RestrictionRequest {
  /** Servers with all of their projects; at most 1,000 */
  server_ids?: ReadonlyArray<number>;
  /** Projects; at most 1,000 */
  project_ids?: ReadonlyArray<number>;
}

/** A deployment whose release can be made live again */
export interface RollbackCandidate {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** What a rollback to it makes live */
  commit_id: string;
  /** The branch that was deployed; of a tag, the branch that the project had */
  git_branch: string;
  /** The tag that was deployed; null: a branch */
  git_tag: string | null;
  /** What it came from */
  description: string;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export type RollbackCandidateList = Array<RollbackCandidate>;

/** A deployment that has not ended */
export interface RunningDeployment {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** 0 queued, 3 running, 4 cancelling */
  status: 0 | 3 | 4;
  /** What it does */
  process_type: "deployment" | "rollback" | "recycle" | "move";
  /** What began it, in words */
  description: string;
  /** The branch that it deploys */
  git_branch: string;
  /** The tag that it deploys; null: the branch */
  git_tag: string | null;
  /** Null before it was fetched */
  commit_id: string | null;
  /** The message of the commit */
  commit_message: string | null;
  project: NamedRecord;
  server: NamedRecord;
  /** How many deployments stand before it on its server; null: it has begun */
  waits_for: number | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
}

/** By verb, what the caller can do to the record now */
export interface ScheduledJobActions {
  update: Action;
  delete: Action;
  run: Action;
}

export interface ScheduledJobActionsReply {
  status: "success";
  data: ScheduledJobActions;
}

/** A command that runs by a schedule */
export interface SchedulerJob {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Where it runs */
  project_id: number;
  /** As people named it */
  name: string;
  /** Run by bash in the live release's working directory */
  command: string;
  /** Whether it runs */
  is_active: boolean;
  /** The project's own system user */
  user: string;
  /** State on the server: pending until it reported, active, inactive when switched off, or failed */
  status: "pending" | "active" | "inactive" | "failed";
  /** Why it failed, in a sentence */
  error: string | null;
  sync: Sync;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
  /** When it runs, in the server's time zone */
  cron_expression: string;
  /** By the server's time zone; null when inactive or @reboot */
  next_run_at: string | null;
}

export interface SchedulerJobChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: SchedulerJob;
}

export interface SchedulerJobPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<SchedulerJob>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface SchedulerJobReply {
  status: "success";
  data: SchedulerJob;
}

export interface SchedulerJobRequest {
  /** For people; stands in notifications */
  name: string;
  /** For bash, in the live release's working directory */
  command: string;
  /** Five fields, or a nickname such as @daily, in the server's time zone */
  cron_expression: string;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  /** Whether it runs; default: on */
  is_active?: true | false | 0 | 1;
}

export interface SchedulerJobUpdate {
  /** For people; stands in notifications */
  name?: string;
  /** For bash, in the live release's working directory */
  command?: string;
  /** Five fields, or a nickname such as @daily, in the server's time zone */
  cron_expression?: string;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  /** Whether it runs; default: on */
  is_active?: true | false | 0 | 1;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** A record that a search found */
export interface SearchResult {
  /** `app`: a project that is a catalog application */
  noun: "project" | "app" | "server" | "domain" | "database" | "monitor" | "group" | "member" | "channel" | "status_page";
  /** Of a member the user's */
  id: number;
  /** As people named it */
  name: string;
  /** Tells it from others of the same name: the primary domain of a project, the project of a domain or monitor, the server of a database, the address of a server or member */
  context: string | null;
}

export interface SearchResultList {
  status: "success";
  /** All of them */
  data: Array<SearchResult>;
}

export interface SecondFactorProof {
  /** Of the authenticator app, or a backup code */
  code: string;
  /** Do not ask for it in this browser for 30 days */
  trustDevice?: boolean;
}

/** The cookie has the session */
export interface SecondFactorProven {
  user?: SignInUser;
}

export interface SecondFactorSecret {
  /** For an authenticator app, as a QR code */
  totpURI: string;
}

export interface SecondFactorSecrets {
  /** `totp` */
  method?: string;
  /** For an authenticator app, as a QR code */
  totpURI: string;
  /** Each signs in once instead of a code */
  backupCodes: Array<string>;
}

/** A server; only id and name when the caller reaches no more than a project on it. */
export type Server = WholeServer | NamedServer;

/** By verb, what the caller can do to the record now */
export interface ServerActions {
  update: Action;
  retry_setup: Action;
  run_setup: Action;
  reboot: Action;
  delete: Action;
  transfer: Action;
  resize: Action;
  snapshot: Action;
  grant_ssh_access: Action;
  create_database: Action;
  adopt_database: Action;
}

export interface ServerActionsReply {
  status: "success";
  data: ServerActions;
}

/** What a server answered to an order */
export interface ServerAnswer {
  /** Whether it was carried out */
  ok: boolean;
  /** Line by line */
  system_output: Array<string>;
}

export interface ServerChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The server that it is about */
  server_id: number;
}

/** What ordered servers cost each month */
export interface ServerCosts {
  /** Monthly costs of the servers in reach, by currency */
  totals: Array<CostTotal>;
  /** Ordered servers whose price could not be read */
  unpriced_servers_count: number;
  /** Each ordered server in reach */
  servers: Array<PricedServer>;
}

export interface ServerCostsReply {
  status: "success";
  data: ServerCosts;
}

/** Each server counts once */
export interface ServerCounts {
  /** All servers */
  total: number;
  /** The servers in the state ready */
  ready: number;
  /** The servers in the state installing */
  installing: number;
  /** The servers in the state provisioning */
  provisioning: number;
  /** The servers in the state unreachable */
  unreachable: number;
}

export type ServerCreated = CustomServerCreated | OrderedServerCreated;

export interface ServerDeleted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The server that it is about */
  server_id: number;
  plan?: Plan;
}

/** The project's own server */
export interface ServerName {
  /** Of the server */
  id: number;
  /** Of the server */
  name: string;
}

/** An order of a server from a cloud */
export interface ServerOrder {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** null once the server was deleted */
  server_id: number | null;
  /** The server's name when it was ordered */
  server_name: string;
  /** null once the connection was deleted */
  provider_id: number | null;
  /** Where it was ordered */
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
  /** The provider's location or region */
  location: string;
  /** The provider's name of what was ordered */
  server_type: string;
  /** failed, cancelled, removed: nothing of it is left at the provider; left: something could not be deleted; released: the machine was kept as a custom server */
  state: "ordering" | "refunding" | "active" | "removing" | "failed" | "cancelled" | "removed" | "left" | "released";
  /** What went wrong, in a sentence */
  error: string | null;
  /** null until the machine has one */
  public_ip: string | null;
  /** Without VAT; null where it could not be read */
  monthly_price_net: string | null;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string | null;
  /** EUR or USD; null without a price */
  currency: string | null;
  /** Why the price is null, in a sentence */
  price_problem: string | null;
  /** What was ordered, as far as it is known */
  resources: Array<CloudResource>;
  /** What could not be deleted yet, and is billed until it is */
  remaining: Array<RemainingResource>;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  active_at: string | null;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
}

export interface ServerOrderPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<ServerOrder>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface ServerOrderReply {
  status: "success";
  data: ServerOrder;
}

export interface ServerPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<Server>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface ServerPinned {
  status: "success";
  /** Whether the caller has it pinned now */
  is_pinned: boolean;
}

/** By verb, what the caller can do to the record now */
export interface ServerProviderActions {
  delete: Action;
}

export interface ServerProviderActionsReply {
  status: "success";
  data: ServerProviderActions;
}

export interface ServerReply {
  status: "success";
  data: Server;
}

export type ServerRequest = ThisMachineServerRequest | CustomServerRequest | CloudAServerRequest | CloudBServerRequest | CloudCServerRequest;

export interface ServerResizeRequest {
  /** A `name` of the options */
  server_type: string;
}

/** How the newest setup of a server went, or how far it is */
export interface ServerSetup {
  /** completed_with_failures: steps failed; completed_with_gaps: some never reported; stalled: the end was never reported; failed: it gave up; not_recorded: there was none */
  state: "running" | "completed" | "completed_with_failures" | "completed_with_gaps" | "stalled" | "failed" | "not_recorded";
  /** How many entries `attention` of the setup record has */
  attention_count: number;
}

/** An image of a server, from which further ones can be ordered */
export interface ServerSnapshot {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** The server that it was made of; null once that was deleted */
  server_id: number | null;
  /** The connection that it can be ordered with */
  provider_id: number;
  /** The provider's location or region */
  location: string;
  /** The operating system on it */
  server_os: string;
  /** left: it could not be deleted at the provider */
  state: "creating" | "ready" | "failed" | "deleting" | "left";
  /** Why it failed, in a sentence */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  ready_at: string | null;
}

export interface ServerSnapshotCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: ServerSnapshot;
}

export interface ServerSnapshotPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<ServerSnapshot>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface ServerSnapshotReply {
  status: "success";
  data: ServerSnapshot;
}

export interface ServerSnapshotRequest {
  /** For people; also its name at the provider */
  name: string;
}

export interface ServerTransferRequest {
  /** The destination, of which the caller has to be an Owner */
  organization_id: number;
}

export interface ServerTransferred {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** The server that it is about */
  server_id: number;
  /** Where it is now */
  organization_id: number;
}

export interface ServerUpdate {
  /** For people; need not be unique */
  name?: string;
  /** IPv4 or IPv6, of no other server */
  public_ip?: string;
  /** IPv4 or IPv6 of a private network, for the organization's other servers; null or empty: none */
  private_ip?: string | null;
  /** Where Longshore connects to */
  ssh_port?: number;
  /** Has no effect: Longshore connects to `ssh_port` */
  nat_port?: number | "" | null;
  /** Of its clock and of scheduled jobs, such as Europe/Berlin */
  timezone?: string;
  /** Free text for people */
  notes?: string | null;
  /** How many deployments may run on it at once; null or empty: no limit */
  queue_limit?: number | "" | null;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  /** Whether DELETE answers 422; once given, live projects alone protect no more */
  delete_protection?: true | false | 0 | 1;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** How busy a server is */
export interface ServerUsage {
  /** Processes that run or wait, on average; more than `cores` means that some wait */
  load: {
    /** The average of the last minute */
    one_minute: number;
    /** That of five minutes */
    five_minutes: number;
    /** That of fifteen minutes */
    fifteen_minutes: number;
    /** How many processes can run at once */
    cores: number;
  } | null;
  /** Without swap; `available_bytes` is what programs can still get */
  memory: {
    /** Of all of it */
    total_bytes: number;
    /** Of what is left */
    available_bytes: number;
  } | null;
  /** Of the file system with the projects */
  disk: {
    /** Of all of it */
    total_bytes: number;
    /** Of what is left */
    available_bytes: number;
  } | null;
  /** When the server said it */
  measured_at: string;
}

/** A program that the setup of a server installs */
export interface Service {
  /** What `…/services/:service` takes */
  name: "nginx" | "php" | "node" | "mariadb" | "postgresql" | "redis" | "meilisearch";
  /** For display */
  label: string;
  /** As reported by the newest setup; null: it reported none */
  version: string | null;
  /** Where it listens; none: only on the server itself */
  ports: Array<number>;
  /** active, inactive or failed, as reported by the server now; unknown when it does not answer; not_installed before a setup of the server has ended. null: a program that runs for projects only */
  state: string | null;
  /** Whether `…/credentials` has an account of the server's own */
  has_credentials: boolean;
}

/** How to sign in to a service of a server */
export interface ServiceCredentials {
  /** The address for the organization's other servers; 127.0.0.1 on the server itself */
  host: string;
  /** Where it listens */
  port: number;
  /** null: it has none, or this account sees all */
  database: string | null;
  /** null: a password is enough */
  username: string | null;
  /** Made by the setup */
  password: string;
}

export interface ServiceCredentialsReply {
  status: "success";
  data: ServiceCredentials;
}

export interface ServiceList {
  status: "success";
  /** All of them */
  data: Array<Service>;
}

/** A browser in which the account is signed in */
export interface Session {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Where it was opened */
  ip: string | null;
  /** What the browser that opened it calls itself */
  user_agent: string | null;
  /** Whether this request has it */
  is_current: boolean;
  /** ISO 8601 UTC with microseconds */
  signed_in_at: string;
  /** ISO 8601 UTC with microseconds */
  last_used_at: string;
  /** ISO 8601 UTC with microseconds */
  expires_at: string;
}

export interface SessionId {
  /** Identifies the record in paths and bodies; never used for another one */
  id: string;
}

export interface SessionList {
  status: "success";
  /** All of them */
  data: Array<Session>;
}

export interface SessionsEnded {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  /** How many */
  ended: number;
}

/** The setup of a server */
export interface Setup {
  /** The server that it is about */
  server_id: number;
  /** The `id` in the list of setups; null: there was none */
  run_id: number | null;
  /** Whether there was a setup */
  recorded: boolean;
  /** completed_with_failures: steps failed; completed_with_gaps: some never reported; stalled: the end was never reported; failed: it gave up; not_recorded: there was none */
  state: "running" | "completed" | "completed_with_failures" | "completed_with_gaps" | "stalled" | "failed" | "not_recorded";
  summary: SetupSummary;
  /** In the order in which they run */
  phases: Array<SetupPhase>;
  /** Steps that failed or never reported */
  attention: Array<SetupStep>;
  /** The five slowest steps */
  slowest: Array<SetupStepDuration>;
  /** Milliseconds from the beginning to the end, or until now */
  total_duration_ms: number;
  /** The label of the step that runs, or where it stopped */
  current_step: string | null;
  /** Why the setup gave up, or why the server cannot be connected to */
  error: string | null;
  /** All of them, with `include_steps` */
  steps?: Array<SetupStep>;
}

export interface SetupDone {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: FirstAccount;
}

/** Steps of a setup that belong together */
export interface SetupPhase {
  /** Names the phase */
  phase: string;
  /** For display */
  label: string;
  /** How many steps */
  total: number;
  /** How many steps */
  completed: number;
  /** How many steps; omitted when none has failed */
  failed?: number;
  /** Milliseconds from the beginning to the end, or until now */
  duration_ms: number;
}

export interface SetupReply {
  status: "success";
  data: Setup;
}

export interface SetupRequest {
  /** What the start of Longshore printed */
  code: string;
  /** As people named it */
  name: string;
  /** What the account signs in with */
  email: string;
  /** Of the account */
  password: string;
  /** The name of the first organization */
  organization: string;
}

/** One run of the setup of a server */
export interface SetupRun {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** completed_with_failures: steps failed; completed_with_gaps: some never reported; stalled: the end was never reported; failed: it gave up; not_recorded: there was none */
  state: "running" | "completed" | "completed_with_failures" | "completed_with_gaps" | "stalled" | "failed" | "not_recorded";
  /** null before it is planned */
  setup_version: string | null;
  summary: SetupSummary;
  /** Milliseconds from the beginning to the end, or until now */
  total_duration_ms: number;
  /** Why the setup gave up */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
}

export interface SetupRunPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<SetupRun>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

/** Whether an installation is set up */
export interface SetupState {
  /** Whether the installation has no account yet */
  needed: boolean;
  /** The command with which its operator sets a password; null: links to a new one are mailed */
  password_command: string | null;
}

export interface SetupStateReply {
  status: "success";
  data: SetupState;
}

export type SetupStep = SetupStepDuration & {
  /** Its state; skipped: it was not needed */
  status: "pending" | "running" | "completed" | "failed" | "skipped" | "unreported";
  /** The state, for display */
  status_label: string;
  /** What it produced, or why it failed */
  detail: string | null;
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
  /** ISO 8601 UTC with microseconds */
  finished_at: string | null;
};

/** A step of a setup */
export interface SetupStepDuration {
  /** Names the step, and stays the same in further versions */
  key: string;
  /** For display */
  label: string;
  /** The `phase` that it belongs to */
  phase: string;
  /** null before it has begun */
  duration_ms: number | null;
}

/** The number of steps in each state */
export interface SetupSummary {
  /** How many steps */
  total: number;
  /** How many steps */
  pending: number;
  /** How many steps */
  running: number;
  /** How many steps */
  completed: number;
  /** How many steps */
  failed: number;
  /** How many steps */
  skipped: number;
  /** How many steps */
  unreported: number;
}

export interface SignInByLink {
  /** What is after the `#` of the link */
  token: string;
}

export interface SignInDone {
  status: true;
  /** What happened, as a sentence for people */
  message: string;
}

/** Why a sign-in was refused */
export interface SignInRefusal {
  /** What failed */
  message?: string;
  /** The same for programs, such as `INVALID_EMAIL_OR_PASSWORD` */
  code?: string;
  /** `error` when Longshore refused it, such as after too many attempts */
  status?: string;
  /** With 422: a sentence for each field that is not valid */
  errors?: Record<string, string>;
}

export interface SignInStatus {
  /** True */
  status: boolean;
}

/** The account that signs in; `GET /api/v1/me` has more */
export interface SignInUser {
  /** Identifies the record in paths and bodies; never used for another one */
  id: string;
  /** As people named it */
  name: string;
  /** What the account signs in with */
  email: string;
  /** True */
  emailVerified: boolean;
  /** Not used */
  image?: string | null;
  /** ISO 8601 */
  createdAt: string;
  /** ISO 8601 */
  updatedAt: string;
  /** Whether a second factor is asked for */
  twoFactorEnabled?: boolean | null;
}

/** The answer to a password; the cookie has the session */
export interface SignedIn {
  /** False */
  redirect?: boolean;
  user?: SignInUser;
  /** True: there is no session before the second factor is proven */
  twoFactorRedirect?: boolean;
  /** What proves it: `totp` */
  twoFactorMethods?: Array<string>;
}

export interface SignedOut {
  /** True */
  success: boolean;
}

export interface SitePublished {
  /** failed: the web server rejects the site, and serves the former one */
  status: "success" | "failed";
  /** What happened, as a sentence for people */
  message: string;
  nginx_response: ServerAnswer | null;
}

/** An entry of a provider's list that could not be read */
export interface SkippedCloudItem {
  /** The provider's list */
  list: string;
  /** Its id or name, if that can be read */
  item: string | null;
  /** What could not be read */
  reason: string;
}

/** By verb, what the caller can do to the record now */
export interface SnapshotActions {
  delete: Action;
}

export interface SnapshotActionsReply {
  status: "success";
  data: SnapshotActions;
}

/** Until when an item is hidden */
export interface Snooze {
  /** The `key` of the item */
  key: string;
  /** ISO 8601 UTC with microseconds */
  until: string | null;
}

export interface SnoozeReply {
  status: "success";
  data: Snooze;
}

export interface SnoozeRequest {
  /** ISO 8601, at most 90 days from now; null: show it again */
  until: string | null;
}

/** Checked at the git host, kept encrypted, and never shown */
export interface SourceCredentials {
  /** An access token of the account */
  token: string;
  /** Bitbucket: the e-mail address of an API token */
  username?: string | null;
  /** Bitbucket: where an access token belongs to */
  workspace?: string | null;
}

/** A connected account at a git host, without its credentials */
export interface SourceProvider {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** The git host */
  provider_type: "git_host_a" | "git_host_b" | "git_host_c";
  /** The host's name, for display */
  label: string;
  /** The account at the host that the credentials belong to */
  account: string;
  /** What `git_repository.type` takes to use this account for a project */
  source: string;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface SourceProviderCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: SourceProvider;
}

export interface SourceProviderList {
  status: "success";
  /** All of them */
  data: Array<SourceProvider>;
}

/** The connected account that the project uses; null: none */
export interface SourceProviderName {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** The git host */
  provider_type: "git_host_a" | "git_host_b" | "git_host_c";
  /** The host's name, for display */
  label: string;
}

export interface SourceProviderReply {
  status: "success";
  data: SourceProvider;
}

export interface SourceProviderRequest {
  /** For people */
  name: string;
  /** The git host */
  provider_type: "git_host_a" | "git_host_b" | "git_host_c";
  credentials: SourceCredentials;
}

/** The webhook that the git host calls after a push */
export interface SourceWebhook {
  /** What the host calls; anyone who has it and the secret can deploy */
  url: string;
  /** What the host signs its calls with */
  secret: string;
  /** Whether the connected account registered it at the host */
  is_registered: boolean;
  /** Why it could not be registered, in a sentence */
  error: string | null;
}

/** A key on a server */
export interface SshAccess {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** The server that it opens */
  server_id: number;
  /** Null once the key was deleted */
  ssh_key_id: number | null;
  /** The account on the server that the key opens */
  account: "root";
  /** The key's */
  name: string;
  /** As `ssh-keygen -l` shows it */
  fingerprint: string;
  /** Whether its removal was requested. It is listed until the server has removed it */
  is_removed: boolean;
  /** A user's id */
  granted_by: number | null;
  sync: Sync;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface SshAccessGranted {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: SshAccess;
}

export interface SshAccessList {
  status: "success";
  /** All of them */
  data: Array<SshAccess>;
}

export interface SshAccessRequest {
  /** Your own key, or one of the organization */
  ssh_key_id: number;
  /** Default: root */
  account?: "root";
}

/** A public key of a person or of an organization */
export interface SshKey {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** user: a person's own; organization: all members can grant it */
  owner: "user" | "organization";
  /** The person that it belongs to; null for an organization's */
  user_id: number | null;
  /** Null for a person's */
  organization_id: number | null;
  /** Algorithm and key, without options and comment */
  public_key: string;
  /** As `ssh-keygen -l` shows it */
  fingerprint: string;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface SshKeyChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: SshKey;
}

export interface SshKeyPage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<SshKey>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface SshKeyReply {
  status: "success";
  data: SshKey;
}

export interface SshKeyRequest {
  /** For people, to recognize it by */
  name: string;
  /** One line as in `id_ed25519.pub`: ssh-ed25519, ecdsa, their sk variants, or RSA of 3072 bits and more */
  public_key: string;
  /** Default: user */
  owner?: "user" | "organization";
}

/** A public page with the state of chosen monitors */
export interface StatusPage {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** Its heading */
  name: string;
  /** Plain text below the heading */
  description: string;
  /** The last part of its address */
  slug: string;
  /** A host name for the page alone; null: none */
  domain: string | null;
  /** Whether visitors see it */
  is_public: boolean;
  /** Where it is */
  url: string;
  /** In the order in which visitors see them */
  monitors: Array<StatusPageMonitor>;
  /** How many of its incidents are not resolved */
  open_incidents: number;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface StatusPageChanged {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: StatusPage;
}

/** A monitor on the page */
export interface StatusPageMonitor {
  /** The id of a monitor */
  id: number;
  /** What visitors see; null: the monitor's name */
  label: string | null;
}

/** A monitor on the page */
export interface StatusPageMonitorRequest {
  /** The id of a monitor */
  id: number;
  /** What visitors see; null: the monitor's name */
  label?: string | null;
}

export interface StatusPagePage {
  /** From 1 */
  current_page: number;
  /** The items of this page */
  data: Array<StatusPage>;
  /** The most items of a page */
  per_page: number;
  /** 1 for an empty list */
  total_pages: number;
  /** On all pages, as far as the caller reaches them */
  total_items: number;
}

export interface StatusPageReply {
  status: "success";
  data: StatusPage;
}

export interface StatusPageRequest {
  /** Its heading */
  name: string;
  /** Plain text below the heading */
  description?: string;
  /** Last part of the address: lowercase letters, digits and single hyphens */
  slug: string;
  /** A host name for the page alone, which points here; null for none */
  domain?: string | null;
  /** Whether visitors see it; otherwise they get 404; default: on */
  is_public?: true | false | 0 | 1;
  /** In the order in which visitors see them */
  monitors?: ReadonlyArray<StatusPageMonitorRequest>;
}

export interface StatusPageUpdate {
  /** Its heading */
  name?: string;
  /** Plain text below the heading */
  description?: string;
  /** Last part of the address: lowercase letters, digits and single hyphens */
  slug?: string;
  /** A host name for the page alone, which points here; null for none */
  domain?: string | null;
  /** Whether visitors see it; otherwise they get 404; default: on */
  is_public?: true | false | 0 | 1;
  /** In the order in which visitors see them */
  monitors?: ReadonlyArray<StatusPageMonitorRequest>;
  /** `updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it is now in `current`. */
  expected_updated_at?: string;
}

/** The last look-up (`check-ns`) for the server that visitors reach, at its present address; null: there was none */
export interface StoredDnsCheck {
  /** Whether it led to the server */
  ok: boolean;
  /** The server's address; null while it was not known */
  expected_ip: string | null;
  /** The addresses that it had */
  addresses: Array<string>;
  /** The aliases (CNAME) that led to the addresses */
  chain: Array<string>;
  /** What to change, when it is not ok */
  message: string;
  /** When it was looked up */
  checked_at: string;
}

/** Whether the server matches this record. */
export interface Sync {
  /** applied: the server matches the record. pending: the change is under way. failing: an attempt failed, the next is at retry_at. failed: given up until the next change. */
  state: "applied" | "pending" | "failing" | "failed";
  /** Since when it is in this state. */
  since: string | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** When the next attempt is; null: there is none without a change */
  retry_at: string | null;
}

/** The machine that Longshore runs on */
export interface ThisMachine {
  /** Whether `POST /servers` with `this_machine` would add it */
  is_offered: boolean;
  /** Why it is not offered */
  reason: string | null;
  /** The address that it would have; null: it is not offered, or none can be read */
  public_ip: string | null;
  /** What runs on it; null: it is not offered, or that is not supported */
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04" | "debian_12" | "debian_13" | null;
}

export interface ThisMachineReply {
  status: "success";
  data: ThisMachine;
}

export interface ThisMachineServerRequest {
  /** For people; default: server- and six hexadecimal digits */
  name?: string;
  /** Of its clock and of scheduled jobs, such as Europe/Berlin; default: UTC */
  timezone?: string;
  /** A label; null: none */
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  /** Free text for people */
  notes?: string | null;
  /** The machine that Longshore runs on, if `GET /this-machine` offers it */
  this_machine: true;
  /** It can only be an App server */
  server_type?: 0;
  /** It cannot be ordered */
  provider_type?: "custom";
  /** Default: what runs on the machine */
  server_os?: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04" | "debian_12" | "debian_13";
  /** Where domains have to point, of no other server. Default: that of `GET /this-machine`. Longshore connects to 127.0.0.1 */
  public_ip?: string;
}

/** A token, without its value */
export interface Token {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** As people named it */
  name: string;
  /** The first 8 characters of the value, to recognize it by */
  prefix: string;
  /** What requests with it may do; `*`: all that the account may */
  permissions: Array<string>;
  /** Null: the organization the account is currently in */
  organization_id: number | null;
  /** Whether it is refused outside of `organization_id` */
  is_bound: boolean;
  /** ISO 8601 UTC with microseconds */
  expires_at: string | null;
  /** ISO 8601 UTC with microseconds */
  last_used_at: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface TokenCreated {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NewToken;
}

export interface TokenList {
  status: "success";
  /** All of them */
  data: Array<Token>;
}

export interface TokenRequest {
  /** For people, to recognize it by */
  name: string;
  /** What requests with it may do, within the role of the account; `*`: all of that */
  permissions: ReadonlyArray<"*" | "project:read" | "project:create" | "project:update" | "project:delete" | "deployment:create" | "server:read" | "server:create" | "server:update" | "server:delete" | "server:transfer" | "monitor:read" | "monitor:manage" | "organization:read" | "organization:manage">;
  /** ISO 8601; default: never, or when the token that makes this one expires */
  expires_at?: string | null;
  /** The organization of requests without X-Organization */
  organization_id?: number | null;
  /** Refuse the token outside of `organization_id`, whatever X-Organization names */
  is_bound?: boolean;
}

/** A name that a certificate does not cover, and why */
export interface UncoveredName {
  /** A host name */
  name: string;
  /** What to change, in a sentence */
  reason: string;
}

/** A database on the server that Longshore does not manage */
export interface UnmanagedDatabase {
  /** As people named it */
  name: string;
  /** As last seen on the server */
  size_bytes: number | null;
  /** As last seen on the server */
  character_set: string | null;
  /** As last seen on the server */
  collation: string | null;
  /** Whether its name is one that Longshore accepts */
  adoptable: boolean;
}

export interface UnmanagedDatabaseList {
  status: "success";
  /** The engine of the server */
  engine: "mariadb" | "postgresql" | null;
  /** ISO 8601 UTC with microseconds */
  seen_at: string | null;
  /** As last seen on the server */
  data: Array<UnmanagedDatabase>;
}

export interface Warnings {
  /** One sentence for each field of the request that was ignored */
  warnings?: Array<string>;
}

/** A file of the web server that was changed by hand */
export interface WebServerDrift {
  /** ISO 8601 UTC with microseconds */
  found_at: string;
  /** Where it was found; null once that server was deleted */
  server_id: number | null;
  /** The file of the web server that an operator had changed by hand */
  file: string;
  /** Where the server keeps the changed file; null: it had been removed */
  kept_as: string | null;
}

export interface WebhookSecretRenewed {
  status: "success";
  /** What happened, as a sentence for people */
  message: string;
  data: NewWebhookSecret;
}

/** A server that the caller reaches with all of its projects */
export interface WholeServer {
  /** Identifies the record in paths and bodies; never used for another one */
  id: number;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer */
  server_type: 0 | 1 | 2 | 3 | 4;
  /** A label; null: none */
  environment: "production" | "staging" | "dev" | null;
  /** Whether the calling user pinned it */
  is_pinned: boolean;
  /** As people named it */
  name: string;
  /** null until an ordered machine has one */
  public_ip: string | null;
  /** For the organization's other servers; null: they use the public one */
  private_ip: string | null;
  /** Where Longshore connects to */
  ssh_port: number;
  /** Has no effect: Longshore connects to `ssh_port` */
  nat_port: number | null;
  /** Of its clock and of scheduled jobs, such as Europe/Berlin */
  timezone: string;
  /** As found on the server; before the first connection as chosen when it was registered */
  operating_system: string | null;
  /** 0 Disconnected, 1 Connected */
  connection_status: 0 | 1;
  /** What happened at the last attempt to connect that failed; null: connected, or none has ended yet */
  connection_error: string | null;
  /** Which kind of failure `connection_error` is. unreachable: no SSH server answered, or the connection broke; key_refused: `connect_command` was not run on it yet, or root may not sign in with a key; host_key_changed: another machine answers, or it was reinstalled. Null: connected, not attempted yet, or it waits for something else */
  connection_problem: "unreachable" | "key_refused" | "host_key_changed" | null;
  /** What to run on a custom server as root, so that Longshore can connect; null while it is connected */
  connect_command: string | null;
  /** 0 Installing, 1 Provisioning, 10 Provisioned */
  server_status: 0 | 1 | 10;
  /** installing: not connected to yet; provisioning: its setup runs, or gave up; ready: set up and connected; unreachable: set up, and the last check did not reach it */
  state: "installing" | "provisioning" | "ready" | "unreachable";
  /** When Longshore was last connected to it */
  last_seen_at: string | null;
  setup: ServerSetup;
  usage: ServerUsage | null;
  /** Whether projects can be created on it, and moved to it */
  accepts_projects: boolean;
  /** Why it accepts no projects */
  reason: string | null;
  /** Free text for people */
  notes: string | null;
  /** How many deployments may run on it at once; null: no limit */
  queue_limit: number | null;
  /** Always true: monitoring of a server cannot be switched off */
  monitoring_enabled: boolean;
  /** Identifies the steps of the last setup that reached its end; null before that */
  setup_version: string | null;
  /** Whether a setup by this version of Longshore would do something else */
  setup_is_outdated: boolean;
  /** Where it was ordered; custom: your own machine */
  provider_type: "cloud_a" | "cloud_b" | "cloud_c" | "custom";
  /** The connection that it was ordered with; null for custom servers */
  provider_id: number | null;
  /** DELETE answers 422 while it is on */
  delete_protection: boolean;
  /** Whether projects are live on it and `delete_protection` was never given: the console and the command line refuse to delete it, and DELETE does with `keep_live` */
  protects_live_projects: boolean;
  /** The provider's monthly price of an ordered server, without VAT */
  monthly_price_net: string | null;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string | null;
  /** EUR or USD; null without a price */
  price_currency: string | null;
  /** Projects on it, those behind a load balancer included */
  projects_count: number;
  /** Whether Longshore itself runs on it */
  is_this_machine: boolean;
  /** UTC, `YYYY-MM-DD HH:MM:SS` */
  created_at: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS` */
  updated_at: string;
}

/** Every operation, under its method and path. */
export interface Operations {
  /** Change the account's email address */
  "POST /api/auth/change-email": {
    params: undefined;
    query: undefined;
    body: EmailChange;
    success: 200 | 202;
    reply: SignInDone & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Change the password */
  "POST /api/auth/change-password": {
    params: undefined;
    query: undefined;
    body: PasswordChange;
    success: 200;
    reply: PasswordChanged;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 500;
  };
  /** Show the session */
  "GET /api/auth/get-session": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: CurrentSession | null;
    refusal: 500;
  };
  /** List the sessions */
  "GET /api/auth/list-sessions": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: BrowserSessions;
    refusal: 401 | 500;
  };
  /** Remove a passkey */
  "POST /api/auth/passkey/delete-passkey": {
    params: undefined;
    query: undefined;
    body: PasskeyId;
    success: 200;
    reply: SignInStatus;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 500;
  };
  /** Begin to sign in with a passkey */
  "GET /api/auth/passkey/generate-authenticate-options": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: PasskeyOptions;
    refusal: 500;
  };
  /** Begin to add a passkey */
  "GET /api/auth/passkey/generate-register-options": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: PasskeyOptions;
    refusal: 401 | 500;
  };
  /** List the passkeys */
  "GET /api/auth/passkey/list-user-passkeys": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: Passkeys;
    refusal: 401 | 500;
  };
  /** Rename a passkey */
  "POST /api/auth/passkey/update-passkey": {
    params: undefined;
    query: undefined;
    body: PasskeyName;
    success: 200;
    reply: PasskeyRenamed;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 500;
  };
  /** Sign in with a passkey */
  "POST /api/auth/passkey/verify-authentication": {
    params: undefined;
    query: undefined;
    body: PasskeySignIn;
    success: 200;
    reply: PasskeySignedIn;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 500;
  };
  /** Add a passkey */
  "POST /api/auth/passkey/verify-registration": {
    params: undefined;
    query: undefined;
    body: PasskeyRegistration;
    success: 200;
    reply: Passkey;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 500;
  };
  /** Mail a link to a new password */
  "POST /api/auth/request-password-reset": {
    params: undefined;
    query: undefined;
    body: PasswordResetRequest;
    success: 200;
    reply: SignInDone & Warnings;
    refusal: 400 | 413 | 415 | 422 | 429 | 500;
  };
  /** Set a new password by a mailed link */
  "POST /api/auth/reset-password": {
    params: undefined;
    query: undefined;
    body: PasswordReset;
    success: 200;
    reply: SignInDone & Warnings;
    refusal: 400 | 410 | 413 | 415 | 422 | 429 | 500;
  };
  /** End all other sessions */
  "POST /api/auth/revoke-other-sessions": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: SignInStatus;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 500;
  };
  /** End a session */
  "POST /api/auth/revoke-session": {
    params: undefined;
    query: undefined;
    body: SessionId;
    success: 200;
    reply: SignInStatus;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 500;
  };
  /** End all sessions */
  "POST /api/auth/revoke-sessions": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: SignInStatus;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 500;
  };
  /** Sign in with a password */
  "POST /api/auth/sign-in/email": {
    params: undefined;
    query: undefined;
    body: PasswordSignIn;
    success: 200;
    reply: SignedIn;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 500;
  };
  /** Sign in by a link of the operator */
  "POST /api/auth/sign-in/link": {
    params: undefined;
    query: undefined;
    body: SignInByLink;
    success: 200;
    reply: SignInDone & Warnings;
    refusal: 400 | 410 | 413 | 415 | 422 | 429 | 500;
  };
  /** Sign out */
  "POST /api/auth/sign-out": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: SignedOut;
    refusal: 400 | 403 | 413 | 415 | 422 | 500;
  };
  /** Remove the second factor */
  "POST /api/auth/two-factor/disable": {
    params: undefined;
    query: undefined;
    body: PasswordAgain;
    success: 200;
    reply: SignInStatus;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 500;
  };
  /** Prepare a second factor */
  "POST /api/auth/two-factor/enable": {
    params: undefined;
    query: undefined;
    body: PasswordAgain;
    success: 200;
    reply: SecondFactorSecrets;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 500;
  };
  /** Make new backup codes */
  "POST /api/auth/two-factor/generate-backup-codes": {
    params: undefined;
    query: undefined;
    body: PasswordAgain;
    success: 200;
    reply: BackupCodes;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 500;
  };
  /** Show the second factor's secret */
  "POST /api/auth/two-factor/get-totp-uri": {
    params: undefined;
    query: undefined;
    body: PasswordAgain;
    success: 200;
    reply: SecondFactorSecret;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 500;
  };
  /** Prove the second factor with a backup code */
  "POST /api/auth/two-factor/verify-backup-code": {
    params: undefined;
    query: undefined;
    body: SecondFactorProof;
    success: 200;
    reply: SecondFactorProven;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 500;
  };
  /** Prove the second factor with a code */
  "POST /api/auth/two-factor/verify-totp": {
    params: undefined;
    query: undefined;
    body: SecondFactorProof;
    success: 200;
    reply: SecondFactorProven;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 500;
  };
  /** Confirm a new email address */
  "POST /api/auth/verify-email": {
    params: undefined;
    query: undefined;
    body: EmailProof;
    success: 200;
    reply: SignInDone & Warnings;
    refusal: 400 | 410 | 413 | 415 | 422 | 429 | 500;
  };
  /** Read what people changed */
  "GET /api/v1/activity": {
    params: undefined;
    query: {
      /** `next_before` of the page before: only older ones */
      before?: number;
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Only those whose action, summary, email or a subject contains this, in any case */
      q?: string;
      /** Method and path as in this document, such as `POST /api/v1/projects` */
      action?: string;
      /** Only what this account did */
      user_id?: number;
      /** Kind and id, such as `project:5` */
      subject?: string;
      /** Not before, ISO 8601 */
      from?: string;
      /** Before, ISO 8601 */
      to?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ActivitySlice;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** List what needs attention */
  "GET /api/v1/attention": {
    params: undefined;
    query: {
      /** Only those of this kind; several between commas */
      kind?: Array<"server_unreachable" | "server_disk_filling" | "server_not_connected_yet" | "server_not_connected" | "setup_failed" | "setup_incomplete" | "server_not_applied" | "order_failed" | "order_left" | "snapshot_failed" | "provider_failing" | "monitor_down" | "heartbeat_late" | "deployment_failed" | "move_failed" | "project_crashing" | "job_crashing" | "job_failed" | "app_not_installed" | "app_not_updated" | "project_not_applied" | "source_not_registered" | "certificate_failed" | "certificate_expiring" | "own_certificate_expiring" | "domain_elsewhere" | "database_failed" | "channel_failing">;
      /** Only those of this severity; several between commas */
      severity?: Array<"critical" | "warning">;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: AttentionItemList;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Hide what needs attention for some time */
  "POST /api/v1/attention/{key}/snooze": {
    params: {
      /** The `key` of an item */
      key: string;
    };
    query: undefined;
    body: SnoozeRequest;
    success: 200 | 202;
    reply: SnoozeReply & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Issue a certificate for all names of a project */
  "POST /api/v1/certificates": {
    params: undefined;
    query: undefined;
    body: CertificateRequest;
    success: 200 | 201 | 202;
    reply: CertificateAnswer & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Remove a project's certificate */
  "DELETE /api/v1/certificates/{projectId}": {
    params: {
      /** The `id` of a project */
      projectId: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: CertificateAnswer & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Check where names point before a project has them */
  "POST /api/v1/check-ns": {
    params: undefined;
    query: undefined;
    body: DnsCheckRequest;
    success: 200 | 202;
    reply: DnsCheckList & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the databases on all servers */
  "GET /api/v1/databases": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** Only those whose name or username contains this, in any case */
      q?: string;
      /** Only those that belong to this project; several between commas */
      project_id?: Array<number>;
      /** Only those on this server; several between commas */
      server_id?: Array<number>;
      /** The order; with a minus the reverse. Default: id */
      sort?: "id" | "-id" | "name" | "-name" | "size_bytes" | "-size_bytes" | "created_at" | "-created_at";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ListedDatabasePage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Deploy one or many projects */
  "POST /api/v1/deployments": {
    params: undefined;
    query: undefined;
    body: DeploymentRequest;
    success: 202;
    reply: DeploymentsAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List all deployments */
  "GET /api/v1/deployments": {
    params: undefined;
    query: {
      /** `next_before` of the page before: only older ones */
      before?: number;
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Of these projects; several between commas */
      project_id?: Array<number>;
      /** On these servers; several between commas */
      server_id?: Array<number>;
      /** With one of these statuses; several between commas */
      status?: Array<"queued" | "success" | "failed" | "running" | "cancelling" | "cancelled">;
      /** Of these kinds; several between commas */
      process_type?: Array<"deployment" | "rollback" | "recycle" | "move">;
      /** By these users (ids), by a `push`, or because of a `monitor`; several between commas */
      initiator?: Array<string>;
      /** Only those whose commit message, commit id, branch, author or description contains this, in any case */
      q?: string;
      /** Requested not before, ISO 8601 */
      from?: string;
      /** Requested before, ISO 8601 */
      to?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DeploymentSlice;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Read a deployment with its log */
  "GET /api/v1/deployments/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Answer at the end of the deployment, or after this time */
      wait_seconds?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DeploymentReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a deployment now, and why not */
  "GET /api/v1/deployments/{id}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DeploymentActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Cancel a deployment */
  "POST /api/v1/deployments/{id}/cancel": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: DeploymentCancelAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a part of a deployment's log */
  "GET /api/v1/deployments/{id}/log": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** `next` of the page before; 0 is the beginning */
      after?: number;
      /** Bytes of text at which a page ends; default: 262,144 */
      limit?: number;
      /** In place of `after`: the first line of the page; 1 is that of the log */
      from_line?: number;
      /** In place of `after`: the line after the last one of the page */
      before_line?: number;
      /** In place of `after`: the last so many lines */
      tail?: number;
      /** Lines at which a page ends that begins at a line; default: 500 */
      max_lines?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: LogPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Download a deployment's log as text */
  "GET /api/v1/deployments/{id}/log.txt": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Search a deployment's log */
  "GET /api/v1/deployments/{id}/log/search": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** What the lines contain, in any case */
      q: string;
      /** The first line that may match; `next_line` of the page before */
      from_line?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: LogMatches;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Follow a deployment's log */
  "GET /api/v1/deployments/{id}/log/stream": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** `next` of the page before; 0 is the beginning */
      after?: number;
      /** In place of `after`: the first line of the page; 1 is that of the log */
      from_line?: number;
      /** In place of `after`: the last so many lines */
      tail?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Run a failed deployment again */
  "POST /api/v1/deployments/{id}/rerun": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: DeploymentAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Roll back to an earlier deployment */
  "POST /api/v1/deployments/{id}/rollback": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Checks the request and answers with `plan`; nothing is changed */
      dry_run?: boolean;
    };
    body: undefined;
    success: 200 | 202;
    reply: DeploymentAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Ask for a token on behalf of a person */
  "POST /api/v1/device-authorizations": {
    params: undefined;
    query: undefined;
    body: DeviceRequest;
    success: 201;
    reply: DeviceCodesReply & Warnings;
    refusal: 400 | 413 | 415 | 422 | 429 | 500;
  };
  /** Show a program that waits for a token */
  "GET /api/v1/device-authorizations/{userCode}": {
    params: {
      /** What the program shows */
      userCode: string;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DeviceAuthorizationReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Approve a program that waits for a token */
  "POST /api/v1/device-authorizations/{userCode}/approve": {
    params: {
      /** What the program shows */
      userCode: string;
    };
    query: undefined;
    body: DeviceApproval;
    success: 200 | 202;
    reply: DeviceAnswer & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Deny a program that waits for a token */
  "POST /api/v1/device-authorizations/{userCode}/deny": {
    params: {
      /** What the program shows */
      userCode: string;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: DeviceAnswer & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Collect the token that a person approved */
  "POST /api/v1/device-authorizations/token": {
    params: undefined;
    query: undefined;
    body: DeviceCode;
    success: 200 | 202;
    reply: DeviceTokenReply & Warnings;
    refusal: 400 | 403 | 410 | 413 | 415 | 422 | 500;
  };
  /** List domains */
  "GET /api/v1/domains": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DomainPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Stream the organization's events */
  "GET /api/v1/events": {
    params: undefined;
    query: {
      /** Only events of these nouns, or of these names; several between commas */
      kinds?: Array<"server" | "database" | "project" | "deployment" | "domain" | "dns" | "job" | "command" | "app" | "group" | "ssh_access" | "ssh_key" | "order" | "snapshot" | "certificate" | "monitor" | "maintenance_window" | "status_page" | "organization" | "member" | "channel" | "provider" | "invitation" | "token" | "preferences" | "attention" | "server.setup_step" | "server.setup_log" | "server.deleted" | "server.transferred" | "project.deleted" | "project.crash_loop_began" | "project.crash_loop_ended" | "deployment.log" | "command.log" | "server.updated" | "database.updated" | "project.updated" | "deployment.updated" | "domain.updated" | "dns.updated" | "job.updated" | "command.updated" | "app.updated" | "group.updated" | "ssh_access.updated" | "ssh_key.updated" | "order.updated" | "snapshot.updated" | "certificate.updated" | "monitor.updated" | "maintenance_window.updated" | "status_page.updated" | "organization.updated" | "member.updated" | "channel.updated" | "provider.updated" | "invitation.updated" | "token.updated" | "preferences.updated" | "attention.updated">;
      /** In place of the header Last-Event-ID, for clients that cannot set it */
      last_event_id?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** List frameworks */
  "GET /api/v1/frameworks": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: FrameworkList;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Report whether the service works */
  "GET /api/v1/health": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: Health;
    refusal: 422 | 503 | 500;
  };
  /** Receive a git webhook */
  "POST /api/v1/hooks/{source}/{token}": {
    params: {
      /** The project's `git_repository.type` */
      source: "git_host_a" | "git_host_b" | "git_host_c" | "git";
      /** From `webhook.url` of the project's source */
      token: string;
    };
    query: undefined;
    body: unknown;
    success: 200 | 202;
    reply: HookAnswer;
    refusal: 400 | 401 | 403 | 404 | 413 | 422 | 500;
  };
  /** Show what an invitation is for */
  "GET /api/v1/invitations/{token}": {
    params: {
      /** From the mailed link */
      token: string;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: InvitationPreviewReply;
    refusal: 404 | 422 | 500;
  };
  /** Accept an invitation */
  "POST /api/v1/invitations/accept": {
    params: undefined;
    query: undefined;
    body: InvitationAcceptance;
    success: 200;
    reply: InvitationAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 500;
  };
  /** List maintenance windows, past ones last */
  "GET /api/v1/maintenance-windows": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MaintenanceWindowPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Plan a period in which monitors do not count failures */
  "POST /api/v1/maintenance-windows": {
    params: undefined;
    query: undefined;
    body: MaintenanceWindowRequest;
    success: 201 | 202;
    reply: MaintenanceWindowChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a maintenance window */
  "GET /api/v1/maintenance-windows/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MaintenanceWindowReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a maintenance window */
  "PUT /api/v1/maintenance-windows/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: MaintenanceWindowUpdate;
    success: 200;
    reply: MaintenanceWindowChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a maintenance window */
  "DELETE /api/v1/maintenance-windows/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show the account and its organizations */
  "GET /api/v1/me": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: AccountReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Rename the account */
  "PUT /api/v1/me": {
    params: undefined;
    query: undefined;
    body: AccountRequest;
    success: 200;
    reply: AccountChanged & Warnings;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the account's preferences */
  "GET /api/v1/me/preferences": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: PreferencesReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Change some of the account's preferences */
  "PATCH /api/v1/me/preferences": {
    params: undefined;
    query: undefined;
    body: PreferencesRequest;
    success: 200;
    reply: PreferencesReply & Warnings;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List where the account is signed in */
  "GET /api/v1/me/sessions": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SessionList;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Sign out everywhere else */
  "DELETE /api/v1/me/sessions": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: SessionsEnded & Warnings;
    refusal: 400 | 401 | 403 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** End a session */
  "DELETE /api/v1/me/sessions/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the account's API tokens */
  "GET /api/v1/me/tokens": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: TokenList;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Make an API token */
  "POST /api/v1/me/tokens": {
    params: undefined;
    query: undefined;
    body: TokenRequest;
    success: 201 | 202;
    reply: TokenCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Revoke an API token */
  "DELETE /api/v1/me/tokens/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List monitors, those that are down first */
  "GET /api/v1/monitors": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** Only monitors of this type */
      type?: "http" | "heartbeat";
      /** Only those with this `current_status` */
      status?: "pending" | "up" | "down";
      /** Only those of this project; several between commas */
      project_id?: Array<number>;
      /** Only those of projects on this server; several between commas */
      server_id?: Array<number>;
      /** Only those whose name, address or watched record contains this, in any case */
      q?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MonitorPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Watch a project, a domain or a job */
  "POST /api/v1/monitors": {
    params: undefined;
    query: undefined;
    body: MonitorRequest;
    success: 201 | 202;
    reply: MonitorCreated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a monitor with its target and its 50 newest events */
  "GET /api/v1/monitors/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MonitorReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a monitor, or turn it on or off */
  "PUT /api/v1/monitors/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: MonitorUpdate;
    success: 200;
    reply: MonitorChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a monitor with its events and history */
  "DELETE /api/v1/monitors/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the events of a monitor */
  "GET /api/v1/monitors/{id}/events": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** `next_before` of the page before: only older ones */
      before?: number;
      /** Items on a page, at most 100 */
      per_page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MonitorEventSlice;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read results, response times and states of a monitor */
  "GET /api/v1/monitors/{id}/history": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** ISO 8601; a day before `to` when omitted */
      from?: string;
      /** ISO 8601; now when omitted */
      to?: string;
      /** What a point stands for; hour up to three days when omitted, and day for more */
      resolution?: "hour" | "day";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MonitorHistoryReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Import monitors from Uptime Kuma or Healthchecks */
  "POST /api/v1/monitors/import": {
    params: undefined;
    query: undefined;
    body: MonitorImportRequest;
    success: 200 | 202;
    reply: MonitorImportReply & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read what monitors can watch, and the limits of the plan */
  "GET /api/v1/monitors/options": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MonitorOptionsReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** List notification channels */
  "GET /api/v1/notification-channels": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: NotificationChannelPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Create a notification channel */
  "POST /api/v1/notification-channels": {
    params: undefined;
    query: undefined;
    body: NotificationChannelRequest;
    success: 201 | 202;
    reply: NotificationChannelCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a notification channel */
  "GET /api/v1/notification-channels/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: NotificationChannelReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a notification channel */
  "PUT /api/v1/notification-channels/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: NotificationChannelUpdate;
    success: 200;
    reply: NotificationChannelChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a notification channel */
  "DELETE /api/v1/notification-channels/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a notification channel now, and why not */
  "GET /api/v1/notification-channels/{id}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: NotificationChannelActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List a channel's deliveries */
  "GET /api/v1/notification-channels/{id}/deliveries": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: NotificationDeliveryPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Replace the secret of a webhook */
  "POST /api/v1/notification-channels/{id}/secret": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: WebhookSecretRenewed & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Send a test message */
  "POST /api/v1/notification-channels/{id}/test": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: NotificationChannelTested & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Let a program of another site ask for a token */
  "POST /api/v1/oauth-authorizations": {
    params: undefined;
    query: undefined;
    body: OAuthRequest;
    success: 200 | 201 | 202;
    reply: OAuthAuthorizationReply & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Describe the API as an OpenAPI 3.1 document */
  "GET /api/v1/openapi.json": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: OpenApiDocument;
    refusal: 422 | 500;
  };
  /** List the account's organizations */
  "GET /api/v1/organizations": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: OrganizationPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Create an organization */
  "POST /api/v1/organizations": {
    params: undefined;
    query: undefined;
    body: OrganizationRequest;
    success: 201 | 202;
    reply: OrganizationChanged & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read an organization */
  "GET /api/v1/organizations/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: OrganizationReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Rename an organization */
  "PUT /api/v1/organizations/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: OrganizationUpdate;
    success: 200;
    reply: OrganizationChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to an organization now, and why not */
  "GET /api/v1/organizations/{id}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: OrganizationActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read who changed what */
  "GET /api/v1/organizations/{id}/audit-log": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** `next_before` of the page before: only older ones */
      before?: number;
      /** Only those whose action, summary, email or a subject contains this, in any case */
      q?: string;
      /** Method and path as in this document, such as `POST /api/v1/projects` */
      action?: string;
      /** Only what this account did */
      user_id?: number;
      /** Kind and id, such as `project:5` */
      subject?: string;
      /** Not before, ISO 8601 */
      from?: string;
      /** Before, ISO 8601 */
      to?: string;
      /** csv or ndjson: a download of all entries that the filters leave, without pages. Default: json */
      format?: "json" | "csv" | "ndjson";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: AuditEntryPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List invitations */
  "GET /api/v1/organizations/{id}/invitations": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: InvitationPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Invite a person by email */
  "POST /api/v1/organizations/{id}/invitations": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: InvitationRequest;
    success: 201 | 202;
    reply: InvitationCreated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Revoke an invitation */
  "DELETE /api/v1/organizations/{id}/invitations/{invitationId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of an open invitation */
      invitationId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Leave an organization */
  "POST /api/v1/organizations/{id}/leave": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List members */
  "GET /api/v1/organizations/{id}/members": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MemberPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Show a member */
  "GET /api/v1/organizations/{id}/members/{userId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `user_id` of a member */
      userId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MemberReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a member's role or restriction */
  "PUT /api/v1/organizations/{id}/members/{userId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `user_id` of a member */
      userId: number;
    };
    query: undefined;
    body: MemberUpdate;
    success: 200;
    reply: MemberChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Remove a member */
  "DELETE /api/v1/organizations/{id}/members/{userId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `user_id` of a member */
      userId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a member now, and why not */
  "GET /api/v1/organizations/{id}/members/{userId}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `user_id` of a member */
      userId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MemberActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Make an organization the account's current one */
  "POST /api/v1/organizations/{id}/switch": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: OrganizationChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the organization's API tokens */
  "GET /api/v1/organizations/{id}/tokens": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** Only those whose name, or its account's name or email, contains this, in any case */
      q?: string;
      /** Those of this account */
      user_id?: number;
      /** The order; with a minus the reverse. Default: name */
      sort?: "name" | "-name" | "last_used_at" | "-last_used_at" | "created_at" | "-created_at";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MemberTokenPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Revoke an API token of a member */
  "DELETE /api/v1/organizations/{id}/tokens/{tokenId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The token */
      tokenId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Count what is there, and list what runs */
  "GET /api/v1/overview": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: OverviewReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** List project groups */
  "GET /api/v1/project-groups": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectGroupPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Create a project group */
  "POST /api/v1/project-groups": {
    params: undefined;
    query: undefined;
    body: ProjectGroupRequest;
    success: 201 | 202;
    reply: ProjectGroupCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a project group with its projects */
  "GET /api/v1/project-groups/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectGroupReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Rename a project group or describe it */
  "PUT /api/v1/project-groups/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: ProjectGroupUpdate;
    success: 200;
    reply: ProjectGroupUpdated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a project group */
  "DELETE /api/v1/project-groups/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: ProjectGroupDeleted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a project */
  "DELETE /api/v1/project/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Checks the request and answers with `plan`; nothing is changed */
      dry_run?: boolean;
    };
    body: undefined;
    success: 200;
    reply: ProjectDeleted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List projects */
  "GET /api/v1/projects": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** Only those whose name, repository or one of its domains contains this, in any case */
      q?: string;
      /** Only those with exactly this name */
      name?: string;
      /** Only these; several between commas */
      ids?: Array<number>;
      /** Only those in one of these states; several between commas */
      state?: Array<"unreachable" | "deploying" | "waiting" | "crashing" | "in_maintenance" | "failed" | "not_installed" | "live">;
      /** Only those on these servers; several between commas */
      server_id?: Array<number>;
      /** Only the projects of this group */
      project_group_id?: number;
      /** Only the projects with this label */
      environment?: "production" | "staging" | "dev";
      /** Only those with these frameworks; several between commas */
      framework_id?: Array<number>;
      /** Only those with one of these sources; several between commas */
      source_type?: Array<"git" | "app">;
      /** Only those that the calling user pinned, or only the others */
      pinned?: boolean;
      /** The order; with a minus the reverse. Default: id */
      sort?: "id" | "-id" | "name" | "-name" | "last_deployed_at" | "-last_deployed_at" | "created_at" | "-created_at";
      /** summary: only the fields of `ProjectSummary` */
      view?: "full" | "summary";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Create a project from a git repository */
  "POST /api/v1/projects": {
    params: undefined;
    query: undefined;
    body: ProjectRequest;
    success: 201 | 202;
    reply: ProjectCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a project */
  "GET /api/v1/projects/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Update a project's settings */
  "PUT /api/v1/projects/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: ProjectUpdate;
    success: 200;
    reply: ProjectChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a project now, and why not */
  "GET /api/v1/projects/{id}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read the details of an application, with its credentials */
  "GET /api/v1/projects/{id}/app": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** summary: without `credentials` and `database`, which are secret */
      view?: "full" | "summary";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: AppReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change whether an application is updated automatically */
  "PUT /api/v1/projects/{id}/app": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: AppSettings;
    success: 200;
    reply: AppReply & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to an app now, and why not */
  "GET /api/v1/projects/{id}/app/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: AppActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Update an application to its newest version */
  "POST /api/v1/projects/{id}/app/update": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List a project's background jobs */
  "GET /api/v1/projects/{id}/background-jobs": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: BackgroundJobPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Add a background job */
  "POST /api/v1/projects/{id}/background-jobs": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: BackgroundJobRequest;
    success: 201 | 202;
    reply: BackgroundJobChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a background job */
  "GET /api/v1/projects/{id}/background-jobs/{jobId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: BackgroundJobReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a background job */
  "PUT /api/v1/projects/{id}/background-jobs/{jobId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: undefined;
    body: BackgroundJobUpdate;
    success: 200;
    reply: BackgroundJobChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Stop and delete a background job with its log */
  "DELETE /api/v1/projects/{id}/background-jobs/{jobId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a background job now, and why not */
  "GET /api/v1/projects/{id}/background-jobs/{jobId}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: BackgroundJobActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read the last lines of a background job's log */
  "GET /api/v1/projects/{id}/background-jobs/{jobId}/log": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** How many of the last lines; 200 when omitted */
      lines?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: JobLogReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Follow a background job's log */
  "GET /api/v1/projects/{id}/background-jobs/{jobId}/log/stream": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** How many earlier lines come first; default: 50 */
      lines?: number;
      /** In place of the header Last-Event-ID, for clients that cannot set it */
      last_event_id?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Restart a background job */
  "POST /api/v1/projects/{id}/background-jobs/{jobId}/restart": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Clear a project's build cache */
  "DELETE /api/v1/projects/{id}/build-cache": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: ProjectChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Check where a domain points */
  "GET /api/v1/projects/{id}/check-ns": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** A domain of the project; omitted: the primary one */
      domain_id?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DnsCheck;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Run a command in a project's live release */
  "POST /api/v1/projects/{id}/commands": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: CommandRequest;
    success: 202;
    reply: CommandAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List a project's commands */
  "GET /api/v1/projects/{id}/commands": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CommandPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read a command with a part of its output */
  "GET /api/v1/projects/{id}/commands/{commandId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a command of the project */
      commandId: number;
    };
    query: {
      /** `next` of the page before; 0 is the beginning */
      after?: number;
      /** Bytes of text at which a page ends; default: 262,144 */
      limit?: number;
      /** In place of `after`: the first line of the page; 1 is that of the log */
      from_line?: number;
      /** In place of `after`: the line after the last one of the page */
      before_line?: number;
      /** In place of `after`: the last so many lines */
      tail?: number;
      /** Lines at which a page ends that begins at a line; default: 500 */
      max_lines?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CommandReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a command now, and why not */
  "GET /api/v1/projects/{id}/commands/{commandId}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a command of the project */
      commandId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CommandActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** End a command */
  "POST /api/v1/projects/{id}/commands/{commandId}/cancel": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a command of the project */
      commandId: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Search a command's output */
  "GET /api/v1/projects/{id}/commands/{commandId}/log/search": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a command of the project */
      commandId: number;
    };
    query: {
      /** What the lines contain, in any case */
      q: string;
      /** The first line that may match; `next_line` of the page before */
      from_line?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: LogMatches;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Follow a command's output */
  "GET /api/v1/projects/{id}/commands/{commandId}/log/stream": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a command of the project */
      commandId: number;
    };
    query: {
      /** `next` of the page before; 0 is the beginning */
      after?: number;
      /** In place of `after`: the first line of the page; 1 is that of the log */
      from_line?: number;
      /** In place of `after`: the last so many lines */
      tail?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List a project's deployments */
  "GET /api/v1/projects/{id}/deployments": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DeploymentPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List a project's domains */
  "GET /api/v1/projects/{id}/domains": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DomainList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Add a domain */
  "POST /api/v1/projects/{id}/domains": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: DomainRequest;
    success: 201 | 202;
    reply: DomainAdded & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Replace a project's domains */
  "PUT /api/v1/projects/{id}/domains": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: DomainsRequest;
    success: 200 | 202;
    reply: DomainsReplaced & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a domain now, and why not */
  "GET /api/v1/projects/{id}/domains/{domainId}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a domain of the project */
      domainId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DomainActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Make a domain the primary one */
  "PUT /api/v1/projects/{id}/domains/{domainId}/primary": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a domain of the project */
      domainId: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: PrimaryDomainSet & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Replace a project's environment variables */
  "PUT /api/v1/projects/{id}/environment-variables": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: EnvironmentUpdate;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the names of a project's environment variables */
  "GET /api/v1/projects/{id}/environment-variables": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: EnvironmentVariableList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Set one environment variable of a project, or whether logs mask it */
  "PUT /api/v1/projects/{id}/environment-variables/{name}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The variable, as in its line of the `.env` text */
      name: string;
    };
    query: undefined;
    body: EnvironmentVariableRequest;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Remove one environment variable of a project */
  "DELETE /api/v1/projects/{id}/environment-variables/{name}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The variable, as in its line of the `.env` text */
      name: string;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Compare a text with a project's environment variables */
  "POST /api/v1/projects/{id}/environment-variables/compare": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: EnvironmentRequest;
    success: 200 | 202;
    reply: EnvironmentComparisonReply & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the progress of an application's installation */
  "GET /api/v1/projects/{id}/install-steps": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: AppInstallProgressReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Retry the failed installation of an application */
  "POST /api/v1/projects/{id}/install/retry": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read where a project is served, and the state of its servers */
  "GET /api/v1/projects/{id}/load-balancer": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: BalanceReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Put a project on several servers behind a load balancer, or change the servers */
  "PUT /api/v1/projects/{id}/load-balancer": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: BalanceRequest;
    success: 202;
    reply: BalanceAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Take a project out of its load balancer */
  "DELETE /api/v1/projects/{id}/load-balancer": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: ProjectChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the end of a project's log */
  "GET /api/v1/projects/{id}/logs": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** default: access */
      type?: "access" | "error" | "php" | "output" | "app";
      /** One of the servers of a balanced project; default: its load balancer for `access` and `error`, its own for the others */
      server_id?: number;
      /** How many of the last lines; default: 100 */
      lines?: number;
      /** What the lines contain, in any case; default: anything */
      q?: string;
      /** No line before this time, such as 2026-03-01T10:20:30Z, or so long ago, such as 15m, 2h or 7d */
      since?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectLogReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Follow a project's log */
  "GET /api/v1/projects/{id}/logs/stream": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** One of the servers of a balanced project; default: its own */
      server_id?: number;
      /** default: output of a Node project, php of any other */
      type?: "access" | "error" | "php" | "output" | "app";
      /** How many earlier lines come first; default: 50 */
      lines?: number;
      /** In place of the header Last-Event-ID, for clients that cannot set it */
      last_event_id?: string;
      /** What the lines contain, in any case; default: anything */
      q?: string;
      /** No line before this time, such as 2026-03-01T10:20:30Z, or so long ago, such as 15m, 2h or 7d */
      since?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Set whether visitors see a maintenance page */
  "PUT /api/v1/projects/{id}/maintenance": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: MaintenanceRequest;
    success: 200 | 202;
    reply: MaintenanceChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read whether a project is in maintenance */
  "GET /api/v1/projects/{id}/maintenance/status": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: MaintenanceStatus;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Show visitors a maintenance page, or the site again */
  "POST /api/v1/projects/{id}/maintenance/toggle": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: MaintenanceToggle;
    success: 200 | 202;
    reply: MaintenanceChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Move a project to another server */
  "POST /api/v1/projects/{id}/move": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Checks the request and answers with `plan`; nothing is changed */
      dry_run?: boolean;
    };
    body: MoveRequest;
    success: 200 | 202;
    reply: MoveAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the PHP settings of a project */
  "GET /api/v1/projects/{id}/php": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: PhpReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change the PHP settings of a project */
  "PUT /api/v1/projects/{id}/php": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: PhpUpdate;
    success: 200 | 202;
    reply: PhpChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Pin a project for oneself */
  "POST /api/v1/projects/{id}/pin": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: ProjectPinned & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Unpin a project */
  "DELETE /api/v1/projects/{id}/pin": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: ProjectPinned & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Publish a project's web-server configuration again */
  "GET /api/v1/projects/{id}/publish": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** 1 enables SSL, 0 removes it; omitted: it stays as it is */
      force_ssl?: 0 | 1;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200 | 202;
    reply: SitePublished;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Restart a Node project's process without downtime */
  "POST /api/v1/projects/{id}/recycle": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: RecycleAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the redirects of a project */
  "GET /api/v1/projects/{id}/redirects": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: RedirectsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Replace the redirects of a project */
  "PUT /api/v1/projects/{id}/redirects": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: RedirectsUpdate;
    success: 200 | 202;
    reply: RedirectsChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Import redirects from a _redirects or .htaccess file */
  "POST /api/v1/projects/{id}/redirects/import": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: RedirectsImport;
    success: 200 | 202;
    reply: RedirectsImported & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List deployments that can be rolled back to */
  "GET /api/v1/projects/{id}/rollback-candidates": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: RollbackCandidateList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List a project's scheduled jobs */
  "GET /api/v1/projects/{id}/scheduler-jobs": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SchedulerJobPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Add a scheduled job */
  "POST /api/v1/projects/{id}/scheduler-jobs": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: SchedulerJobRequest;
    success: 201 | 202;
    reply: SchedulerJobChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a scheduled job */
  "GET /api/v1/projects/{id}/scheduler-jobs/{jobId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SchedulerJobReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a scheduled job */
  "PUT /api/v1/projects/{id}/scheduler-jobs/{jobId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: undefined;
    body: SchedulerJobUpdate;
    success: 200;
    reply: SchedulerJobChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a scheduled job with its log */
  "DELETE /api/v1/projects/{id}/scheduler-jobs/{jobId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a scheduled job now, and why not */
  "GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ScheduledJobActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read the last lines of a scheduled job's log */
  "GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/log": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** How many of the last lines; 200 when omitted */
      lines?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: JobLogReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Follow a scheduled job's log */
  "GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/log/stream": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: {
      /** How many earlier lines come first; default: 50 */
      lines?: number;
      /** In place of the header Last-Event-ID, for clients that cannot set it */
      last_event_id?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Run a scheduled job now */
  "POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a job of the project */
      jobId: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a project's deploy key and webhook */
  "GET /api/v1/projects/{id}/source": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectSourceReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Register a project's deploy key and webhook again */
  "POST /api/v1/projects/{id}/source/register": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: ProjectSourceChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Replace the secret of a project's webhook */
  "POST /api/v1/projects/{id}/source/secret": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: ProjectSourceChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List a project's certificates */
  "GET /api/v1/projects/{projectId}/certificates": {
    params: {
      /** The `id` of a project */
      projectId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CertificateList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read a certificate */
  "GET /api/v1/projects/{projectId}/certificates/{certificateId}": {
    params: {
      /** The `id` of a project */
      projectId: number;
      /** The `id` of a certificate of the project */
      certificateId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: Certificate;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a certificate now, and why not */
  "GET /api/v1/projects/{projectId}/certificates/{certificateId}/actions": {
    params: {
      /** The `id` of a project */
      projectId: number;
      /** The `id` of a certificate of the project */
      certificateId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CertificateActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Renew a certificate now */
  "POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew": {
    params: {
      /** The `id` of a project */
      projectId: number;
      /** The `id` of a certificate of the project */
      certificateId: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: CertificateAnswer & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Upload a certificate */
  "POST /api/v1/projects/{projectId}/certificates/custom": {
    params: {
      /** The `id` of a project */
      projectId: number;
    };
    query: undefined;
    body: CustomCertificateRequest;
    success: 200 | 201 | 202;
    reply: CertificateAnswer & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a domain */
  "DELETE /api/v1/projects/{projectId}/domains/{domainId}": {
    params: {
      /** The `id` of a project */
      projectId: number;
      /** The `id` of a domain of the project */
      domainId: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: DomainDeleted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Redirect a domain, or let it serve again */
  "PUT /api/v1/projects/{projectId}/domains/{domainId}/redirect": {
    params: {
      /** The `id` of a project */
      projectId: number;
      /** The `id` of a domain of the project */
      domainId: number;
    };
    query: undefined;
    body: DomainRedirectRequest;
    success: 200 | 202;
    reply: DomainRedirectSet & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Check whether a name and a domain are available */
  "GET /api/v1/projects/availability": {
    params: undefined;
    query: {
      /** The name to check */
      name?: string;
      /** The domain to check */
      domain?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectAvailabilityReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Set the group or the environment of many projects */
  "PUT /api/v1/projects/bulk": {
    params: undefined;
    query: undefined;
    body: ProjectBulkUpdate;
    success: 200;
    reply: ProjectsUpdated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Turn auto-deploy of many projects on or off */
  "PUT /api/v1/projects/bulk/auto-deploy": {
    params: undefined;
    query: undefined;
    body: AutoDeployRequest;
    success: 200;
    reply: AutoDeploySet & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Propose the settings of a project from its repository */
  "POST /api/v1/projects/detect": {
    params: undefined;
    query: undefined;
    body: DetectionRequest;
    success: 200 | 202;
    reply: DetectionReply & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Count projects by state, server, group and environment */
  "GET /api/v1/projects/facets": {
    params: undefined;
    query: {
      /** Only those whose name, repository or one of its domains contains this, in any case */
      q?: string;
      /** Only those with exactly this name */
      name?: string;
      /** Only these; several between commas */
      ids?: Array<number>;
      /** Only those in one of these states; several between commas */
      state?: Array<"unreachable" | "deploying" | "waiting" | "crashing" | "in_maintenance" | "failed" | "not_installed" | "live">;
      /** Only those on these servers; several between commas */
      server_id?: Array<number>;
      /** Only the projects of this group */
      project_group_id?: number;
      /** Only the projects with this label */
      environment?: "production" | "staging" | "dev";
      /** Only those with these frameworks; several between commas */
      framework_id?: Array<number>;
      /** Only those with one of these sources; several between commas */
      source_type?: Array<"git" | "app">;
      /** Only those that the calling user pinned, or only the others */
      pinned?: boolean;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectFacetsReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** List the ids of projects */
  "GET /api/v1/projects/ids": {
    params: undefined;
    query: {
      /** Only those whose name, repository or one of its domains contains this, in any case */
      q?: string;
      /** Only those with exactly this name */
      name?: string;
      /** Only these; several between commas */
      ids?: Array<number>;
      /** Only those in one of these states; several between commas */
      state?: Array<"unreachable" | "deploying" | "waiting" | "crashing" | "in_maintenance" | "failed" | "not_installed" | "live">;
      /** Only those on these servers; several between commas */
      server_id?: Array<number>;
      /** Only the projects of this group */
      project_group_id?: number;
      /** Only the projects with this label */
      environment?: "production" | "staging" | "dev";
      /** Only those with these frameworks; several between commas */
      framework_id?: Array<number>;
      /** Only those with one of these sources; several between commas */
      source_type?: Array<"git" | "app">;
      /** Only those that the calling user pinned, or only the others */
      pinned?: boolean;
      /** The order; with a minus the reverse. Default: id */
      sort?: "id" | "-id" | "name" | "-name" | "last_deployed_at" | "-last_deployed_at" | "created_at" | "-created_at";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ProjectIds;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Install a catalog application */
  "POST /api/v1/projects/install": {
    params: undefined;
    query: undefined;
    body: AppInstallRequest;
    success: 201 | 202;
    reply: AppInstallAccepted & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Find records by name */
  "GET /api/v1/search": {
    params: undefined;
    query: {
      /** Part of a name, in any case */
      q?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SearchResultList;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Sum up the monthly costs of ordered servers */
  "GET /api/v1/server-costs": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerCostsReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** List orders of servers */
  "GET /api/v1/server-orders": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerOrderPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Read an order of a server */
  "GET /api/v1/server-orders/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerOrderReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List connections to cloud providers */
  "GET /api/v1/server-providers": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CloudProviderList;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Connect an account at a cloud provider */
  "POST /api/v1/server-providers": {
    params: undefined;
    query: undefined;
    body: CloudProviderRequest;
    success: 201 | 202;
    reply: CloudProviderCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a connection to a cloud provider */
  "DELETE /api/v1/server-providers/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Its servers become custom servers: their machines keep running and are billed until you delete them at the provider */
      keep_servers?: boolean;
    };
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a server provider now, and why not */
  "GET /api/v1/server-providers/{id}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerProviderActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List what can be ordered with a connection */
  "GET /api/v1/server-providers/{id}/options": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** The id of a location or region */
      location?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CloudOptionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List resources in a provider's account that belong to no server */
  "GET /api/v1/server-providers/{id}/orphans": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: OrphanedResourceList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List snapshots of servers */
  "GET /api/v1/server-snapshots": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerSnapshotPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Read a snapshot of a server */
  "GET /api/v1/server-snapshots/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerSnapshotReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Delete a snapshot of a server */
  "DELETE /api/v1/server-snapshots/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a snapshot now, and why not */
  "GET /api/v1/server-snapshots/{id}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SnapshotActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List servers */
  "GET /api/v1/servers": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** Only those whose name or address contains this, in any case */
      q?: string;
      /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; several between commas */
      server_type?: Array<0 | 1 | 2 | 3 | 4>;
      /** Only those in this state; several between commas */
      state?: Array<"installing" | "provisioning" | "ready" | "unreachable">;
      /** Only those of this provider; several between commas */
      provider_type?: Array<"cloud_a" | "cloud_b" | "cloud_c" | "custom">;
      /** The order; with a minus the reverse. Default: id */
      sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "last_seen_at" | "-last_seen_at" | "load" | "-load" | "memory" | "-memory" | "disk" | "-disk";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Add a server */
  "POST /api/v1/servers": {
    params: undefined;
    query: {
      /** Checks the request and answers with `plan`; nothing is changed */
      dry_run?: boolean;
    };
    body: ServerRequest;
    success: 200 | 201 | 202;
    reply: ServerCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a server */
  "GET /api/v1/servers/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a server */
  "PUT /api/v1/servers/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: ServerUpdate;
    success: 200;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a server with its projects */
  "DELETE /api/v1/servers/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** The server's name: when it is given and is another one, nothing is deleted */
      confirm?: string;
      /** Answers 422 also while `protects_live_projects` of the server is true; default: false */
      keep_live?: boolean;
      /** Checks the request and answers with `plan`; nothing is changed */
      dry_run?: boolean;
    };
    body: undefined;
    success: 200;
    reply: ServerDeleted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a server now, and why not */
  "GET /api/v1/servers/{id}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServerActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List the applications that can be installed on a server */
  "GET /api/v1/servers/{id}/apps": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: CatalogAppList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List a server's databases */
  "GET /api/v1/servers/{id}/databases": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DatabaseList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Create a database with its user */
  "POST /api/v1/servers/{id}/databases": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: DatabaseRequest;
    success: 201 | 202;
    reply: DatabaseCreated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a database with its password */
  "GET /api/v1/servers/{id}/databases/{database}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DatabaseReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Delete a database with its users and all content */
  "DELETE /api/v1/servers/{id}/databases/{database}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: {
      /** Checks the request and answers with `plan`; nothing is changed */
      dry_run?: boolean;
    };
    body: undefined;
    success: 200;
    reply: DatabaseDeleted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Change the notes of a database, or the project it belongs to */
  "PUT /api/v1/servers/{id}/databases/{database}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: undefined;
    body: DatabaseUpdate;
    success: 200;
    reply: DatabaseChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show what can be done to a database now, and why not */
  "GET /api/v1/servers/{id}/databases/{database}/actions": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DatabaseActionsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read how to connect to a database */
  "GET /api/v1/servers/{id}/databases/{database}/connection": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: {
      /** Whose names of variables to use: fw_1 to fw_10; default: the project's */
      framework?: string;
      /** The server from which to connect; default: the database's own */
      server_id?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DatabaseConnectionReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Download a dump of a database */
  "GET /api/v1/servers/{id}/databases/{database}/dump": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Load a dump into a database */
  "POST /api/v1/servers/{id}/databases/{database}/imports": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: {
      /** Whether to remove all content before; default: false */
      empty_first?: boolean;
    };
    body: unknown;
    success: 202;
    reply: DatabaseImportAccepted;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the result of an import */
  "GET /api/v1/servers/{id}/databases/{database}/imports/{import}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
      /** The `id` of an import */
      import: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DatabaseImportReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change the password of a database's user */
  "POST /api/v1/servers/{id}/databases/{database}/password": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: undefined;
    body: DatabasePasswordRequest;
    success: 200 | 202;
    reply: DatabaseChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List users that can read a database */
  "GET /api/v1/servers/{id}/databases/{database}/users": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DatabaseUserList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Add a user that can read a database */
  "POST /api/v1/servers/{id}/databases/{database}/users": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
    };
    query: undefined;
    body: DatabaseUserRequest;
    success: 201 | 202;
    reply: DatabaseUserChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a user of a database with its password */
  "GET /api/v1/servers/{id}/databases/{database}/users/{user}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
      /** The `id` of a user that reads it */
      user: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: DatabaseUserReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Delete a user of a database */
  "DELETE /api/v1/servers/{id}/databases/{database}/users/{user}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a database on the server */
      database: number;
      /** The `id` of a user that reads it */
      user: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Adopt a database that was found on a server */
  "POST /api/v1/servers/{id}/databases/adopt": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: DatabaseAdoptionRequest;
    success: 201 | 202;
    reply: DatabaseCreated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Pin a server for oneself */
  "POST /api/v1/servers/{id}/pin": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: ServerPinned & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Unpin a server */
  "DELETE /api/v1/servers/{id}/pin": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: ServerPinned & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Reboot a server */
  "POST /api/v1/servers/{id}/reboot": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** The server's name: without it, the machine that Longshore runs on is not rebooted */
      confirm?: string;
    };
    body: undefined;
    success: 202;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Change the type of an ordered server */
  "POST /api/v1/servers/{id}/resize": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: ServerResizeRequest;
    success: 202;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the services of a server */
  "GET /api/v1/servers/{id}/services": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServiceList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read the account that came with a service of a server */
  "GET /api/v1/servers/{id}/services/{service}/credentials": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `name` of a service that has credentials */
      service: "nginx" | "php" | "node" | "mariadb" | "postgresql" | "redis" | "meilisearch";
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ServiceCredentialsReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read a part of the log of a server's setup */
  "GET /api/v1/servers/{id}/setup-log": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** `next` of the page before; 0 is the beginning */
      after?: number;
      /** Bytes of text at which a page ends; default: 262,144 */
      limit?: number;
      /** In place of `after`: the first line of the page; 1 is that of the log */
      from_line?: number;
      /** In place of `after`: the line after the last one of the page */
      before_line?: number;
      /** In place of `after`: the last so many lines */
      tail?: number;
      /** Lines at which a page ends that begins at a line; default: 500 */
      max_lines?: number;
      /** An `id` of the list of setups; default: the newest */
      run_id?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: LogPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Search the log of a server's setup */
  "GET /api/v1/servers/{id}/setup-log/search": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** What the lines contain, in any case */
      q: string;
      /** The first line that may match; `next_line` of the page before */
      from_line?: number;
      /** An `id` of the list of setups; default: the newest */
      run_id?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: LogMatches;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Follow the log of a server's setup */
  "GET /api/v1/servers/{id}/setup-log/stream": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** `next` of the page before; 0 is the beginning */
      after?: number;
      /** In place of `after`: the first line of the page; 1 is that of the log */
      from_line?: number;
      /** In place of `after`: the last so many lines */
      tail?: number;
      /** An `id` of the list of setups; default: the newest */
      run_id?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ReadableStream<Uint8Array>;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List a server's setups */
  "GET /api/v1/servers/{id}/setup-runs": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SetupRunPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Read the steps of a server's setup */
  "GET /api/v1/servers/{id}/setup-steps": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Adds `steps`, each with its state */
      include_steps?: boolean;
      /** An `id` of the list of setups; default: the newest */
      run_id?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SetupReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Retry a server's setup */
  "POST /api/v1/servers/{id}/setup/retry": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Run a server's setup again */
  "POST /api/v1/servers/{id}/setup/run": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Make a snapshot of an ordered server */
  "POST /api/v1/servers/{id}/snapshots": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: ServerSnapshotRequest;
    success: 202;
    reply: ServerSnapshotCreated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the SSH keys on a server */
  "GET /api/v1/servers/{id}/ssh-access": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SshAccessList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Add an SSH key to a server */
  "POST /api/v1/servers/{id}/ssh-access": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: SshAccessRequest;
    success: 201 | 202;
    reply: SshAccessGranted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Remove an SSH key from a server */
  "DELETE /api/v1/servers/{id}/ssh-access/{access}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of a key's entry in the server's list */
      access: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Transfer a server to another organization */
  "POST /api/v1/servers/{id}/transfer-organization": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: ServerTransferRequest;
    success: 200 | 202;
    reply: ServerTransferred & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List databases on a server that Longshore did not create */
  "GET /api/v1/servers/{id}/unmanaged-databases": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: UnmanagedDatabaseList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Show whether the installation needs its first account */
  "GET /api/v1/setup": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: SetupStateReply;
    refusal: 422 | 500;
  };
  /** Set up the installation with its first account */
  "POST /api/v1/setup": {
    params: undefined;
    query: undefined;
    body: SetupRequest;
    success: 201;
    reply: SetupDone & Warnings;
    refusal: 400 | 403 | 410 | 413 | 415 | 422 | 500;
  };
  /** List connected accounts at git hosts */
  "GET /api/v1/source-providers": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SourceProviderList;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Connect an account at a git host */
  "POST /api/v1/source-providers": {
    params: undefined;
    query: undefined;
    body: SourceProviderRequest;
    success: 201 | 202;
    reply: SourceProviderCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a connected account */
  "GET /api/v1/source-providers/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SourceProviderReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Disconnect an account */
  "DELETE /api/v1/source-providers/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the branches of a repository of a connected account */
  "GET /api/v1/source-providers/{id}/branches": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** `owner/name` */
      repository: string;
      /** `next_cursor` of the page before */
      cursor?: string;
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Only those whose path or name contains this, in any case */
      q?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: HostBranchList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List the repositories of a connected account */
  "GET /api/v1/source-providers/{id}/repositories": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** `next_cursor` of the page before */
      cursor?: string;
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Only those whose path or name contains this, in any case */
      q?: string;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: HostRepositoryList;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List SSH keys */
  "GET /api/v1/ssh-keys": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** Only those of people, or of the organization */
      owner?: "user" | "organization";
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SshKeyPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Add an SSH key */
  "POST /api/v1/ssh-keys": {
    params: undefined;
    query: undefined;
    body: SshKeyRequest;
    success: 201 | 202;
    reply: SshKeyChanged & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read an SSH key */
  "GET /api/v1/ssh-keys/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: SshKeyReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Delete an SSH key */
  "DELETE /api/v1/ssh-keys/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List status pages */
  "GET /api/v1/status-pages": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: StatusPagePage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Publish the status of chosen monitors */
  "POST /api/v1/status-pages": {
    params: undefined;
    query: undefined;
    body: StatusPageRequest;
    success: 201 | 202;
    reply: StatusPageChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a status page */
  "GET /api/v1/status-pages/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: StatusPageReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Change a status page */
  "PUT /api/v1/status-pages/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: StatusPageUpdate;
    success: 200;
    reply: StatusPageChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a status page with its incidents */
  "DELETE /api/v1/status-pages/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the incidents of a status page, the newest first */
  "GET /api/v1/status-pages/{id}/incidents": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: IncidentPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Write about an incident */
  "POST /api/v1/status-pages/{id}/incidents": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: IncidentRequest;
    success: 201 | 202;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read an incident with its updates, the newest first */
  "GET /api/v1/status-pages/{id}/incidents/{incidentId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of an incident of the page */
      incidentId: number;
    };
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: IncidentReply;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** Rename an incident */
  "PUT /api/v1/status-pages/{id}/incidents/{incidentId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of an incident of the page */
      incidentId: number;
    };
    query: undefined;
    body: IncidentChange;
    success: 200;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete an incident with its updates */
  "DELETE /api/v1/status-pages/{id}/incidents/{incidentId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of an incident of the page */
      incidentId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Add an update to an incident */
  "POST /api/v1/status-pages/{id}/incidents/{incidentId}/updates": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of an incident of the page */
      incidentId: number;
    };
    query: undefined;
    body: IncidentUpdateRequest;
    success: 201 | 202;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Change the text of an update */
  "PUT /api/v1/status-pages/{id}/incidents/{incidentId}/updates/{updateId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of an incident of the page */
      incidentId: number;
      /** The `id` of an update of it */
      updateId: number;
    };
    query: undefined;
    body: IncidentUpdateChange;
    success: 200;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete an update of an incident */
  "DELETE /api/v1/status-pages/{id}/incidents/{incidentId}/updates/{updateId}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
      /** The `id` of an incident of the page */
      incidentId: number;
      /** The `id` of an update of it */
      updateId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Show whether the machine that Longshore runs on can be added as a server */
  "GET /api/v1/this-machine": {
    params: undefined;
    query: {
      /** As X-Organization, for links and downloads */
      organization?: number;
    };
    body: undefined;
    success: 200;
    reply: ThisMachineReply;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Show the version and what it can do */
  "GET /api/v1/version": {
    params: undefined;
    query: undefined;
    body: undefined;
    success: 200;
    reply: ApiVersionReply;
    refusal: 422 | 500;
  };
}
