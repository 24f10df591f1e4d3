import { createHash } from "node:crypto";
import type { Context } from "../src/context.ts";
import { row, rows, sql } from "../src/db/sql.ts";
import type { Cast } from "../src/http/tests/support.ts";
import { selfSigned } from "../stage/self-signed.ts";
import { credentials as cloudCredentials } from "./clouds/all.ts";

// The records for the trials of routes. They belong to Acme, whose owner is Alice, and contain `marker` in their texts,
// so that an answer that shows one of them is detected.

export const marker = "hidden";

/** What stand-ins of git hosts accept. */
export const gitToken = "s3cret-token-of-the-account";

/** The commit of a release that has one. */
export const commit = "0123456789abcdef0123456789abcdef01234567";

export interface ProjectFields {
  frameworkId?: number;
  /** 1: it was deployed and serves. */
  installationStatus?: 0 | 1 | 2;
  serverId?: number;
  repositoryType?: "git" | "git_host_a";
}

export interface DomainFields {
  /** The project's own one; otherwise an additional one. */
  isPrimary?: boolean;
  redirectTo?: string;
}

export interface DeploymentFields {
  status: 0 | 1 | 2 | 3 | 4 | 5;
  commit?: string;
  projectId?: number;
  processType?: "deployment" | "move";
}

const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** Creates Acme's records. Each call creates new ones, except for the shared ones. */
export class World {
  readonly ctx: Context;
  readonly cast: Cast;
  private count = 0;
  private readonly shared = new Map<string, Promise<number>>();

  constructor(ctx: Context, cast: Cast) {
    this.ctx = ctx;
    this.cast = cast;
  }

  address(): string {
    return `2001:db8::${(++this.count).toString(16)}`;
  }

  domain(): string {
    return `${marker}-${++this.count}.example.com`;
  }

  sharedServer(): Promise<number> {
    return this.once("server", () => this.server());
  }

  sharedProject(): Promise<number> {
    return this.once("project", () => this.project());
  }

  /** A provisioned App server. */
  server(name = `${marker} server`): Promise<number> {
    return this.insert(sql`
      insert into servers (organization_id, name, server_os, public_ip, server_status, connection_status,
        ssh_public_key, ssh_private_key, host_key, notes)
      values (${this.cast.organizationId}, ${name}, 'debian_12', ${this.address()}, 10, 1, 'ssh-ed25519 AAAA',
        ${this.ctx.secrets.encrypt("a private key")}, 'ssh-ed25519 AAAA', ${name})
      returning id`);
  }

  /** A server that Alice pinned. */
  async pinnedServer(): Promise<number> {
    return this.insert(sql`
      insert into server_pins (user_id, server_id, organization_id)
      values (${this.cast.userIds.alice}, ${await this.server()}, ${this.cast.organizationId}) returning server_id as id`);
  }

  async balancer(): Promise<number> {
    const id = await this.server();
    return this.insert(sql`update servers set server_type = 4 where id = ${id} returning id`);
  }

  /** A project behind a load balancer. */
  async balanced(): Promise<{ projectId: number; balancerId: number }> {
    const [balancerId, projectId] = [await this.balancer(), await this.project()];
    await this.insert(sql`
      insert into placements (project_id, server_id, role) values (${projectId}, ${await this.server()}, 'replica')
      returning project_id as id`);
    await this.insert(sql`
      update sites set load_balancer_id = ${balancerId} where project_id = ${projectId} returning project_id as id`);
    return { projectId, balancerId };
  }

  /** A server with Redis. */
  async cacheServer(): Promise<number> {
    const id = await this.server();
    const password = this.ctx.secrets.encrypt(marker);
    return this.insert(sql`
      update servers set server_type = 2, database_engine = 'none', service_password = ${password} where id = ${id} returning id`);
  }

  /** An SSH key of Acme's. */
  sshKey(): Promise<number> {
    return this.insert(sql`
      insert into ssh_keys (organization_id, name, public_key, fingerprint)
      values (${this.cast.organizationId}, ${`${marker} key`}, 'ssh-ed25519 AAAA', ${`SHA256:${++this.count}`}) returning id`);
  }

