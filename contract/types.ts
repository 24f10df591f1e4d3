// The API as types. Made from the route table by `node tools/contract.ts`.

export interface ErrorBody {
  status: "error";
  /** What failed, and what to do about it */
  message: string;
  /** One sentence for each bad field, under its dotted name */
  errors?: Record<string, string>;
  /** With errors: one sentence for each field that is not known */
  warnings?: Array<string>;
}

export interface CarriedOut {
  status: "success";
  message: string;
  /** What was changed, such as `project:5` */
  records: Array<string>;
}

/** The account behind the token */
export interface Account {
  id: number;
  name: string;
  email: string;
  current_organization_id: number | null;
  organizations: Array<Membership>;
  organization: AllowedHere | null;
  /** Whether a second factor is asked for when the account signs in */
  two_factor: boolean;
  /** How many passkeys the account has */
  passkeys: number;
}

export interface AccountChanged {
  status: "success";
  message: string;
  data: Account;
}

export interface AccountReply {
  status: "success";
  data: Account;
}

export interface AccountRequest {
  name: string;
}

export interface Acknowledgement {
  status: "success";
  message: string;
}

/** The organization of this request, and what the caller may do there */
export interface AllowedHere {
  id: number;
  name: string;
  role: "Owner" | "Admin" | "Member" | "Viewer";
  /** Those that both the role and the token have */
  permissions: Array<"project:read" | "project:create" | "project:update" | "project:delete" | "deployment:create" | "server:read" | "server:create" | "server:update" | "server:delete" | "server:transfer" | "monitor:read" | "monitor:manage" | "organization:read" | "organization:manage">;
  /** Null: everything in the organization. Otherwise these servers with their projects, and these projects */
  restriction: {
    server_ids: Array<number>;
    project_ids: Array<number>;
  } | null;
  /** Those of the organization's plan; null: no limit */
  limits: {
    servers: number | null;
    /** Active ones of each type */
    monitors_of_type: number | null;
    /** The shortest interval */
    monitor_interval_seconds: number;
  };
}

/** The installed application of a project */
export interface App {
  app_slug: string;
  app_name: string;
  app_version: string | null;
  admin_url: string;
  /** Whether it can be updated in place */
  updatable: boolean;
  credentials: Record<string, AppCredential>;
  database: AppDatabase | null;
  /** minor: within the line of versions that is installed */
  automatic_updates: "off" | "minor";
  /** The newest version that it can be updated to */
  update_available: string | null;
  update_is_security: boolean;
  last_update: AppUpdate | null;
}

/** What its administrator needs, such as a password */
export interface AppCredential {
  label: string;
  value: string;
  secret: boolean;
}

export interface AppDatabase {
  engine: "mariadb" | "postgresql";
  name: string;
  username: string;
  password: string;
  host: string;
}

/** A question that an installation asks */
export interface AppInput {
  key: string;
  label: string;
  type: "text" | "email" | "password";
  required: boolean;
  /** Whether an empty answer is generated */
  generated: boolean;
}

export interface AppInstallAccepted {
  status: "success";
  message: string;
  data: AppInstallation;
}

/** How far the installation of an application is */
export interface AppInstallProgress {
  /** 0 running, 1 up, 2 a step failed */
  installation_status: 0 | 1 | 2;
  app_slug: string | null;
  app_version: string | null;
  steps: Array<AppInstallStep>;
}

export interface AppInstallProgressReply {
  status: "success";
  data: AppInstallProgress;
}

export interface AppInstallRequest {
  name: string;
  domain: string;
  server_id: number;
  app_slug: string;
  inputs?: Record<string, string | null> | null;
  www_redirect?: 0 | 1 | 2;
}

export interface AppInstallStep {
  key: string;
  label: string;
  position: number;
  status: "pending" | "running" | "completed" | "failed" | "skipped";
  /** Result of the step, or why it stopped */
  detail: string | null;
  duration_ms: number;
}

/** A project whose application is being installed */
export interface AppInstallation {
  id: number;
  server_id: number;
  name: string;
  app_slug: string;
  domain: string;
  installation_status: 0;
}

export interface AppReply {
  status: "success";
  data: App;
}

export interface AppSettings {
  automatic_updates: "off" | "minor";
}

/** An update of an installed application */
export interface AppUpdate {
  state: "running" | "succeeded" | "failed";
  version: string;
  /** The reason; the former version serves again */
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  ended_at: string | null;
}

