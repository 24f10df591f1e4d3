import { changed, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { GitHostType, GitSourceType } from "../../host/git/git.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import type { ProviderRow } from "./schema.ts";

// Connected accounts -------------------------------------------------------------------------------------------------------

const providerColumns = sql`
  sp.id, sp.organization_id, sp.name, sp.provider_type, sp.account, sp.created_at
`;

export const listProviders = (db: Db, actor: Actor): Promise<ProviderRow[]> =>
  rows(
    db,
    sql`
      select ${providerColumns} from source_providers sp
      where sp.organization_id = ${actor.organizationId} and sp.deleted_at is null order by sp.id
    `,
  );

export const findProvider = (db: Db, actor: Actor, id: number): Promise<ProviderRow | undefined> =>
  row(
    db,
    sql`
      select ${providerColumns} from source_providers sp
      where sp.id = ${id} and sp.organization_id = ${actor.organizationId} and sp.deleted_at is null
    `,
  );

/** The account's credentials; the caller has checked that it is in reach, or is a job. */
export const findCredentials = (
  db: Db,
  id: number,
): Promise<{ provider_type: GitHostType; credentials: Buffer } | undefined> =>
  row(db, sql`select provider_type, credentials from source_providers where id = ${id}`);

export interface NewProvider {
  organizationId: number;
  name: string;
  providerType: GitHostType;
  credentials: Buffer;
  account: string;
}

export async function insertProvider(tx: Db, provider: NewProvider): Promise<ProviderRow> {
  const { organizationId, name, providerType, credentials, account } = provider;
  const inserted = await row<ProviderRow>(
    tx,
    sql`
      insert into source_providers as sp (organization_id, name, provider_type, credentials, account)
      values (${organizationId}, ${name}, ${providerType}, ${credentials}, ${account}) returning ${providerColumns}
    `,
  );
  return inserted as ProviderRow;
}

/** Compare-and-set: afterwards it is not listed, and nothing new is registered with it. */
export const markProviderDeleted = (tx: Db, actor: Actor, id: number): Promise<ProviderRow | undefined> =>
  row(
    tx,
    sql`
      update source_providers sp set deleted_at = clock_timestamp()
      where sp.id = ${id} and sp.organization_id = ${actor.organizationId} and sp.deleted_at is null
      returning ${providerColumns}
    `,
  );

/** Deletes accounts that are marked as deleted and have no more registrations. */
export const dropDeletedProviders = (db: Db): Promise<number> =>
  changed(
    db,
    sql`
      delete from source_providers sp where sp.deleted_at is not null
        and not exists (select 1 from source_registrations r where r.provider_id = sp.id)
    `,
  );

/** Projects for which an account of this type is relevant. */
export const listProjectsOfType = (db: Db, organizationId: number, type: GitHostType): Promise<{ id: number }[]> =>
  rows(db, sql`select id from projects where organization_id = ${organizationId} and repository_type = ${type}`);

// A project's source --------------------------------------------------------------------------------------------------------

export interface SourceRow {
  hook_token: Buffer;
  hook_secret: Buffer;
  report_error: string | null;
}

export interface NewSource {
  projectId: number;
  digest: Buffer;
  token: Buffer;
  secret: Buffer;
}

/**
 * Does nothing if there is one, or no such project. Replaces one of another organization, left after a transfer of the project's
 * server: that organization has its address and its secret, and its account must not be used.
 */
export async function insertSource(tx: Db, { projectId, digest, token, secret }: NewSource): Promise<void> {
  await tx.query(sql`
    insert into project_sources as ps (project_id, hook_digest, hook_token, hook_secret, organization_id)
    select id, ${digest}, ${token}, ${secret}, organization_id from projects where id = ${projectId}
    on conflict (project_id) do update
      set hook_digest = excluded.hook_digest, hook_token = excluded.hook_token, hook_secret = excluded.hook_secret, report_error = null,
        organization_id = excluded.organization_id, provider_id = null
      where ps.organization_id <> excluded.organization_id
  `);
}

/** Also undefined for one of another organization. */
export const findSource = (db: Db, projectId: number): Promise<SourceRow | undefined> =>
  row(
    db,
    sql`
      select ps.hook_token, ps.hook_secret, ps.report_error from project_sources ps
      join projects p on p.id = ps.project_id and p.organization_id = ps.organization_id
      where ps.project_id = ${projectId}
    `,
  );

export async function setHookSecret(tx: Db, projectId: number, secret: Buffer): Promise<void> {
  await tx.query(sql`update project_sources set hook_secret = ${secret} where project_id = ${projectId}`);
}

export async function setHookToken(tx: Db, { projectId, digest, token }: Omit<NewSource, "secret">): Promise<void> {
  await tx.query(sql`
    update project_sources set hook_digest = ${digest}, hook_token = ${token} where project_id = ${projectId}
  `);
}

/** Null: the organization's first account of the host. */
export async function chooseProvider(tx: Db, projectId: number, providerId: number | null): Promise<void> {
  await tx.query(sql`update project_sources set provider_id = ${providerId} where project_id = ${projectId}`);
}

/** Why the git host does not show the project's newest deployment; null: it does. */
export async function setReportError(db: Db, projectId: number, error: string | null): Promise<void> {
  await db.query(sql`
    update project_sources set report_error = ${error}
    where project_id = ${projectId} and report_error is distinct from ${error}
  `);
}

/** The project of a webhook, if its repository is of that type and its organization has not changed. */
export const findHookByDigest = (
  db: Db,
  digest: Buffer,
  type: GitSourceType,
): Promise<{ project_id: number; hook_secret: Buffer } | undefined> =>
  row(
    db,
    sql`
      select ps.project_id, ps.hook_secret from project_sources ps
      join projects p on p.id = ps.project_id and p.organization_id = ps.organization_id
      where ps.hook_digest = ${digest} and p.repository_type = ${type}
    `,
  );

/** The data about a project needed to register it at its host. */
export interface SourceProject {
  id: number;
  organization_id: number;
  server_id: number;
  name: string;
  source_type: "git" | "app";
  repository_type: GitSourceType | null;
  repository: string | null;
  repository_branch: string | null;
  deploys_tags: boolean;
  /** Its repository was chosen by a member with a smaller reach: no account is used for it until another member confirms it. */
  needs_confirmation: boolean;
  /** The used account: the chosen one, or else the organization's first of the host. */
  provider_id: number | null;
}

const sourceProject = sql`
  select p.id, p.organization_id, p.server_id, p.name, p.source_type, p.repository_type, p.repository,
    p.repository_branch, p.deploy_tags is not null as deploys_tags, coalesce(source.needs_confirmation, false) as needs_confirmation,
    (
      select sp.id from source_providers sp
      left join project_sources ps on ps.project_id = p.id and ps.provider_id = sp.id
      where sp.organization_id = p.organization_id and sp.provider_type = p.repository_type and sp.deleted_at is null
        and source.needs_confirmation is not true
      order by ps.provider_id nulls last, sp.id limit 1
    ) as provider_id
  from projects p left join project_sources source on source.project_id = p.id
`;

export async function setConfirmation(tx: Db, projectId: number, isNeeded: boolean): Promise<void> {
  await tx.query(sql`update project_sources set needs_confirmation = ${isNeeded} where project_id = ${projectId}`);
}

/** The repositories at a host of the projects in reach; without those that wait for a confirmation. */
export const listRepositoriesInReach = (
  db: Db,
  actor: Actor,
  type: GitHostType,
): Promise<Pick<SourceProject, "id" | "repository" | "repository_type">[]> =>
  rows(
    db,
    sql`
      select p.id, p.repository, p.repository_type from projects p
      left join project_sources source on source.project_id = p.id
      where ${projectReach(actor)} and p.repository_type = ${type} and source.needs_confirmation is not true
    `,
  );

export const findSourceProject = (db: Db, actor: Actor, id: number): Promise<SourceProject | undefined> =>
  row(db, sql`${sourceProject} where p.id = ${id} and ${projectReach(actor)}`);

/** Without an actor: only for jobs and webhooks. */
export const findSourceProjectForWork = (db: Db, id: number): Promise<SourceProject | undefined> =>
  row(db, sql`${sourceProject} where p.id = ${id}`);

/** Like `findSourceProjectForWork`, and locks the project until the end of the transaction. */
export const lockSourceProject = (tx: Db, id: number): Promise<SourceProject | undefined> =>
  row(tx, sql`${sourceProject} where p.id = ${id} for no key update of p`);

/** Whether the git host has taken, or has refused, the deploy key of a project on a server: columns of other tables. */
export const isKeySettled = (projectId: Sql, serverId: Sql): Sql => sql`
  exists (
    select 1 from deploy_keys k
    join source_registrations r on r.project_id = k.project_id and r.kind = 'key' and r.subject = k.public_key
    where k.project_id = ${projectId} and k.server_id = ${serverId} and r.state <> 'obsolete' and r.is_settled)
`;

// Pushes ---------------------------------------------------------------------------------------------------------------------

/** True if none of the identities was seen before. Of two concurrent deliveries, one waits for the other. */
export async function rememberDelivery(tx: Db, projectId: number, identities: readonly string[]): Promise<boolean> {
  const added = await changed(
    tx,
    sql`
      insert into hook_deliveries (project_id, identity) select ${projectId}, unnest(${identities}::text[])
      on conflict do nothing
    `,
  );
  return added === identities.length;
}

export interface PushRow {
  before_commit: string | null;
  after_commit: string;
  pushed_at: string | null;
  received_at: string;
}

/** What was pushed. */
export interface PushedRef {
  kind: "branch" | "tag";
  name: string;
}

/** The newest accepted pushes of a branch or a tag. */
export const listPushes = (db: Db, projectId: number, { kind, name }: PushedRef, limit: number): Promise<PushRow[]> =>
  rows(
    db,
    sql`
      select before_commit, after_commit, pushed_at, received_at from pushes
      where project_id = ${projectId} and branch = ${name} and is_tag = ${kind === "tag"} order by id desc limit ${limit}
    `,
  );

export interface NewPush extends PushedRef {
  projectId: number;
  before: string | null;
  after: string;
  pushedAt: Date | null;
  deploymentId: number;
}

export async function insertPush(tx: Db, push: NewPush): Promise<void> {
  await tx.query(sql`
    insert into pushes (project_id, branch, is_tag, before_commit, after_commit, pushed_at, deployment_id)
    values (${push.projectId}, ${push.name}, ${push.kind === "tag"}, ${push.before}, ${push.after}, ${push.pushedAt}, ${push.deploymentId})
  `);
}

/**
 * Deletes old deliveries. The newest push of each branch and tag stays, so that an older push is never deployed, however late it arrives.
 */
export async function deleteOldDeliveries(db: Db, days: number): Promise<void> {
  await db.query(sql`delete from hook_deliveries where received_at < now() - make_interval(days => ${days})`);
  await db.query(sql`
    delete from pushes p where p.received_at < now() - make_interval(days => ${days})
      and exists (
        select 1 from pushes n
        where n.project_id = p.project_id and n.branch = p.branch and n.is_tag = p.is_tag and n.id > p.id)
  `);
}