  /** A server with an SSH key of Acme's on it. */
  async sshAccess(): Promise<{ id: number; access: number }> {
    const id = await this.server();
    const access = await this.insert(sql`
      insert into ssh_access (server_id, ssh_key_id, account, name, fingerprint)
      select ${id}, k.id, 'root', k.name, k.fingerprint from ssh_keys k where k.id = ${await this.sshKey()} returning id`);
    return { id, access };
  }

  /** A server to which the login never succeeded, and that is not retried. */
  async lostServer(): Promise<number> {
    const id = await this.server();
    return this.insert(sql`
      update servers set server_status = 0, connection_status = 0, host_key = null,
        created_at = created_at - interval '1 year', connecting_since = now() - interval '1 year'
      where id = ${id} returning id`);
  }

  /** A connection to a cloud provider. */
  serverProvider(token = cloudCredentials.cloud_a.token): Promise<number> {
    return this.insert(sql`
      insert into server_providers (organization_id, name, provider_type, credentials, account)
      values (${this.cast.organizationId}, 'Our cloud', 'cloud_a',
        ${this.ctx.secrets.encrypt(JSON.stringify({ token }))}, 'acme') returning id`);
  }

  /** A server whose machine was ordered from a cloud provider. */
  async orderedServer(): Promise<{ serverId: number; providerId: number; orderId: number }> {
    const [serverId, providerId] = [await this.server(), await this.serverProvider()];
    await this.insert(sql`
      update servers set provider_type = 'cloud_a', provider_id = ${providerId}, monthly_price_net = 3.29
      where id = ${serverId} returning id`);
    const request = {
      location: "fsn1",
      serverType: "cx23",
      serverOs: "ubuntu_24_04",
      image: "67794396",
      ownImage: null,
      network: null,
      volume: null,
      useStaticAddress: false,
      useFirewall: false,
    };
    const orderId = await this.insert(sql`
      insert into server_orders (organization_id, server_id, server_name, provider_id, provider_type, key, location,
        request, server_ref, state, active_at)
      select organization_id, id, name, provider_id, provider_type, 'order-' || id, 'fsn1', ${JSON.stringify(request)}::jsonb,
        '1', 'active', now()
      from servers where id = ${serverId} returning id`);
    return { serverId, providerId, orderId };
  }

  /** A snapshot of an ordered server. */
  async snapshot(state: "ready" | "creating"): Promise<number> {
    const { serverId } = await this.orderedServer();
    return this.insert(sql`
      insert into server_snapshots (organization_id, provider_id, server_id, name, key, location, server_ref, server_os,
        image_id, state, ready_at)
      select organization_id, provider_id, id, ${marker}, 'image-' || id, 'fsn1', '1', 'ubuntu_24_04', '9', ${state}, now()
      from servers where id = ${serverId} returning id`);
  }

  /** A static project that serves, by default. */
  async project({
    frameworkId = 10,
    installationStatus = 1,
    serverId,
    repositoryType = "git",
  }: ProjectFields = {}): Promise<number> {
    const isNode = frameworkId >= 5 && frameworkId <= 8;
    const port = isNode ? 20_000 + 2 * ++this.count : null;
    const id = await this.insert(sql`
      with project as (
        insert into projects (organization_id, server_id, name, framework_id, repository_type, repository,
          repository_branch, installation_status, notes)
        values (${this.cast.organizationId}, ${serverId ?? (await this.sharedServer())}, ${`${marker} project`},
          ${frameworkId}, ${repositoryType}, 'https://git.example.com/shop.git', 'main', ${installationStatus}, ${marker})
        returning id, server_id
      ), site as (
        insert into sites (project_id) select id from project
      )
      insert into placements (project_id, server_id, role, is_prepared, port_pair, live_port)
      select id, server_id, 'own', ${installationStatus === 1}, ${port}, ${port} from project
      returning project_id as id`);
    await this.insert(sql`
      insert into domains (project_id, domain_name, is_primary) values (${id}, ${this.domain()}, true) returning id`);
    if (installationStatus === 1) await this.goLive(id);
    return id;
  }

  /** A project that Alice pinned. */
  async pinned(): Promise<number> {
    const id = await this.project();
    return this.insert(sql`
      insert into project_pins (user_id, project_id, organization_id)
      values (${this.cast.userIds.alice}, ${id}, ${this.cast.organizationId}) returning project_id as id`);
  }