/** A request that changed something */
export interface AuditEntry {
  id: number;
  /** Null when the account is gone */
  user_id: number | null;
  /** As it was then */
  user_email: string;
  /** Null: signed in to the console */
  token_id: number | null;
  ip: string | null;
  /** Method and path; of passwords set on the command line, the command */
  action: string;
  summary: string;
  /** The records that it changed, as kind and id: `project:5` */
  subjects: Array<string>;
  /** The fields that were sent; their values are not kept */
  fields: Array<string>;
  request_id: string;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface AuditEntryPage {
  current_page: number;
  data: Array<AuditEntry>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface AutoDeployRequest {
  project_ids: ReadonlyArray<number>;
  auto_deploy_is_active: true | false | 0 | 1;
}

export interface AutoDeploySet {
  status: "success";
  updated_count: number;
}

/** A command that runs continuously */
export interface BackgroundJob {
  id: number;
  project_id: number;
  name: string;
  command: string;
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
  processes: number;
}

export interface BackgroundJobChanged {
  status: "success";
  message: string;
  data: BackgroundJob;
}

export interface BackgroundJobPage {
  current_page: number;
  data: Array<BackgroundJob>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface BackgroundJobReply {
  status: "success";
  data: BackgroundJob;
}

export interface BackgroundJobRequest {
  name: string;
  command: string;
  processes?: number;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  is_active?: true | false | 0 | 1;
}

export interface BackgroundJobUpdate {
  name?: string;
  command?: string;
  processes?: number;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  is_active?: true | false | 0 | 1;
}

/** The servers of a project behind a load balancer */
export interface Balance {
  /** null: the project serves by itself */
  load_balancer_id: number | null;
  load_balancer_name: string | null;
  /** The project's own server first */
  nodes: Array<BalancedServer>;
}

export interface BalanceAccepted {
  status: "success";
  message: string;
  project_id: number;
  /** Those that install the project on servers that are new */
  deployment_ids: Array<number>;
}

export interface BalanceReply {
  status: "success";
  data: Balance;
}

export interface BalanceRequest {
  load_balancer_id: number;
  /** Servers besides the project's own */
  server_ids: ReadonlyArray<number>;
}

/** A server of a project behind a load balancer */
export interface BalancedServer {
  server_id: number;
  server_name: string;
  /** installing: its first deployment has not succeeded; draining: it is being deployed to; unreachable: it does not answer, and gets no visitors; leaving: it is being removed; unknown: the load balancer did not report it */
  state: "installing" | "serving" | "draining" | "unreachable" | "leaving" | "unknown";
}

/** User name and password that the site requires; null: none. The password is in no answer. */
export interface BasicAuth {
  username: string;
  password: string;
}

/** An application that can be installed */
export interface CatalogApp {
  slug: string;
  name: string;
  category: string;
  summary: string;
  /** Layout of its files in the project's directory */
  layout: string;
  available: boolean;
  unavailable_reasons: Array<string>;
  inputs: Array<AppInput>;
}

export interface CatalogAppList {
  status: "success";
  data: Array<CatalogApp>;
}

/** The certificate of a project */
export interface Certificate {
  id: number;
  project_id: number;
  /** The project's primary domain */
  domain_id: number;
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

export interface CertificateAnswer {
  /** failed: what served before keeps serving */
  status: "success" | "failed";
  message: string;
  data: CertificateResponses;
}

export type CertificateList = Array<Certificate>;

export interface CertificateRequest {
  project_id: number;
  /** The primary one */
  domain_id: number;
}

export interface CertificateResponses {
  ssl_response: ServerAnswer | null;
  nginx_response: ServerAnswer | null;
}

export interface ChangedMonitor {
  id: number;
  is_active: boolean;
  /** What deliveries to new webhooks of this monitor are signed with; shown here and never again */
  webhook_secrets?: Array<MonitorWebhookSecret>;
}

export interface CloudAServerRequest {
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  timezone?: string;
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  notes?: string | null;
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04";
  provider_type: "cloud_a";
  provider_id: number;
  /** Ordered from this snapshot instead of an image; its disk, architecture and region have to fit */
  snapshot_id?: number | null;
  cloud_a_location: string;
  cloud_a_server_type: string;
  cloud_a_network?: number | string | null;
}

export interface CloudBServerRequest {
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  timezone?: string;
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  notes?: string | null;
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04";
  provider_type: "cloud_b";
  provider_id: number;
  /** Ordered from this snapshot instead of an image; its disk, architecture and region have to fit */
  snapshot_id?: number | null;
  cloud_b_region: string;
  cloud_b_instance_type: string;
  cloud_b_subnet_id: string;
  /** GB; gp2 has at most 16384 */
  cloud_b_volume_size: number;
  cloud_b_volume_type?: "gp3" | "gp2" | "io2";
  cloud_b_use_static_ip?: boolean;
}

export interface CloudCServerRequest {
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  timezone?: string;
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  notes?: string | null;
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04";
  provider_type: "cloud_c";
  provider_id: number;
  /** Ordered from this snapshot instead of an image; its disk, architecture and region have to fit */
  snapshot_id?: number | null;
  cloud_c_region: string;
  cloud_c_size: string;
  cloud_c_vpc_uuid?: string | null;
  cloud_c_use_firewall?: boolean;
  cloud_c_use_reserved_ip?: boolean;
}

export interface CloudCredentials {
  /** cloud_a, cloud_c */
  token?: string;
  /** cloud_b */
  access_key_id?: string;
  /** cloud_b */
  secret_access_key?: string;
}

export interface CloudImage {
  id: string;
  name: string;
  server_os: string;
  architecture: string;
}

export interface CloudLocation {
  id: string;
  name: string;
  country: string | null;
}

export interface CloudNetwork {
  id: string;
  name: string | null;
  cidr: string;
  is_default: boolean;
}

export type CloudNetworkWithSubnets = CloudNetwork & {
  subnets: Array<CloudSubnet>;
};

/** What can be ordered from a cloud */
export interface CloudOptions {
  location: string | null;
  locations?: Array<CloudLocation>;
  server_types?: Array<CloudServerType>;
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
  id: number;
  name: string;
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
  message: string;
  data: CloudProvider;
}

export interface CloudProviderList {
  status: "success";
  data: Array<CloudProvider>;
}

export interface CloudProviderRequest {
  name: string;
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
  credentials: CloudCredentials;
}

/** A resource at a provider */
export interface CloudResource {
  /** server, address, volume, firewall, key or image */
  kind: string;
  /** Its id at the provider */
  id: string;
  location: string;
}

export interface CloudServerType {
  name: string;
  description: string;
  cores: number;
  memory_gb: number;
  /** null on cloud_b, where the root volume is ordered separately */
  disk_gb: number | null;
  architecture: string;
  /** Without VAT */
  monthly_price_net: string;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string;
  currency: string;
}

export interface CloudSubnet {
  /** What `cloud_b_subnet_id` takes */
  id: string;
  name: string | null;
  cidr: string;
  /** The availability zone that it decides */
  zone: string | null;
  /** Whether servers in it get a public address without a static one */
  is_public: boolean;
}

/** A single command in the live release of a project */
export interface Command {
  id: number;
  project_id: number;
  /** Where it ran; null when that server was deleted */
  server_id: number | null;
  initiated_by: number | null;
  command: string;
  timeout_seconds: number;
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
  message: string;
  data: Command;
}

export interface CommandLog {
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
  current_page: number;
  data: Array<Command>;
  per_page: number;
  total_pages: number;
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

export interface CostTotal {
  currency: string;
  servers_count: number;
  monthly_price_net: string;
  monthly_price_gross: string;
}

/** A process that keeps crashing */
export interface CrashLoop {
  /** The background job; null: the process of the project itself */
  job_id: number | null;
  server_id: number;
  /** ISO 8601 UTC with microseconds */
  since: string;
  /** How often it was restarted in the ten minutes before */
  restarts: number;
  /** Its last output; values of environment variables are masked */
  last_lines: Array<string>;
}

export interface CustomCertificateRequest {
  certificate: string;
  private_key: string;
}

export interface CustomCommands {
  dev: string;
  install: string;
  build: string;
  directory: string;
  custom: string;
}

export interface CustomCommandsRequest {
  dev?: string;
  install?: string;
  build?: string;
  directory?: string;
  custom?: string;
}

export interface CustomServerCreated {
  status: "provisioning";
  message: string;
  server_id: number;
  /** The key with which Longshore will log in to this server alone */
  public_key: string;
  /** Run it on the server as root, so that Longshore can sign in */
  connect_command: string;
}

export interface CustomServerRequest {
  name?: string;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer; default: 0 */
  server_type?: 0 | 1 | 2 | 3 | 4;
  timezone?: string;
  environment?: "production" | "staging" | "dev" | null;
  /** Default: mariadb on App and Database servers, none on others */
  database_engine?: "mariadb" | "postgresql" | "none";
  notes?: string | null;
  server_os: "ubuntu_26_04" | "ubuntu_24_04" | "ubuntu_22_04" | "debian_12" | "debian_13";
  provider_type?: "custom";
  public_ip: string;
  ssh_port?: number;
}

/** A database on a server */
export interface Database {
  id: number;
  server_id: number;
  project_id: number | null;
  database_type: "mariadb" | "postgresql";
  database_name: string;
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
  character_set: string | null;
  collation: string | null;
  /** ISO 8601 UTC with microseconds */
  seen_at: string | null;
  sync: Sync;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface DatabaseAdoptionRequest {
  name: string;
  username?: string | "" | null;
  password?: string | "" | null;
  project_id?: number | null;
}

export interface DatabaseChanged {
  status: "success";
  message: string;
  data: Database;
}

/** How to connect to a database */
export interface DatabaseConnection {
  framework: string | null;
  host: string;
  port: number;
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
  message: string;
  data: NewDatabase;
}

/** A dump that is loaded into a database */
export interface DatabaseImport {
  id: number;
  database_id: number;
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
  message: string;
  data: DatabaseImport;
}

export interface DatabaseImportReply {
  status: "success";
  data: DatabaseImport;
}

export interface DatabaseList {
  status: "success";
  engine: "mariadb" | "postgresql" | null;
  engine_version: string | null;
  /** When the engine was last looked at */
  seen_at: string | null;
  /** Why the last look at the engine failed */
  error: string | null;
  data: Array<Database>;
  current_page: number;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface DatabasePassword {
  password: string;
}

export interface DatabasePasswordRequest {
  password?: string | "" | null;
}

export interface DatabaseReply {
  status: "success";
  data: DatabaseWithPassword;
}

export interface DatabaseRequest {
  name: string;
  username?: string | "" | null;
  password?: string | "" | null;
  project_id?: number | null;
}

export interface DatabaseUpdate {
  notes?: string | null;
  project_id?: number | null;
}

/** A further user of a database, who can only read */
export interface DatabaseUser {
  id: number;
  database_id: number;
  username: string;
  access: "read";
  /** 0 being created, 1 exists, 2 could not be created */
  status: 0 | 1 | 2;
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface DatabaseUserChanged {
  status: "success";
  message: string;
  data: DatabaseUser;
}

export interface DatabaseUserList {
  status: "success";
  data: Array<DatabaseUser>;
}

export interface DatabaseUserReply {
  status: "success";
  data: DatabaseUserWithPassword;
}

export interface DatabaseUserRequest {
  username: string;
  password?: string | "" | null;
}

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
  id: number;
  tenant_id: number;
  project_id: number;
  server_id: number;
  initiated_by: number | null;
  git_branch: string;
  commit_id: string | null;
  commit_url: string | null;
  /** From the push, or found on the server; null until it is known */
  commit_author: string | null;
  /** Its first line; at most 200 characters, unless the deployment is for a push */
  commit_message: string | null;
  description: string;
  /** Behind a load balancer: the deployment that this one continues on a further server */
  rolling_of: number | null;
  /** 0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled */
  status: 0 | 1 | 2 | 3 | 4 | 5;
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
}

export interface DeploymentAccepted {
  status: "success";
  message: string;
  deployment_id: number;
}

export interface DeploymentCancelAccepted {
  status: "success";
  message: string;
  deployment_id: number;
  state: "cancelled" | "cancelling";
}

export interface DeploymentOutput {
  process_type: "deployment" | "rollback" | "recycle" | "move";
  /** Output of the user's own commands; of more than 1 MiB only the beginning and the end, with a line between that states how much is left out */
  client_payload: Array<string>;
  /** Output of the platform's steps; of more than 1 MiB only the beginning and the end, with a line between that states how much is left out */
  system_payload: Array<string>;
}

export interface DeploymentPage {
  current_page: number;
  data: Array<Deployment>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

/** A deployment with its steps and its output */
export type DeploymentReply = Deployment & {
  output: DeploymentOutput;
  steps: Array<DeploymentStep>;
};

export interface DeploymentRequest {
  project_ids: ReadonlyArray<number>;
}

export interface DeploymentStep {
  key: string;
  label: string;
  /** Steps of a phase follow each other */
  phase: string;
  status: "pending" | "running" | "completed" | "failed" | "skipped" | "unreported";
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
  /** ISO 8601 UTC with microseconds */
  finished_at: string | null;
  duration_ms: number | null;
  detail: string | null;
  /** Where the log has its output, from 1; null: it has printed nothing */
  first_line: number | null;
  /** How many lines it has printed */
  lines: number;
}

export interface DeploymentsAccepted {
  status: "success";
  message: string;
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
  notes: Array<string>;
}

export interface DetectionReply {
  status: "success";
  /** The branch's newest commit, which was looked at */
  commit: string;
  data: Detection;
}

export interface DetectionRequest {
  server_id: number;
  git_repository: GitRepository;
  /** Where the application is; default: the only one that is found */
  directory?: string;
}

/** Disk space that it uses on its server, measured by its last deployment; null: not measured yet */
export interface DiskUsage {
  releases_bytes: number;
  caches_bytes: number;
  /** ISO 8601 UTC with microseconds */
  measured_at: string;
}

export interface DnsCheck {
  status: "success" | "failed";
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

/** A name that was looked up */
export interface DnsCheckedName {
  name: string;
  ok: boolean;
  addresses: Array<string>;
  /** The aliases (CNAME) that led to the addresses */
  chain: Array<string>;
  message: string;
}

/** A DNS record that a domain needs */
export interface DnsRecord {
  name: string;
  type: "A" | "AAAA";
  /** The address of the destination */
  value: string;
}

/** A domain that a project answers to */
export type Domain = ProjectDomain & {
  project_id: number;
  sync: Sync;
};

export interface DomainAdded {
  status: "success";
  message: string;
  domain: Domain;
  nginx_response: ServerAnswer | null;
}

export interface DomainDeleted {
  status: "success";
  message: string;
  nginx_response: ServerAnswer | null;
}

export interface DomainList {
  status: "success";
  data: Array<Domain>;
}

export interface DomainPage {
  current_page: number;
  data: Array<Domain>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface DomainRedirectRequest {
  /** A host name or an http(s) URL; null: the domain serves the project */
  redirect_to: string | null;
  /** Omitted: it stays, or is the project's */
  redirect_status_code?: 301 | 302 | 307 | 308;
}

export interface DomainRedirectSet {
  status: "success";
  message: string;
  domains: Array<Domain>;
  nginx_response: ServerAnswer | null;
}

export interface DomainRequest {
  domain: string;
}

export interface DomainSet {
  domains: Array<Domain>;
  /** 0 none, 1 www to non-www, 2 non-www to www */
  www_redirect: 0 | 1 | 2;
  primary_domain: string;
}

export interface DomainsReplaced {
  status: "success";
  message: string;
  data: DomainSet;
  nginx_response: ServerAnswer | null;
}

export interface DomainsRequest {
  domains: ReadonlyArray<string>;
  /** 0 none, 1 www to non-www, 2 non-www to www */
  www_redirect?: 0 | 1 | 2;
}

export interface EnvironmentRequest {
  /** Text of a .env file */
  environment_variables: string;
}

/** A variable of a project's environment, without its value */
export interface EnvironmentVariable {
  name: string;
  /** Whether logs mask the value, or a part of it */
  masked: boolean;
}

export interface EnvironmentVariableList {
  status: "success";
  data: Array<EnvironmentVariable>;
}

export interface EnvironmentVariableRequest {
  /** The value as programs receive it, without quoting; default: it stays */
  value?: string;
  /** Whether logs mask the value; null: as its name and value suggest, the default */
  masked?: boolean | null;
}

/** The `data` of each event. Its `event` is the name, its `id` the place to resume from. */
export interface EventData {
  /** Of the record that the event is about */
  id?: number;
  server_id: number | null;
  project_id: number | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface Framework {
  id: number;
  name: string;
  label: string;
  runtime_family: "php" | "node" | "static";
  defaults: {
    install: string;
    build: string;
    dev: string;
    directory: string;
  };
  public_directory: string;
  zero_downtime: boolean;
}

export interface FrameworkList {
  status: "success";
  data: Array<Framework>;
}

export interface GitRepository {
  repo: string;
  type: "git_host_a" | "git_host_b" | "git_host_c" | "git";
  branch: string;
}

export interface GitRepositoryUpdate {
  repo?: string;
  /** git_host_a, git_host_b, git_host_c, git, or the `source` of a connected account */
  type?: "git_host_a" | "git_host_b" | "git_host_c" | "git" | `source_${number}`;
  branch?: string;
}

export interface GroupedProject {
  id: number;
  name: string;
  environment: "production" | "staging" | "dev" | null;
  server_id: number;
}

export interface Health {
  status: "ok";
}

/** heartbeats only: the newest report; the result of the last run, also while the next one is running */
export interface HeartbeatReport {
  kind: "success" | "start" | "fail";
  exit_status: number | null;
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

export interface HostBranch {
  name: string;
  commit_id: string;
}

export interface HostBranchList {
  status: "success";
  data: Array<HostBranch>;
  /** null: this is the last page */
  next_cursor: string | null;
}

export interface HostRepository {
  /** `owner/name`, as `git_repository.repo` takes it */
  repository: string;
  is_private: boolean;
  default_branch: string | null;
  web_url: string;
}

export interface HostRepositoryList {
  status: "success";
  data: Array<HostRepository>;
  /** null: this is the last page */
  next_cursor: string | null;
}

/** An incident on a status page */
export interface Incident {
  id: number;
  title: string;
  state: "investigating" | "identified" | "monitoring" | "resolved";
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
  /** ISO 8601 UTC with microseconds */
  resolved_at: string | null;
  updates: Array<IncidentUpdate>;
}

export interface IncidentChange {
  title: string;
}

export interface IncidentChanged {
  status: "success";
  message: string;
  data: Incident;
}

export interface IncidentPage {
  current_page: number;
  data: Array<Incident>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface IncidentReply {
  status: "success";
  data: Incident;
}

export interface IncidentRequest {
  title: string;
  state?: "investigating" | "identified" | "monitoring" | "resolved";
  /** Plain text */
  text: string;
}

/** An entry of an incident */
export interface IncidentUpdate {
  id: number;
  state: "investigating" | "identified" | "monitoring" | "resolved";
  text: string;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface IncidentUpdateChange {
  /** Plain text */
  text: string;
}

export interface IncidentUpdateRequest {
  state: "investigating" | "identified" | "monitoring" | "resolved";
  /** Plain text */
  text: string;
}

/** An invitation to an organization */
export interface Invitation {
  id: number;
  email: string;
  role: "Owner" | "Admin" | "Member" | "Viewer";
  restriction: Restriction | null;
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
  token: string;
  /** Of the new account, when the email has none yet */
  name?: string;
  /** Of the new account, to sign in to the console */
  password?: string;
}

export interface InvitationAccepted {
  status: "success";
  message: string;
  data: NewMembership;
}

export interface InvitationCreated {
  status: "success";
  message: string;
  data: NewInvitation;
}

export interface InvitationPage {
  current_page: number;
  data: Array<Invitation>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface InvitationRequest {
  email: string;
  role: "Owner" | "Admin" | "Member" | "Viewer";
  restriction?: RestrictionRequest | null;
  expires_in_days?: number;
}

export interface JobLog {
  lines: Array<string>;
}

export interface JobLogReply {
  status: "success";
  data: JobLog;
}

export interface LastDelivery {
  /** queued: it failed, and is retried */
  status: "queued" | "delivered" | "failed";
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  at: string;
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
  text: string;
}

/** The `data` of the event `log` */
export interface LogEvent {
  /** Where it begins; grows, with gaps */
  offset: number;
  /** Key of the step that printed it */
  step: string | null;
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
  audience: "system" | "client";
  /** Whole lines; a line longer than 64 KiB comes in parts */
  text: string;
  /** The number of its first line in the log, from 1; a further part of a line has the same */
  first_line: number;
}

export interface MaintenanceChanged {
  status: "success";
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
  maintenance_mode: boolean;
}

export interface MaintenanceToggle {
  /** Whether visitors see the maintenance page */
  enabled?: true | false | 0 | 1;
}

/** A period in which monitors do not count failures */
export interface MaintenanceWindow {
  id: number;
  name: string;
  /** ISO 8601 UTC with microseconds */
  starts_at: string | null;
  /** ISO 8601 UTC with microseconds */
  ends_at: string | null;
  cron_expression: string | null;
  duration_seconds: number | null;
  timezone: string | null;
  all_monitors: boolean;
  monitor_ids: Array<number>;
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
  message: string;
  data: MaintenanceWindow;
}

export interface MaintenanceWindowPage {
  current_page: number;
  data: Array<MaintenanceWindow>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface MaintenanceWindowReply {
  status: "success";
  data: MaintenanceWindow;
}

export interface MaintenanceWindowRequest {
  name: string;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  starts_at?: string | null;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  ends_at?: string | null;
  cron_expression?: string | null;
  duration_seconds?: number | null;
  /** For the cron expression; UTC when omitted */
  timezone?: string | null;
  all_monitors?: true | false | 0 | 1;
  monitor_ids?: ReadonlyArray<number>;
  server_ids?: ReadonlyArray<number>;
}

export interface MaintenanceWindowUpdate {
  name?: string;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  starts_at?: string | null;
  /** ISO 8601, such as 2026-12-24T22:00:00Z */
  ends_at?: string | null;
  cron_expression?: string | null;
  duration_seconds?: number | null;
  /** For the cron expression; UTC when omitted */
  timezone?: string | null;
  all_monitors?: true | false | 0 | 1;
  monitor_ids?: ReadonlyArray<number>;
  server_ids?: ReadonlyArray<number>;
}

export interface Member {
  user_id: number;
  name: string;
  email: string;
  role: "Owner" | "Admin" | "Member" | "Viewer";
  restriction: Restriction | null;
  /** ISO 8601 UTC with microseconds */
  joined_at: string;
}

export interface MemberChanged {
  status: "success";
  message: string;
  data: Member;
}

export interface MemberPage {
  current_page: number;
  data: Array<Member>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface MemberUpdate {
  role?: "Owner" | "Admin" | "Member" | "Viewer";
  restriction?: RestrictionRequest | null;
}

/** An organization of the account */
export interface Membership {
  id: number;
  name: string;
  role: "Owner" | "Admin" | "Member" | "Viewer";
  plan: "starter" | "pro" | "business";
}

/** A health check of a site, or the heartbeat of a job */
export interface Monitor {
  id: number;
  type: "http" | "heartbeat";
  name: string;
  is_active: boolean;
  current_status: "pending" | "up" | "down";
  monitorable_type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  monitorable_id: number;
  /** The project that the watched record belongs to, or is */
  project_id: number;
  config: MonitorConfig;
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
  uptime_24h: number | null;
  uptime_7d: number | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface MonitorChanged {
  status: "success";
  message: string;
  data: ChangedMonitor;
}

/** Where a monitor sends notifications besides the organization's channels */
export interface MonitorChannel {
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** Without its secret: only the beginning of a web address */
  target: string;
  on: Array<"down" | "up">;
}

export interface MonitorChannelRequest {
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  target: string;
  /** telegram: the bot's token; never shown */
  bot_token?: string;
  on: ReadonlyArray<"down" | "up">;
}

export interface MonitorConfig {
  url?: string;
  method?: "GET" | "HEAD" | "POST";
  expected_status?: number | null;
  interval_seconds?: number;
  timeout_seconds?: number;
  /** heartbeats only: in force, by the job's schedule unless it was set; null: no report is expected, since the job runs only at boot */
  expected_period_seconds?: number | null;
  /** heartbeats only: in force; null: there is no period to derive it from */
  grace_seconds?: number | null;
  confirmation_threshold: number;
}

export interface MonitorConfigRequest {
  url?: string;
  method?: "GET" | "HEAD" | "POST";
  /** When omitted any 2xx passes */
  expected_status?: number | null;
  /** The plan sets the minimum */
  interval_seconds?: number;
  timeout_seconds?: number;
  /** Consecutive failures before down */
  confirmation_threshold?: number;
  /** heartbeat: from the job's schedule when omitted or null */
  expected_period_seconds?: number | null;
  /** heartbeat; when omitted or null half of the period, at least 60, for a scheduled job, and 150 for a background job */
  grace_seconds?: number | null;
}

export interface MonitorCreated {
  status: "success";
  message: string;
  data: NewMonitor;
}

/** A monitor with its target and its newest events */
export type MonitorDetails = Monitor & {
  last_ping?: HeartbeatReport | null;
  target: MonitorTarget;
  events: Array<MonitorEvent>;
};

/** A change of a monitor's status */
export interface MonitorEvent {
  id: number;
  status: "up" | "down";
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
  latency_ms?: number | null;
  error?: string | null;
  /** The address that was asked */
  address?: string | null;
  /** From the beginning to the end of dns, connect, tls, first_byte and whole, as far as the check came */
  phases_ms?: Record<string, number>;
  /** Failed checks in a row */
  failures?: number;
  /** It answers another server, so it is not down */
  disturbed?: boolean;
  second_opinion?: {
    server_id: number;
    server_name: string;
    is_up: boolean;
    status: number | null;
    message: string;
  };
  reported_at?: string | null;
  exit_status?: number | null;
  duration_ms?: number | null;
  /** The end of what the job printed, without secrets */
  output?: string;
  expected_at?: string;
  late_at?: string;
  last_report_at?: string | null;
  /** When the run started that has not ended */
  started_at?: string | null;
  deployment?: OutageDeployment;
  rollback?: {
    deployment_id?: number;
    target_id?: number;
    /** Why nothing was rolled back */
    refusal?: string;
  };
}

export interface MonitorHistory {
  /** ISO 8601 UTC with microseconds */
  from: string;
  /** ISO 8601 UTC with microseconds */
  to: string;
  resolution: "hour" | "day";
  uptime: number | null;
  points: Array<MonitorHistoryPoint>;
  states: Array<MonitorPeriod>;
}

/** The checks of an hour or a day */
export interface MonitorHistoryPoint {
  /** ISO 8601 UTC with microseconds */
  at: string;
  checks: number;
  ok: number;
  /** Checks that were due and not made */
  unobserved: number;
  average_ms: number | null;
  p50_ms: number | null;
  p95_ms: number | null;
  statuses: {
    /** Checks without an answer */
    none: number;
    "1xx": number;
    "2xx": number;
    "3xx": number;
    "4xx": number;
    "5xx": number;
  };
  up_seconds: number;
  down_seconds: number;
}

export interface MonitorHistoryReply {
  status: "success";
  data: MonitorHistory;
}

export interface MonitorImport {
  dry_run: boolean;
  created: number;
  skipped: number;
  items: Array<MonitorImportItem>;
}

/** A monitor of the source */
export interface MonitorImportItem {
  /** Names it in its source, and no other: its slug or id, or its uuid where a slug repeats */
  item: string;
  name: string;
  type: "http" | "heartbeat" | null;
  /** What was done, or would be done with dry_run */
  action: "create" | "skip";
  /** Why it is skipped */
  reason: string | null;
  /** Each difference from the source: values that change, and fields that are left out */
  notes: Array<string>;
  monitor_id: number | null;
  monitorable_type: string | null;
  monitorable_id: number | null;
  /** As of a request to create it; null when it is skipped */
  config: unknown;
}

export interface MonitorImportReply {
  status: "success";
  message: string;
  data: MonitorImport;
}

export interface MonitorImportRequest {
  source: "uptime_kuma" | "healthchecks";
  /** Uptime Kuma: its backup with monitorList. Healthchecks: the answer of GET /api/v3/checks/. */
  data: Record<string, unknown>;
  dry_run?: true | false | 0 | 1;
  /** The targets of items, where neither their address nor their name identifies one */
  targets?: ReadonlyArray<MonitorImportTarget>;
}

/** What an item of the source is to watch here */
export interface MonitorImportTarget {
  /** The `item` of a dry run */
  item: string;
  monitorable_type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  monitorable_id: number;
}

export interface MonitorOptions {
  types: Array<{
    type: "http" | "heartbeat";
    label: string;
    targets: Array<string>;
  }>;
  methods: Array<"GET" | "HEAD" | "POST">;
  interval: {
    min_seconds: number;
    max_seconds: number;
    default_seconds: number;
  };
  monitor_limit: {
    http: number | null;
    heartbeat: number | null;
  };
  defaults: {
    timeout_seconds: number;
    confirmation_threshold: number;
  };
}

export interface MonitorOptionsReply {
  status: "success";
  data: MonitorOptions;
}

export interface MonitorPage {
  current_page: number;
  data: Array<Monitor>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

/** A period in which the state of a monitor stayed the same */
export interface MonitorPeriod {
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
  type: "http" | "heartbeat";
  name: string;
  monitorable_type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  monitorable_id: number;
  /** Required for http. Fields of the other type are ignored; null is the same as omitted. */
  config?: MonitorConfigRequest | null;
  /** Where this monitor sends notifications besides the organization's channels */
  notification_channels?: ReadonlyArray<MonitorChannelRequest>;
  is_active?: true | false | 0 | 1;
}

/** What a monitor watches */
export interface MonitorTarget {
  type: "App\\Models\\Project" | "App\\Models\\Domain" | "App\\Models\\SchedulerJob" | "App\\Models\\BackgroundJob";
  id: number;
  name: string;
  project_id: number;
}

export interface MonitorUpdate {
  name?: string;
  /** Required for http. Fields of the other type are ignored; null is the same as omitted. */
  config?: MonitorConfigRequest | null;
  /** Where this monitor sends notifications besides the organization's channels */
  notification_channels?: ReadonlyArray<MonitorChannelRequest>;
  is_active?: true | false | 0 | 1;
  /** Rejected: fixed at creation */
  type?: unknown;
  /** Rejected: fixed at creation */
  monitorable_type?: unknown;
  /** Rejected: fixed at creation */
  monitorable_id?: unknown;
}

export interface MonitorWebhookSecret {
  target: string;
  secret: string;
}

export interface MoveAccepted {
  status: "success";
  message: string;
  project_id: number;
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

/** A server of which the caller reaches a project only */
export interface NamedServer {
  id: number;
  name: string;
}

/** A database that is being created */
export interface NewDatabase {
  id: number;
  server_id: number;
  project_id: number | null;
  database_type: "mariadb" | "postgresql";
  database_name: string;
  username: string;
  /** 0 being created, 1 exists, 2 could not be created */
  status: 0 | 1 | 2;
}

/** An invitation with the token that accepts it */
export type NewInvitation = Invitation & {
  /** Anyone who has it can accept; it is shown here and never again */
  token: string;
};

export interface NewMembership {
  organization_id: number;
  user_id: number;
  role: "Owner" | "Admin" | "Member" | "Viewer";
}

export interface NewMonitor {
  id: number;
  type: "http" | "heartbeat";
  name: string;
  current_status: "pending" | "up" | "down";
  is_active: boolean;
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

export interface NewWebhookSecret {
  id: number;
  /** webhook: what deliveries are signed with; shown here and never again */
  secret: string;
}

/** Where an organization receives notifications */
export interface NotificationChannel {
  id: number;
  name: string;
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** Without its secret: only the beginning of a web address */
  target: string;
  on: Array<string>;
  project_ids: Array<number> | null;
  is_active: boolean;
  last_delivery: LastDelivery | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface NotificationChannelChanged {
  status: "success";
  message: string;
  data: NotificationChannel;
}

export interface NotificationChannelCreated {
  status: "success";
  message: string;
  data: NewNotificationChannel;
}

export interface NotificationChannelPage {
  current_page: number;
  data: Array<NotificationChannel>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface NotificationChannelReply {
  status: "success";
  data: NotificationChannel;
}

export interface NotificationChannelRequest {
  name: string;
  type: "email" | "slack" | "discord" | "telegram" | "webhook";
  /** email: addresses, separated by commas. slack, discord, webhook: a web address. telegram: a chat's number or name, with `/` and a number for a topic of it */
  target: string;
  /** telegram: the bot's token; never shown */
  bot_token?: string;
  /** The topics that it receives */
  on: ReadonlyArray<"deployment.succeeded" | "deployment.failed" | "certificate.failed" | "certificate.renewed" | "server.unreachable" | "app.security_update" | "app.update_failed" | "server.not_removed" | "server.orphan_found" | "monitor.down" | "monitor.up" | "monitor.certificate_expiring" | "process.crash_loop" | "process.recovered">;
  /** Only what happens to these projects; null: everything, also what belongs to no project */
  project_ids?: ReadonlyArray<number> | null;
  is_active?: true | false | 0 | 1;
}

export interface NotificationChannelTested {
  status: "success";
  message: string;
  data: NotificationDelivery;
}

export interface NotificationChannelUpdate {
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
  is_active?: true | false | 0 | 1;
}

/** A notification that was sent to a channel, or is retried */
export interface NotificationDelivery {
  id: number;
  topic: string;
  title: string;
  status: "queued" | "delivered" | "failed";
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
  current_page: number;
  data: Array<NotificationDelivery>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

/** A server type that cannot be ordered, and why */
export interface OmittedServerType {
  name: string;
  reason: string;
}

/** OpenAPI 3.1 */
export type OpenApiDocument = Record<string, unknown>;

export interface OrderedServerCreated {
  status: "provisioning";
  message: string;
  server_id: number;
}

/** An organization of the account */
export interface Organization {
  id: number;
  name: string;
  plan: "starter" | "pro" | "business";
  /** The caller's */
  role: "Owner" | "Admin" | "Member" | "Viewer";
  /** Where requests of the account run that name no organization */
  is_current: boolean;
  members_count: number;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export interface OrganizationChanged {
  status: "success";
  message: string;
  data: Organization;
}

export interface OrganizationPage {
  current_page: number;
  data: Array<Organization>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface OrganizationReply {
  status: "success";
  data: Organization;
}

export interface OrganizationRequest {
  name: string;
}

/** A resource at a provider that belongs to no server here */
export type OrphanedResource = CloudResource & {
  name: string | null;
  /** Without VAT; null where it could not be read */
  monthly_price_net: string | null;
  monthly_price_gross: string | null;
  currency: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string | null;
  /** ISO 8601 UTC with microseconds */
  seen_at: string;
};

export interface OrphanedResourceList {
  status: "success";
  data: Array<OrphanedResource>;
  /** ISO 8601 UTC with microseconds */
  checked_at: string | null;
  /** Why the last comparison failed */
  error: string | null;
}

/** The deployment that went live shortly before an outage */
export interface OutageDeployment {
  id: number;
  project_id: number;
  process_type: string;
  status: number;
  /** The deployment that it continues on a further server */
  rolling_of: number | null;
  commit_id: string | null;
  commit_url: string | null;
  description: string;
  /** ISO 8601 UTC with microseconds */
  switched_at: string;
}

/** Proposed paths, and the reason for them */
export interface PathsProposal {
  value: Array<string>;
  reason: string;
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

export interface PricedServer {
  id: number;
  name: string;
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
  /** Without VAT; null where it could not be read */
  monthly_price_net: string | null;
  monthly_price_gross: string | null;
  currency: string | null;
  /** Why the price is null, in a sentence */
  price_problem: string | null;
}

export interface PrimaryDomainSet {
  status: "success";
  message: string;
  /** The project's www_redirect as it is now */
  redirect_setting: 0 | 1 | 2;
  nginx_response: ServerAnswer | null;
}

/** What is deployed: a repository or an app, with its settings and domains */
export interface Project {
  id: number;
  name: string;
  server_id: number;
  framework_id: number;
  project_group_id: number | null;
  environment: "production" | "staging" | "dev" | null;
  auto_deploy_is_active: 0 | 1;
  /** 0 not installed or install running, 1 installed, 2 the install of an app failed */
  installation_status: 0 | 1 | 2;
  /** Directory of the project on the server */
  directory: string;
  /** The port that the live process listens on; Node projects only */
  port: string | null;
  repository_type: "git_host_a" | "git_host_b" | "git_host_c" | "git" | null;
  source_type: "git" | "app";
  app_slug: string | null;
  app_version: string | null;
  repository: string | null;
  repository_branch: string | null;
  custom_commands: CustomCommands;
  zero_downtime: boolean;
  max_memory: string | null;
  always_rebuild_frontend: 0 | 1;
  shared_directories: Array<string>;
  shared_files: Array<string>;
  /** The directory that is served, below the working directory; null: detected */
  output_directory: string | null;
  /** Path that a release has to answer before it counts as served */
  health_path: string;
  /** The accepted statuses of the answer; null: any below 500 */
  health_status: Array<number> | null;
  /** How long a new process may take until it answers; Node only. With the default of 60, a process that has listened on another port for 10 seconds, and not on PORT, fails then */
  start_timeout_seconds: number;
  /** The version of PHP, from the next deployment on; null: the one that composer.json asks for */
  php_version: string | null;
  /** The version of Node; null: the one that the repository's files ask for */
  node_version: string | null;
  /** Seconds that requests and connections of a Node project may last after a switch, before its old process is ended */
  drain_timeout_seconds: number;
  /** Whether the caches of build tools are kept for the next build of a branch */
  build_cache: boolean;
  /** Whether files that the application has written into the live release, outside of shared paths, may get lost; if not, they stop a deployment */
  discard_written_files: boolean;
  /** Disk space that the kept releases may use together, in MB; the live one and the one before it are always kept */
  kept_releases_mb: number;
  disk: DiskUsage | null;
  /** Whether a deployment is rolled back automatically when a monitor goes down within 5 minutes after it became live */
  rollback_on_down: boolean;
  ssl_is_enabled: 0 | 1;
  redirect_status_code: 301 | 302 | 307 | 308;
  /** 0 none, 1 www to non-www, 2 non-www to www */
  www_redirect: 0 | 1 | 2;
  primary_domain: string;
  domains: Array<ProjectDomain>;
  maintenance_mode: boolean;
  markdown_negotiation_enabled: boolean;
  /** Whether unknown addresses of a static site get its index page; null: detected by its deployments */
  spa_fallback: boolean | null;
  /** The largest request body that the site takes, in MB */
  max_upload_mb: number;
  /** Whether browsers are required to keep to HTTPS */
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
  notes: string | null;
  sync: Sync;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface ProjectChanged {
  status: "success";
  message: string;
  project_id: number;
}

export interface ProjectCreated {
  status: "success";
  message: string;
  project_id: string;
}

/** A domain within its project */
export interface ProjectDomain {
  id: number;
  domain_name: string;
  is_primary: 0 | 1;
  is_active: 0 | 1;
  redirect_to: string | null;
  /** 301, 302, 307 or 308; null: the project's */
  redirect_status_code: number | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

/** An application: its projects are its environments */
export interface ProjectGroup {
  id: number;
  name: string;
  description: string | null;
}

export interface ProjectGroupCreated {
  status: "success";
  message: string;
  data: ProjectGroup;
}

export interface ProjectGroupDeleted {
  status: "success";
  message: string;
  ungrouped_projects: number;
}

export interface ProjectGroupPage {
  current_page: number;
  data: Array<ListedProjectGroup>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface ProjectGroupReply {
  status: "success";
  data: ProjectGroupWithProjects;
}

export interface ProjectGroupRequest {
  name: string;
  description?: string | null;
}

export interface ProjectGroupUpdate {
  name?: string;
  description?: string | null;
}

export interface ProjectGroupUpdated {
  status: "success";
  message: string;
  id: number;
  name: string;
  description: string | null;
  data: ProjectGroup;
}

export type ProjectGroupWithProjects = ProjectGroup & {
  projects: Array<GroupedProject>;
};

export interface ProjectLog {
  type: "access" | "error" | "php" | "output";
  /** The oldest first */
  lines: Array<string>;
  /** The same lines, with their times */
  entries: Array<LogEntry>;
}

export interface ProjectLogReply {
  status: "success";
  data: ProjectLog;
}

export interface ProjectPage {
  current_page: number;
  data: Array<Project>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export type ProjectReply = {
  status: "success";
} & Project;

export interface ProjectRequest {
  name: string;
  server_id: number;
  domain: string;
  framework_id: number;
  git_repository: GitRepository;
  /** Text of a .env file */
  environment_variables?: string | null;
  www_redirect?: 0 | 1 | 2;
  auto_deploy_is_active?: true | false | 0 | 1;
  ssl_is_enabled?: true | false | 0 | 1;
  custom_commands?: CustomCommandsRequest | null;
  environment?: "production" | "staging" | "dev" | null;
  project_group_id?: number | null;
  zero_downtime?: boolean;
  /** Such as 512MB or 2GB; null or empty: no limit */
  max_memory?: string | null;
  shared_directories?: ReadonlyArray<string> | string | null;
  shared_files?: ReadonlyArray<string> | string | null;
  output_directory?: string | null;
  health_path?: string;
  health_status?: ReadonlyArray<number> | null;
  start_timeout_seconds?: number;
  php_version?: "8.1" | "8.2" | "8.3" | "8.4" | "8.5" | "default" | null;
  node_version?: string | null;
  spa_fallback?: boolean | null;
  notes?: string | null;
}

/** Where the code of a project comes from */
export interface ProjectSource {
  repository_type: string;
  repository: string;
  repository_branch: string;
  provider: SourceProviderName | null;
  /** A restricted member chose the repository: no account is used for it until a member without restriction registers it */
  needs_confirmation: boolean;
  deploy_key: DeployKey;
  webhook: SourceWebhook;
  sync: Sync;
}

export interface ProjectSourceChanged {
  status: "success";
  message: string;
  data: ProjectSource;
}

export interface ProjectSourceReply {
  status: "success";
  data: ProjectSource;
}

export interface ProjectUpdate {
  name?: string;
  git_repository?: GitRepositoryUpdate;
  framework?: "fw_1" | "fw_2" | "fw_3" | "fw_4" | "fw_5" | "fw_6" | "fw_7" | "fw_8" | "fw_9" | "fw_10";
  framework_id?: number;
  project_group_id?: number | null;
  environment?: "production" | "staging" | "dev" | null;
  custom_commands?: CustomCommandsRequest;
  /** Such as 512MB or 2GB; null or empty: no limit */
  max_memory?: string | null;
  auto_deploy_is_active?: true | false | 0 | 1;
  always_rebuild_frontend?: true | false | 0 | 1;
  shared_directories?: ReadonlyArray<string> | string | null;
  shared_files?: ReadonlyArray<string> | string | null;
  output_directory?: string | null;
  health_path?: string;
  health_status?: ReadonlyArray<number> | null;
  start_timeout_seconds?: number;
  php_version?: "8.1" | "8.2" | "8.3" | "8.4" | "8.5" | "default" | null;
  node_version?: string | null;
  zero_downtime?: boolean;
  drain_timeout_seconds?: number;
  build_cache?: true | false | 0 | 1;
  discard_written_files?: true | false | 0 | 1;
  kept_releases_mb?: number;
  rollback_on_down?: true | false | 0 | 1;
  markdown_negotiation_enabled?: true | false | 0 | 1;
  spa_fallback?: boolean | null;
  redirect_status_code?: 301 | 302 | 307 | 308;
  max_upload_mb?: number;
  hsts_is_enabled?: true | false | 0 | 1;
  trusted_proxies?: ReadonlyArray<string>;
  basic_auth?: BasicAuth | null;
  notes?: string | null;
}

/** A proposed setting, and the reason for it */
export interface Proposal {
  value: string;
  reason: string;
}

export interface ProposedFramework {
  id: number;
  name: string;
  label: string;
  reason: string;
}

/** A background job for `POST /projects/:id/background-jobs`, and the reason for it */
export interface ProposedJob {
  name: string;
  command: string;
  reason: string;
}

export interface ProposedPackageManager {
  name: string;
  /** If one is named */
  version: string | null;
  reason: string;
}

/** A scheduled job for `POST /projects/:id/scheduler-jobs`, and the reason for it */
export interface ProposedSchedulerJob {
  name: string;
  command: string;
  cron_expression: string;
  reason: string;
}

/** For a deployment that would have lost files which the application has written: the settings to send to `PUT /api/v1/projects/:id`, with which the next deployment takes them along */
export interface ProposedSettings {
  shared_directories?: Array<string>;
  shared_files?: Array<string>;
}

export interface RecycleAccepted {
  status: "success";
  message: string;
  deployment_id: number;
  project_id: number;
}

/** A resource that could not be deleted yet */
export type RemainingResource = CloudResource & {
  /** Why it is still there */
  reason: string;
};

/** The membership reaches these servers with all of their projects, and these projects */
export interface Restriction {
  server_ids: Array<number>;
  project_ids: Array<number>;
}

/** Null: everything in the organization */
export interface RestrictionRequest {
  server_ids?: ReadonlyArray<number>;
  project_ids?: ReadonlyArray<number>;
}

/** A deployment whose release can be made live again */
export interface RollbackCandidate {
  id: number;
  commit_id: string;
  git_branch: string;
  description: string;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
}

export type RollbackCandidateList = Array<RollbackCandidate>;

/** A command that runs by a schedule */
export interface SchedulerJob {
  id: number;
  project_id: number;
  name: string;
  command: string;
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
  cron_expression: string;
  /** By the server's time zone; null when inactive or @reboot */
  next_run_at: string | null;
}

export interface SchedulerJobChanged {
  status: "success";
  message: string;
  data: SchedulerJob;
}

export interface SchedulerJobPage {
  current_page: number;
  data: Array<SchedulerJob>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface SchedulerJobReply {
  status: "success";
  data: SchedulerJob;
}

export interface SchedulerJobRequest {
  name: string;
  command: string;
  /** Five fields, or a nickname such as @daily, in the server's time zone */
  cron_expression: string;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  is_active?: true | false | 0 | 1;
}

export interface SchedulerJobUpdate {
  name?: string;
  command?: string;
  /** Five fields, or a nickname such as @daily, in the server's time zone */
  cron_expression?: string;
  /** The project's own user, whether it is sent or not; no other is accepted */
  user?: string | null;
  is_active?: true | false | 0 | 1;
}

/** A server; only id and name when the caller reaches no more than a project on it. */
export type Server = WholeServer | NamedServer;

/** What a server answered to an order */
export interface ServerAnswer {
  ok: boolean;
  /** Line by line */
  system_output: Array<string>;
}

export interface ServerChanged {
  status: "success";
  message: string;
  server_id: number;
}

export interface ServerCosts {
  /** Monthly costs of the servers in reach, by currency */
  totals: Array<CostTotal>;
  /** Ordered servers whose price could not be read */
  unpriced_servers_count: number;
  servers: Array<PricedServer>;
}

export interface ServerCostsReply {
  status: "success";
  data: ServerCosts;
}

export type ServerCreated = CustomServerCreated | OrderedServerCreated;

/** An order of a server from a cloud */
export interface ServerOrder {
  id: number;
  /** null once the server was deleted */
  server_id: number | null;
  server_name: string;
  /** null once the connection was deleted */
  provider_id: number | null;
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
  location: string;
  server_type: string;
  /** failed, cancelled, removed: nothing of it is left at the provider; left: something could not be deleted; released: the machine was kept as a custom server */
  state: "ordering" | "refunding" | "active" | "removing" | "failed" | "cancelled" | "removed" | "left" | "released";
  /** What went wrong, in a sentence */
  error: string | null;
  public_ip: string | null;
  /** Without VAT; null where it could not be read */
  monthly_price_net: string | null;
  monthly_price_gross: string | null;
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
  current_page: number;
  data: Array<ServerOrder>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface ServerOrderReply {
  status: "success";
  data: ServerOrder;
}

export interface ServerPage {
  current_page: number;
  data: Array<Server>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface ServerPinned {
  status: "success";
  is_pinned: boolean;
}

export interface ServerReply {
  status: "success";
  data: Server;
}

export type ServerRequest = CustomServerRequest | CloudAServerRequest | CloudBServerRequest | CloudCServerRequest;

export interface ServerResizeRequest {
  /** A `name` of the options */
  server_type: string;
}

/** An image of a server, from which further ones can be ordered */
export interface ServerSnapshot {
  id: number;
  name: string;
  server_id: number | null;
  provider_id: number;
  location: string;
  server_os: string;
  /** left: it could not be deleted at the provider */
  state: "creating" | "ready" | "failed" | "deleting" | "left";
  error: string | null;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  ready_at: string | null;
}

export interface ServerSnapshotCreated {
  status: "success";
  message: string;
  data: ServerSnapshot;
}

export interface ServerSnapshotPage {
  current_page: number;
  data: Array<ServerSnapshot>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface ServerSnapshotReply {
  status: "success";
  data: ServerSnapshot;
}

export interface ServerSnapshotRequest {
  name: string;
}

export interface ServerTransferRequest {
  organization_id: number;
}

export interface ServerTransferred {
  status: "success";
  message: string;
  server_id: number;
  organization_id: number;
}

export interface ServerUpdate {
  name?: string;
  public_ip?: string;
  private_ip?: string | null;
  ssh_port?: number;
  /** Has no effect: Longshore connects to `ssh_port` */
  nat_port?: number | "" | null;
  timezone?: string;
  notes?: string | null;
  queue_limit?: number | "" | null;
  environment?: "production" | "staging" | "dev" | null;
  delete_protection?: true | false | 0 | 1;
}

/** A program that the setup installed on a server */
export interface Service {
  name: "nginx" | "php" | "node" | "mariadb" | "postgresql" | "redis" | "meilisearch";
  label: string;
  /** As reported by the newest setup; null: it reported none */
  version: string | null;
  ports: Array<number>;
  /** active, inactive or failed, as reported by the server now; unknown when it does not answer. null: a program that runs for projects only */
  state: string | null;
  /** Whether `…/credentials` has an account of the server's own */
  has_credentials: boolean;
}

export interface ServiceCredentials {
  /** The address for the organization's other servers; 127.0.0.1 on the server itself */
  host: string;
  port: number;
  database: string | null;
  username: string | null;
  password: string;
}

export interface ServiceCredentialsReply {
  status: "success";
  data: ServiceCredentials;
}

export interface ServiceList {
  status: "success";
  data: Array<Service>;
}

export interface Setup {
  server_id: number;
  run_id: number | null;
  recorded: boolean;
  state: "running" | "completed" | "completed_with_failures" | "completed_with_gaps" | "stalled" | "failed" | "not_recorded";
  summary: SetupSummary;
  phases: Array<SetupPhase>;
  attention: Array<SetupStep>;
  slowest: Array<SetupStepDuration>;
  total_duration_ms: number;
  current_step: string | null;
  /** Why the setup gave up, or why the server cannot be connected to */
  error: string | null;
  steps?: Array<SetupStep>;
}

export interface SetupPhase {
  phase: string;
  label: string;
  total: number;
  completed: number;
  failed?: number;
  duration_ms: number;
}

export interface SetupReply {
  status: "success";
  data: Setup;
}

/** One run of the setup of a server */
export interface SetupRun {
  id: number;
  state: "running" | "completed" | "completed_with_failures" | "completed_with_gaps" | "stalled" | "failed" | "not_recorded";
  /** null before it is planned */
  setup_version: string | null;
  summary: SetupSummary;
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
  current_page: number;
  data: Array<SetupRun>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export type SetupStep = SetupStepDuration & {
  status: "pending" | "running" | "completed" | "failed" | "skipped" | "unreported";
  status_label: string;
  detail: string | null;
  /** ISO 8601 UTC with microseconds */
  started_at: string | null;
  /** ISO 8601 UTC with microseconds */
  finished_at: string | null;
};

export interface SetupStepDuration {
  key: string;
  label: string;
  phase: string;
  duration_ms: number | null;
}

/** The number of steps in each state */
export interface SetupSummary {
  total: number;
  pending: number;
  running: number;
  completed: number;
  failed: number;
  skipped: number;
  unreported: number;
}

export interface SitePublished {
  /** failed: the web server rejects the site, and serves the former one */
  status: "success" | "failed";
  message: string;
  nginx_response: ServerAnswer | null;
}

/** An entry of a provider's list that could not be read */
export interface SkippedCloudItem {
  /** The provider's list */
  list: string;
  /** Its id or name, if that can be read */
  item: string | null;
  reason: string;
}

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
  id: number;
  name: string;
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
  message: string;
  data: SourceProvider;
}

export interface SourceProviderList {
  status: "success";
  data: Array<SourceProvider>;
}

export interface SourceProviderName {
  id: number;
  name: string;
  provider_type: "git_host_a" | "git_host_b" | "git_host_c";
  label: string;
}

export interface SourceProviderReply {
  status: "success";
  data: SourceProvider;
}

export interface SourceProviderRequest {
  name: string;
  provider_type: "git_host_a" | "git_host_b" | "git_host_c";
  credentials: SourceCredentials;
}

/** The webhook that the git host calls after a push */
export interface SourceWebhook {
  url: string;
  secret: string;
  is_registered: boolean;
  error: string | null;
}

/** A key on a server */
export interface SshAccess {
  id: number;
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
  message: string;
  data: SshAccess;
}

export interface SshAccessList {
  status: "success";
  data: Array<SshAccess>;
}

export interface SshAccessRequest {
  ssh_key_id: number;
  /** Default: root */
  account?: "root";
}

/** A public key of a person or of an organization */
export interface SshKey {
  id: number;
  name: string;
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
  message: string;
  data: SshKey;
}

export interface SshKeyPage {
  current_page: number;
  data: Array<SshKey>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface SshKeyReply {
  status: "success";
  data: SshKey;
}

export interface SshKeyRequest {
  name: string;
  /** One line as in `id_ed25519.pub`: ssh-ed25519, ecdsa, their sk variants, or RSA of 3072 bits and more */
  public_key: string;
  /** Default: user */
  owner?: "user" | "organization";
}

/** A public page with the state of chosen monitors */
export interface StatusPage {
  id: number;
  name: string;
  description: string;
  slug: string;
  domain: string | null;
  is_public: boolean;
  url: string;
  monitors: Array<StatusPageMonitor>;
  /** ISO 8601 UTC with microseconds */
  created_at: string;
  /** ISO 8601 UTC with microseconds */
  updated_at: string;
}

export interface StatusPageChanged {
  status: "success";
  message: string;
  data: StatusPage;
}

export interface StatusPageMonitor {
  id: number;
  label: string | null;
}

export interface StatusPageMonitorRequest {
  id: number;
  label?: string | null;
}

export interface StatusPagePage {
  current_page: number;
  data: Array<StatusPage>;
  per_page: number;
  total_pages: number;
  total_items: number;
}

export interface StatusPageReply {
  status: "success";
  data: StatusPage;
}

export interface StatusPageRequest {
  name: string;
  description?: string;
  /** Last part of the address: lowercase letters, digits and single hyphens */
  slug: string;
  /** A host name for the page alone, which points here; null for none */
  domain?: string | null;
  is_public?: true | false | 0 | 1;
  /** In the order in which visitors see them */
  monitors?: ReadonlyArray<StatusPageMonitorRequest>;
}

export interface StatusPageUpdate {
  name?: string;
  description?: string;
  /** Last part of the address: lowercase letters, digits and single hyphens */
  slug?: string;
  /** A host name for the page alone, which points here; null for none */
  domain?: string | null;
  is_public?: true | false | 0 | 1;
  /** In the order in which visitors see them */
  monitors?: ReadonlyArray<StatusPageMonitorRequest>;
}

/** Whether the server matches this record. */
export interface Sync {
  /** applied: the server matches the record. pending: the change is under way. failing: an attempt failed, the next is at retry_at. failed: given up until the next change. */
  state: "applied" | "pending" | "failing" | "failed";
  /** Since when it is in this state. */
  since: string | null;
  /** Why the last attempt failed. */
  error: string | null;
  retry_at: string | null;
}

/** A token, without its value */
export interface Token {
  id: number;
  name: string;
  /** The first 8 characters of the value, to recognize it by */
  prefix: string;
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
  message: string;
  data: NewToken;
}

export interface TokenList {
  status: "success";
  data: Array<Token>;
}

export interface TokenRequest {
  name: string;
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
  name: string;
  reason: string;
}

/** A database on the server that Longshore does not manage */
export interface UnmanagedDatabase {
  name: string;
  size_bytes: number | null;
  character_set: string | null;
  collation: string | null;
  /** Whether its name is one that Longshore accepts */
  adoptable: boolean;
}

export interface UnmanagedDatabaseList {
  status: "success";
  engine: "mariadb" | "postgresql" | null;
  /** ISO 8601 UTC with microseconds */
  seen_at: string | null;
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
  server_id: number | null;
  /** The file of the web server that an operator had changed by hand */
  file: string;
  /** Where the server keeps the changed file; null: it had been removed */
  kept_as: string | null;
}

export interface WebhookSecretRenewed {
  status: "success";
  message: string;
  data: NewWebhookSecret;
}

/** A server that the caller reaches with all of its projects */
export interface WholeServer {
  id: number;
  /** 0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer */
  server_type: 0 | 1 | 2 | 3 | 4;
  environment: "production" | "staging" | "dev" | null;
  /** Whether the calling user pinned it */
  is_pinned: boolean;
  name: string;
  public_ip: string | null;
  private_ip: string | null;
  ssh_port: number;
  /** Has no effect: Longshore connects to `ssh_port` */
  nat_port: number | null;
  timezone: string;
  operating_system: string | null;
  /** 0 Disconnected, 1 Connected */
  connection_status: 0 | 1;
  /** Why the last attempt to connect failed */
  connection_error: string | null;
  /** What to run on a custom server as root, so that Longshore can connect; null while it is connected */
  connect_command: string | null;
  /** 0 Installing, 1 Provisioning, 10 Provisioned */
  server_status: 0 | 1 | 10;
  notes: string | null;
  /** How many deployments may run on it at once */
  queue_limit: number | null;
  /** Always true: monitoring of a server cannot be switched off */
  monitoring_enabled: boolean;
  /** Identifies the steps of the last setup that reached its end; null before that */
  setup_version: string | null;
  /** Whether a setup by this version of Longshore would do something else */
  setup_is_outdated: boolean;
  provider_type: "cloud_a" | "cloud_b" | "cloud_c" | "custom";
  /** The connection that it was ordered with; null for custom servers */
  provider_id: number | null;
  /** DELETE answers 422 while it is on */
  delete_protection: boolean;
  /** The provider's monthly price of an ordered server, without VAT */
  monthly_price_net: string | null;
  /** With VAT; equal to net on cloud_b and cloud_c */
  monthly_price_gross: string | null;
  price_currency: string | null;
  projects_count: number;
  /** UTC, `YYYY-MM-DD HH:MM:SS` */
  created_at: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS` */
  updated_at: string;
}

/** Every operation, under its method and path. */
export interface Operations {
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
      projectId: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: CertificateAnswer & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
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
  /** Read a deployment with its log */
  "GET /api/v1/deployments/{id}": {
    params: {
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
  /** Cancel a deployment */
  "POST /api/v1/deployments/{id}/cancel": {
    params: {
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
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: DeploymentAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
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
      id: number;
    };
    query: undefined;
    body: MaintenanceWindowUpdate;
    success: 200;
    reply: MaintenanceWindowChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a maintenance window */
  "DELETE /api/v1/maintenance-windows/{id}": {
    params: {
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
      type?: "http" | "heartbeat";
      status?: "pending" | "up" | "down";
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
      id: number;
    };
    query: undefined;
    body: MonitorUpdate;
    success: 200;
    reply: MonitorChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a monitor with its events and history */
  "DELETE /api/v1/monitors/{id}": {
    params: {
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read results, response times and states of a monitor */
  "GET /api/v1/monitors/{id}/history": {
    params: {
      id: number;
    };
    query: {
      /** ISO 8601; a day before `to` when omitted */
      from?: string;
      /** ISO 8601; now when omitted */
      to?: string;
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
      id: number;
    };
    query: undefined;
    body: NotificationChannelUpdate;
    success: 200;
    reply: NotificationChannelChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a notification channel */
  "DELETE /api/v1/notification-channels/{id}": {
    params: {
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List a channel's deliveries */
  "GET /api/v1/notification-channels/{id}/deliveries": {
    params: {
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
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: NotificationChannelTested & Warnings;
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
      id: number;
    };
    query: undefined;
    body: OrganizationRequest;
    success: 200;
    reply: OrganizationChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read who changed what */
  "GET /api/v1/organizations/{id}/audit-log": {
    params: {
      id: number;
    };
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
      /** Method and path as in this document, such as `POST /api/v1/projects` */
      action?: string;
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
    reply: AuditEntryPage;
    refusal: 401 | 403 | 404 | 422 | 429 | 503 | 500;
  };
  /** List invitations */
  "GET /api/v1/organizations/{id}/invitations": {
    params: {
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
      id: number;
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
  /** Change a member's role or restriction */
  "PUT /api/v1/organizations/{id}/members/{userId}": {
    params: {
      id: number;
      userId: number;
    };
    query: undefined;
    body: MemberUpdate;
    success: 200;
    reply: MemberChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Remove a member */
  "DELETE /api/v1/organizations/{id}/members/{userId}": {
    params: {
      id: number;
      userId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Make an organization the account's current one */
  "POST /api/v1/organizations/{id}/switch": {
    params: {
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200 | 202;
    reply: OrganizationChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
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
      id: number;
    };
    query: undefined;
    body: ProjectGroupUpdate;
    success: 200;
    reply: ProjectGroupUpdated & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a project group */
  "DELETE /api/v1/project-groups/{id}": {
    params: {
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
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: ProjectChanged & Warnings;
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
      project_group_id?: number;
      environment?: "production" | "staging" | "dev";
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
      id: number;
    };
    query: undefined;
    body: ProjectUpdate;
    success: 200;
    reply: ProjectChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the details of an application, with its credentials */
  "GET /api/v1/projects/{id}/app": {
    params: {
      id: number;
    };
    query: {
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
      id: number;
    };
    query: undefined;
    body: AppSettings;
    success: 200;
    reply: AppReply & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Update an application to its newest version */
  "POST /api/v1/projects/{id}/app/update": {
    params: {
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
      id: number;
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
      id: number;
      jobId: number;
    };
    query: undefined;
    body: BackgroundJobUpdate;
    success: 200;
    reply: BackgroundJobChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Stop and delete a background job with its log */
  "DELETE /api/v1/projects/{id}/background-jobs/{jobId}": {
    params: {
      id: number;
      jobId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the last lines of a background job's log */
  "GET /api/v1/projects/{id}/background-jobs/{jobId}/log": {
    params: {
      id: number;
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
      id: number;
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
      id: number;
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
      id: number;
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
  /** End a command */
  "POST /api/v1/projects/{id}/commands/{commandId}/cancel": {
    params: {
      id: number;
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
      id: number;
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
      id: number;
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
      id: number;
    };
    query: undefined;
    body: DomainsRequest;
    success: 200 | 202;
    reply: DomainsReplaced & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Make a domain the primary one */
  "PUT /api/v1/projects/{id}/domains/{domainId}/primary": {
    params: {
      id: number;
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
      id: number;
    };
    query: undefined;
    body: EnvironmentRequest;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the names of a project's environment variables */
  "GET /api/v1/projects/{id}/environment-variables": {
    params: {
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
      id: number;
      name: string;
    };
    query: undefined;
    body: EnvironmentVariableRequest;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Remove one environment variable of a project */
  "DELETE /api/v1/projects/{id}/environment-variables/{name}": {
    params: {
      id: number;
      name: string;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the progress of an application's installation */
  "GET /api/v1/projects/{id}/install-steps": {
    params: {
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
      id: number;
    };
    query: undefined;
    body: BalanceRequest;
    success: 202;
    reply: BalanceAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Take a project out of its load balancer */
  "DELETE /api/v1/projects/{id}/load-balancer": {
    params: {
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
      id: number;
    };
    query: {
      /** default: access */
      type?: "access" | "error" | "php" | "output";
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
      id: number;
    };
    query: {
      /** One of the servers of a balanced project; default: its own */
      server_id?: number;
      /** default: output of a Node project, php of any other */
      type?: "access" | "error" | "php" | "output";
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
      id: number;
    };
    query: undefined;
    body: MoveRequest;
    success: 202;
    reply: MoveAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Publish a project's web-server configuration again */
  "GET /api/v1/projects/{id}/publish": {
    params: {
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
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: RecycleAccepted & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List deployments that can be rolled back to */
  "GET /api/v1/projects/{id}/rollback-candidates": {
    params: {
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
      id: number;
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
      id: number;
      jobId: number;
    };
    query: undefined;
    body: SchedulerJobUpdate;
    success: 200;
    reply: SchedulerJobChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a scheduled job with its log */
  "DELETE /api/v1/projects/{id}/scheduler-jobs/{jobId}": {
    params: {
      id: number;
      jobId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read the last lines of a scheduled job's log */
  "GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/log": {
    params: {
      id: number;
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
      id: number;
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
      id: number;
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
      projectId: number;
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
  /** Renew a certificate now */
  "POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew": {
    params: {
      projectId: number;
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
      projectId: number;
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
      projectId: number;
      domainId: number;
    };
    query: undefined;
    body: DomainRedirectRequest;
    success: 200 | 202;
    reply: DomainRedirectSet & Warnings;
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
  /** Install a catalog application */
  "POST /api/v1/projects/install": {
    params: undefined;
    query: undefined;
    body: AppInstallRequest;
    success: 201 | 202;
    reply: AppInstallAccepted & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
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
  /** List what can be ordered with a connection */
  "GET /api/v1/server-providers/{id}/options": {
    params: {
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
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List servers */
  "GET /api/v1/servers": {
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
    reply: ServerPage;
    refusal: 401 | 403 | 422 | 429 | 503 | 500;
  };
  /** Add a server */
  "POST /api/v1/servers": {
    params: undefined;
    query: undefined;
    body: ServerRequest;
    success: 201 | 202;
    reply: ServerCreated & Warnings;
    refusal: 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read a server */
  "GET /api/v1/servers/{id}": {
    params: {
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
      id: number;
    };
    query: undefined;
    body: ServerUpdate;
    success: 200;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a server with its projects */
  "DELETE /api/v1/servers/{id}": {
    params: {
      id: number;
    };
    query: {
      /** The server's name: when it is given and is another one, nothing is deleted */
      confirm?: string;
    };
    body: undefined;
    success: 200;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** List the applications that can be installed on a server */
  "GET /api/v1/servers/{id}/apps": {
    params: {
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
      id: number;
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
      id: number;
      database: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: Acknowledgement & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Change the notes of a database, or the project it belongs to */
  "PUT /api/v1/servers/{id}/databases/{database}": {
    params: {
      id: number;
      database: number;
    };
    query: undefined;
    body: DatabaseUpdate;
    success: 200;
    reply: DatabaseChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Read how to connect to a database */
  "GET /api/v1/servers/{id}/databases/{database}/connection": {
    params: {
      id: number;
      database: number;
    };
    query: {
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
      id: number;
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
      id: number;
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
      id: number;
      database: number;
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
      id: number;
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
      id: number;
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
      id: number;
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
      id: number;
      database: number;
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
      id: number;
      database: number;
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
      id: number;
    };
    query: undefined;
    body: undefined;
    success: 202;
    reply: ServerChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Change the type of an ordered server */
  "POST /api/v1/servers/{id}/resize": {
    params: {
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
      id: number;
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
      id: number;
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
      id: number;
    };
    query: {
      /** `owner/name` */
      repository: string;
      /** `next_cursor` of the page before */
      cursor?: string;
      /** Items on a page, at most 100 */
      per_page?: number;
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
      id: number;
    };
    query: {
      /** `next_cursor` of the page before */
      cursor?: string;
      /** Items on a page, at most 100 */
      per_page?: number;
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
      id: number;
    };
    query: undefined;
    body: StatusPageUpdate;
    success: 200;
    reply: StatusPageChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete a status page with its incidents */
  "DELETE /api/v1/status-pages/{id}": {
    params: {
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
      id: number;
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
      id: number;
      incidentId: number;
    };
    query: undefined;
    body: IncidentChange;
    success: 200;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete an incident with its updates */
  "DELETE /api/v1/status-pages/{id}/incidents/{incidentId}": {
    params: {
      id: number;
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
      id: number;
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
      id: number;
      incidentId: number;
      updateId: number;
    };
    query: undefined;
    body: IncidentUpdateChange;
    success: 200;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
  /** Delete an update of an incident */
  "DELETE /api/v1/status-pages/{id}/incidents/{incidentId}/updates/{updateId}": {
    params: {
      id: number;
      incidentId: number;
      updateId: number;
    };
    query: undefined;
    body: undefined;
    success: 200;
    reply: IncidentChanged & Warnings;
    refusal: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 503 | 500;
  };
}
