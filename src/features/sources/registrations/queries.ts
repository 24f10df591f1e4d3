import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { PlacementRef } from "../../placements/schema.ts";
import type { RegistrationRow } from "../schema.ts";

// Deploy keys ---------------------------------------------------------------------------------------------------------------

/** Stores a deploy key; false if it is known already, or the project is gone. */
export const keptDeployKey = async (
  tx: Db,
  key: { projectId: number; serverId: number; publicKey: string },
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      insert into deploy_keys as k (project_id, server_id, public_key)
      select p.id, s.id, ${key.publicKey}::text from projects p, servers s
      where p.id = ${key.projectId} and s.id = ${key.serverId}
      on conflict (project_id, server_id) do update set public_key = excluded.public_key
      where k.public_key <> excluded.public_key
    `,
  )) === 1;

export const listDeployKeys = (db: Db, projectId: number): Promise<{ server_id: number; public_key: string }[]> =>
  rows(db, sql`select server_id, public_key from deploy_keys where project_id = ${projectId} order by server_id`);

export async function deleteDeployKey(tx: Db, key: PlacementRef): Promise<void> {
  await tx.query(sql`
    delete from deploy_keys where project_id = ${key.projectId} and server_id = ${key.serverId}
  `);
}

/** Keys of servers that their projects have left. */
export const listLeftKeys = (db: Db): Promise<PlacementRef[]> =>
  rows(
    db,
    sql`
      select k.project_id as "projectId", k.server_id as "serverId" from deploy_keys k
      where k.created_at < now() - interval '1 hour'
        and not exists (
          select 1 from placements pl where pl.project_id = k.project_id and pl.server_id = k.server_id)
      order by k.project_id, k.server_id
    `,
  );

// Registrations -------------------------------------------------------------------------------------------------------------

const registrationColumns = sql`
  id, project_id, provider_id, repository, kind, subject, state, remote_id, fingerprint, ssh_url, error, is_settled,
  obsolete_since
`;

export const listRegistrations = (db: Db, projectId: number): Promise<RegistrationRow[]> =>
  rows(
    db,
    sql`select ${registrationColumns} from source_registrations where project_id = ${projectId} order by kind desc, id`,
  );

export type NewRegistration = Pick<
  RegistrationRow,
  "project_id" | "provider_id" | "repository" | "kind" | "subject"
> & {
  fingerprint: string;
};

/**
 * Records a wanted registration. An existing one stays unless `fingerprint` differs; one that was to be removed is wanted again.
 */
export async function wantRegistration(tx: Db, wanted: NewRegistration): Promise<void> {
  await tx.query(sql`
    insert into source_registrations as r (project_id, provider_id, repository, kind, subject)
    values (${wanted.project_id}, ${wanted.provider_id}, ${wanted.repository}, ${wanted.kind}, ${wanted.subject})
    on conflict (project_id, provider_id, repository, kind, subject) do update
      set state = 'wanted', obsolete_since = null, error = null
      where r.state = 'obsolete' or (r.state = 'registered' and r.fingerprint is distinct from ${wanted.fingerprint})
  `);
}

/** Marks all of a project's registrations except these for removal. */
export async function makeObsolete(tx: Db, projectId: number, kept: readonly number[]): Promise<void> {
  await tx.query(sql`
    update source_registrations
    set state = 'obsolete', obsolete_since = clock_timestamp(), error = null, is_settled = false
    where project_id = ${projectId} and state <> 'obsolete' and id <> all(${kept}::bigint[])
  `);
}

/** Has all registrations of a project checked again, including existing ones. */
export async function askAgain(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`
    update source_registrations set state = 'wanted' where project_id = ${projectId} and state = 'registered'
  `);
}

/**
 * Deletes records that are marked for removal if the same thing is now registered at the same place through another account: it
 * must stay there.
 */
export async function dropTakenOver(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`
    delete from source_registrations r using source_registrations o
    where r.project_id = ${projectId} and r.state = 'obsolete' and o.state = 'registered' and ${ofTheSame}
      and o.repository = r.repository
  `);
}

/** Whether the registrations `r` and `o` are for the same thing of a project at the same host. */
const ofTheSame = sql`
  (o.project_id = r.project_id and o.kind = r.kind and o.subject = r.subject and o.id <> r.id
    and (select provider_type from source_providers where id = o.provider_id)
      = (select provider_type from source_providers where id = r.provider_id))
`;

/**
 * The registrations to make now. A host accepts a key for one repository at a time: a key waits for its removal elsewhere. A
 * removal that was rejected, or failed several times, no longer blocks: the key can be registered nevertheless.
 */
export const listRegistrable = (db: Db, projectId: number): Promise<RegistrationRow[]> =>
  rows(
    db,
    sql`
      select ${registrationColumns} from source_registrations r
      where project_id = ${projectId} and state = 'wanted' and not (r.kind = 'key' and exists (
        select 1 from source_registrations o where o.state = 'obsolete' and not o.is_settled and ${ofTheSame}))
      order by kind desc, id
    `,
  );

/** Records a host's response. A state that has changed since stays: the next look handles it. */
export async function recordRegistered(
  db: Db,
  { id, state }: Pick<RegistrationRow, "id" | "state">,
  { remoteId, fingerprint, sshUrl }: { remoteId: string; fingerprint: string; sshUrl: string | null },
): Promise<void> {
  await db.query(sql`
    update source_registrations set remote_id = ${remoteId}, fingerprint = ${fingerprint}, ssh_url = ${sshUrl},
      state = case when state = ${state} then 'registered' else state end, error = null, is_settled = true
    where id = ${id}
  `);
}

export async function recordFailure(
  db: Db,
  id: number,
  { error, isSettled }: { error: string; isSettled: boolean },
): Promise<void> {
  await db.query(sql`
    update source_registrations set error = ${error}, is_settled = is_settled or ${isSettled} where id = ${id}
  `);
}

/**
 * Deletes a registration that is no longer at the host, and makes wanted registrations of the same thing elsewhere at that host
 * due now: the conflict is gone, or both were the same repository under two names. False if it is wanted again.
 */
export const droppedRegistration = async (db: Db, id: number): Promise<boolean> =>
  (await row(
    db,
    sql`
      with o as (
        delete from source_registrations where id = ${id} and state = 'obsolete' returning *
      ), again as (
        update source_registrations r
        set state = 'wanted', error = null, is_settled = false
        from o where r.state <> 'obsolete' and ${ofTheSame}
      )
      select 1 from o
    `,
  )) !== undefined;

/** It is wanted again, but no longer at the host. */
export async function forgetRemote(db: Db, id: number): Promise<void> {
  await db.query(sql`
    update source_registrations set remote_id = null where id = ${id} and state = 'wanted'
  `);
}

/**
 * Projects with outdated registrations: the project, its account or its organization is gone or has changed. Most of these
 * changes notify this feature; the transfer or deletion of a server with its projects does not.
 */
export const listOutdated = (db: Db, limit: number): Promise<{ project_id: number }[]> =>
  rows(
    db,
    sql`
      select distinct r.project_id from source_registrations r
      left join projects p on p.id = r.project_id
      join source_providers sp on sp.id = r.provider_id
      where r.state <> 'obsolete'
        and (p.id is null or sp.deleted_at is not null or sp.organization_id <> p.organization_id)
      union
      select ps.project_id from project_sources ps join projects p on p.id = ps.project_id
      where ps.organization_id <> p.organization_id
      limit ${limit}
    `,
  );