  /** An environment variable of a new project. */
  async variable(): Promise<{ id: number; name: string }> {
    const id = await this.project();
    const text = this.ctx.secrets.encrypt(`APP_ENV=${marker}`);
    await this.insert(sql`update projects set environment_variables = ${text} where id = ${id} returning id`);
    return { id, name: "APP_ENV" };
  }

  /** A domain of a project. */
  domainOf(projectId: number, { isPrimary = false, redirectTo }: DomainFields): Promise<number> {
    return isPrimary
      ? this.insert(sql`select id from domains where project_id = ${projectId} and is_primary`)
      : this.insert(sql`
          insert into domains (project_id, domain_name, redirect_to)
          values (${projectId}, ${this.domain()}, ${redirectTo ?? null}) returning id`);
  }

  /** An application of the catalog, in the database only. */
  async installedApp(slug: string, installationStatus: 0 | 1 | 2): Promise<number> {
    const id = await this.app();
    const password = this.ctx.secrets.encrypt(marker);
    const databaseId = await this.insert(sql`
      insert into databases (server_id, project_id, database_type, database_name, username, password, status)
      select server_id, id, 'mariadb', 'cms_' || id, 'cms_' || id, ${password}, 1 from projects where id = ${id} returning id`);
    const answers = this.ctx.secrets.encrypt(JSON.stringify({ admin_password: marker }));
    await this.insert(sql`
      insert into app_installations (project_id, answers, database_id) values (${id}, ${answers}, ${databaseId})
      returning project_id as id`);
    await this.insert(sql`update servers set database_engine = 'mariadb'
      where id = (select server_id from projects where id = ${id}) returning id`);
    return this.insert(sql`
      update projects set app_slug = ${slug}, app_version = '6.8.5', name = name || id,
        installation_status = ${installationStatus} where id = ${id} returning id`);
  }

  /** A server with MariaDB. */
  async databaseHost(): Promise<number> {
    const id = await this.server();
    return this.insert(sql`update servers set database_engine = 'mariadb' where id = ${id} returning id`);
  }

  /** A catalog app. */
  async app(): Promise<number> {
    const id = await this.project();
    return this.insert(sql`
      update projects set source_type = 'app', repository = null, repository_type = null where id = ${id}
      returning id`);
  }

  /** A connected account of Acme's. */
  sourceProvider(): Promise<number> {
    const credentials = this.ctx.secrets.encrypt(JSON.stringify({ token: gitToken }));
    return this.insert(sql`
      insert into source_providers (organization_id, name, provider_type, credentials, account)
      values (${this.cast.organizationId}, ${`${marker} account`}, 'git_host_a', ${credentials}, ${marker})
      returning id`);
  }

  /** The end of the address of a project's webhook. */
  async hookToken(): Promise<string> {
    const token = `token-${++this.count}`;
    const digest = createHash("sha256").update(token).digest();
    const { secrets } = this.ctx;
    await this.insert(sql`
      insert into project_sources (project_id, organization_id, hook_digest, hook_token, hook_secret)
      values (${await this.project()}, ${this.cast.organizationId}, ${digest}, ${secrets.encrypt(token)},
        ${secrets.encrypt("a secret")})
      returning project_id as id`);
    return token;
  }

  /** A project whose live release is known. */
  async movable(): Promise<number> {
    const projectId = await this.project();
    const deploymentId = await this.deployment({ status: 1, commit, projectId });
    return this.insert(
      sql`update placements set live_release_id = ${deploymentId} where project_id = ${projectId} returning project_id as id`,
    );
  }

  /** A group with a project in it, so that members who can reach the project can reach it. */
  async group(): Promise<number> {
    const id = await this.insert(sql`
      insert into project_groups (organization_id, name, description)
      values (${this.cast.organizationId}, ${`${marker} group`}, ${marker}) returning id`);
    const projectId = await this.project();
    await this.insert(sql`update projects set project_group_id = ${id} where id = ${projectId} returning id`);
    return id;
  }

  /** A deployment of a new project. */
  async deployment({ status, commit, projectId, processType = "deployment" }: DeploymentFields): Promise<number> {
    const project = projectId ?? (await this.project());
    const began = status === 0 ? null : new Date();
    const ended = [1, 2, 5].includes(status) ? new Date() : null;
    const id = await this.insert(sql`
      insert into deployments (organization_id, project_id, server_id, git_branch, commit_id, process_type, description,
        status, started_at, ended_at)
      select organization_id, id, server_id, 'main', ${commit ?? null}, ${processType}, ${marker}, ${status},
        ${began}::timestamptz, ${ended}::timestamptz
      from projects where id = ${project} returning id`);
    if (processType !== "move") return id;
    return this.insert(sql`
      insert into moves (deployment_id, project_id, source_id, databases)
      select ${id}, id, server_id, '[]' from projects where id = ${project} returning deployment_id as id`);
  }

  /** A notification channel that receives everything. */
  channel(type: "webhook" | "email"): Promise<number> {
    const { secrets } = this.ctx;
    const target = type === "email" ? { addresses: ["a@example.com"] } : { url: "https://hooks.example.com/a" };
    return this.insert(sql`
      insert into notification_channels (organization_id, name, type, target, shown_target, secret, topics)
      values (${this.cast.organizationId}, ${marker}, ${type}, ${secrets.encrypt(JSON.stringify(target))}, ${marker},
        ${type === "webhook" ? secrets.encrypt("whsec_AAAA") : null}, '{deployment.failed}')
      returning id`);
  }

  /** A job of a project. */
  /** A provisioned App server with MariaDB. */
  async databaseServer(): Promise<number> {
    const id = await this.server();
    return this.insert(sql`update servers set database_engine = 'mariadb' where id = ${id} returning id`);
  }

  /** A database that exists according to the records; `moving`: together with its project. */
  async database({ moving = false, status = 1, isOwn = false } = {}): Promise<{ id: number; database: number }> {
    const id = await this.databaseServer();
    const projectId = moving ? await this.project({ serverId: id }) : null;
    const name = `${marker}_${++this.count}`;
    const database = await this.insert(sql`
      insert into databases (server_id, project_id, database_type, database_name, username, password, status, notes,
        created_by_user)
      values (${id}, ${projectId}, 'mariadb', ${name}, ${name}, ${this.ctx.secrets.encrypt("a password")}, ${status}, ${marker},
        ${!isOwn})
      returning id`);
    if (moving) {
      await this.insert(sql`
        insert into moves (deployment_id, project_id, databases) values (${++this.count}, ${projectId}, '[]')
        returning deployment_id as id`);
    }
    return { id, database };
  }

  /** A dump that was loaded. */
  async databaseImport(): Promise<{ id: number; database: number; import: number }> {
    const params = await this.database();
    const importId = await this.insert(sql`
      insert into database_imports (database_id, empties_first, status, ended_at)
      values (${params.database}, false, 1, now()) returning id`);
    return { ...params, import: importId };
  }

  /** A server with a database that Longshore did not create. */
  async foundDatabase(name: string): Promise<number> {
    const id = await this.databaseServer();
    const found = [{ name, sizeBytes: 1, connections: 0, characterSet: "utf8mb4", collation: marker }];
    await this.insert(sql`
      insert into database_engines (server_id, found, looked_at, look_due_at)
      values (${id}, ${JSON.stringify(found)}::jsonb, now(), now()) returning server_id as id`);
    return id;
  }

  /** A user that can read a database. */
  async databaseUser(of: { moving?: boolean } = {}): Promise<{ id: number; database: number; user: number }> {
    const database = await this.database(of);
    const user = await this.insert(sql`
      insert into database_users (database_id, username, password, status)
      values (${database.database}, ${`${marker}_${++this.count}`}, ${this.ctx.secrets.encrypt("a password")}, 1)
      returning id`);
    return { ...database, user };
  }

  job(kind: "scheduled" | "background", projectId: number): Promise<number> {
    const [schedule, processes] = kind === "scheduled" ? ["@hourly", null] : [null, 1];
    return this.insert(sql`
      insert into project_jobs (project_id, kind, name, command, cron_expression, processes)
      values (${projectId}, ${kind}, ${marker}, 'true', ${schedule}, ${processes}) returning id`);
  }

  /** A command of a new project, which is waiting or has ended. */
  async command({ hasEnded = false } = {}): Promise<{ id: number; commandId: number }> {
    const id = await this.project();
    const [state, ended] = hasEnded ? ["succeeded", new Date()] : ["created", null];
    const runId = await this.insert(sql`
      insert into runs (server_id, kind, subject, subject_id, plan, nonce, state, ended_at)
      select server_id, 'command', 'project', id, '{"steps": []}', 'n', ${state}, ${ended}::timestamptz
      from projects where id = ${id} returning id`);
    const commandId = await this.insert(sql`
      insert into project_commands (project_id, run_id, command, timeout_seconds)
      values (${id}, ${runId}, ${`echo ${marker}`}, 60) returning id`);
    return { id, commandId };
  }

  /** An HTTP monitor of a new project. */
  async monitor(): Promise<number> {
    return this.insert(sql`
      insert into monitors (organization_id, project_id, type, target, name, url, method, interval_seconds, timeout_seconds)
      values (${this.cast.organizationId}, ${await this.project()}, 'http', 'project', ${marker}, 'https://shop.example.com/',
        'GET', 60, 10) returning id`);
  }

  /** A maintenance window of a new monitor. */
  async maintenanceWindow(): Promise<number> {
    return this.insert(sql`
      with made as (
        insert into maintenance_windows (organization_id, name, starts_at, ends_at, is_for_all, active_from, active_until)
        values (${this.cast.organizationId}, ${marker}, '2026-01-01', '2026-01-02', false, '2026-01-01', '2026-01-02')
        returning id
      ), target as (
        insert into maintenance_window_targets (window_id, monitor_id) select id, ${await this.monitor()} from made
      )
      select id from made`);
  }

  /** A status page of a new monitor. */
  async statusPage(): Promise<number> {
    return this.insert(sql`
      with made as (
        insert into status_pages (organization_id, name, slug)
        values (${this.cast.organizationId}, ${marker}, 'page-' || gen_random_uuid()) returning id
      ), shown as (
        insert into status_page_monitors (page_id, monitor_id, position) select id, ${await this.monitor()}, 1 from made
      )
      select id from made`);
  }

  /** An incident of a new status page, with two updates. */
  async statusIncident(): Promise<{ id: number; incidentId: number; updateId: number }> {
    const id = await this.statusPage();
    const incidentId = await this.insert(sql`
      insert into status_incidents (page_id, title, state) values (${id}, ${marker}, 'identified') returning id`);
    const update = sql`
      insert into status_incident_updates (incident_id, state, text) values (${incidentId}, 'identified', ${marker}) returning id`;
    await this.insert(update);
    return { id, incidentId, updateId: await this.insert(update) };
  }

  /** A project with this many jobs of each kind. */
  async projectWithJobs(count: number): Promise<number> {
    const id = await this.project();
    for (let n = 0; n < count; n++) for (const kind of ["scheduled", "background"] as const) await this.job(kind, id);
    return id;
  }

  /** A certificate that is served. */
  certificate(projectId: number, source: "acme" | "custom"): Promise<number> {
    return this.insert(sql`
      insert into certificates (project_id, source, status, version, server_id, names, not_before, not_after)
      select p.id, ${source}, 1, 1, p.server_id, '{}', now(), now() + interval '90 days'
      from projects p where p.id = ${projectId} returning id`);
  }

  primaryDomain(projectId: number): Promise<number> {
    return this.insert(sql`select id from domains where project_id = ${projectId} and is_primary`);
  }

  /** A certificate for a project's domains, with its key, as its owner would upload it. */
  async upload(projectId: number): Promise<{ certificate: string; private_key: string }> {
    const domains = await rows<{ domain_name: string }>(
      this.ctx.pool,
      sql`
        select domain_name from domains where project_id = ${projectId}`,
    );
    return selfSigned(domains.map((domain) => domain.domain_name));
  }

  /** A token of Alice's. */
  token(organizationId: number | null = null): Promise<number> {
    return this.insert(sql`
      insert into tokens (user_id, organization_id, name, prefix, digest, permissions)
      values (${this.cast.userIds.alice}, ${organizationId}, ${marker}, 'lsh_0000',
        ${Buffer.from(`digest ${++this.count}`)}, '{*}')
      returning id`);
  }

  session(): Promise<number> {
    return this.insert(sql`
      insert into auth_sessions (user_id, token, expires_at)
      values (${this.cast.userIds.alice}, ${`session ${++this.count}`}, now() + interval '1 day') returning id`);
  }

  /** What is secret in a link that was mailed to Bob. */
  async mailedLink(purpose: "reset_password" | "change_email"): Promise<string> {
    const token = `link ${++this.count}`;
    const newEmail = purpose === "change_email" ? `bob-${this.count}@example.com` : null;
    await this.insert(sql`
      insert into mailed_links (digest, user_id, purpose, email, new_email, expires_at)
      select ${digestOf(token)}, id, ${purpose}, email, ${newEmail}, now() + interval '1 hour' from users
      where id = ${this.cast.userIds.bob} returning user_id as id`);
    return token;
  }

  async signInLink(): Promise<string> {
    const token = `link ${++this.count}`;
    await this.insert(sql`
      insert into sign_in_links (user_id, digest, expires_at)
      values (${this.cast.userIds.bob}, ${digestOf(token)}, now() + interval '1 hour') returning user_id as id`);
    return token;
  }

  /** A program that waits for Alice, or for its token. */
  async device({ isApproved = false } = {}): Promise<{ userCode: string; deviceCode: string }> {
    const deviceCode = `device ${++this.count}`;
    const userCode = String(this.count)
      .padStart(8, "0")
      .replace(/\d/g, (digit) => "BCDFGHJKLM".charAt(Number(digit)));
    const { cast } = this;
    await this.insert(sql`
      insert into device_authorizations (device_digest, user_code, client_name, client, interval_seconds, expires_at,
        state, user_id, organization_id, token_name, token_permissions)
      values (${digestOf(deviceCode)}, ${userCode}, 'laptop', '{"kind": "cli", "name": null, "version": null}', 3,
        now() + interval '1 hour', ${isApproved ? "approved" : "pending"}, ${isApproved ? cast.userIds.alice : null},
        ${isApproved ? cast.organizationId : null}, ${isApproved ? "laptop" : null}, ${isApproved ? ["project:read"] : null})
      returning id`);
    return { userCode, deviceCode };
  }

  /** An organization that Alice owns, with a second Owner if given. */
  async organization(other?: "Adam"): Promise<number> {
    const id = await this.insert(sql`insert into organizations (name) values (${marker}) returning id`);
    const { alice, adam } = this.cast.userIds;
    for (const userId of other ? [alice, adam] : [alice]) {
      await this.insert(sql`
        insert into memberships (organization_id, user_id, role) values (${id}, ${userId}, 'Owner') returning id`);
    }
    return id;
  }

  /** A member of Acme's. */
  async member(): Promise<number> {
    const email = `member-${++this.count}@example.com`;
    const id = await this.insert(sql`insert into users (email, name) values (${email}, ${marker}) returning id`);
    await this.insert(sql`
      insert into memberships (organization_id, user_id, role)
      values (${this.cast.organizationId}, ${id}, 'Member') returning id`);
    return id;
  }

  /** An open invitation to Acme, with this token. */
  invitation(token: string): Promise<number> {
    return this.insert(sql`
      insert into invitations (organization_id, email, role, digest, expires_at)
      values (${this.cast.organizationId}, ${`guest-${++this.count}@example.com`}, 'Member', ${digestOf(token)},
        now() + interval '1 day')
      returning id`);
  }

  private async goLive(projectId: number): Promise<void> {
    const id = await this.deployment({ status: 1, commit, projectId });
    await this.insert(sql`
      update placements set live_deployment_id = ${id}, live_release_id = ${id} where project_id = ${projectId} returning project_id as id`);
  }

  private once(name: string, make: () => Promise<number>): Promise<number> {
    const made = this.shared.get(name) ?? make();
    this.shared.set(name, made);
    return made;
  }

  /** Runs a statement that returns an id. */
  async insert(statement: ReturnType<typeof sql>): Promise<number> {
    const inserted = await row<{ id: number }>(this.ctx.pool, statement);
    if (!inserted) throw new Error("The record could not be made.");
    return inserted.id;
  }
}
