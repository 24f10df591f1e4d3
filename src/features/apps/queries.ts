import { changed, constants, type Db, row, rows, sql } from "../../db/sql.ts";
import { installationStatus } from "../projects/schema.ts";
import { publishKind } from "../site-records/schema.ts";
import type { InstallationRow } from "./schema.ts";

const { installed } = constants(installationStatus);

const columns = sql`
  i.project_id, i.answers, i.database_id, i.last_release, i.automatic_updates, i.update_available, i.update_is_security,
  i.announced_version, i.address, i.update_state, i.update_version, i.update_release, i.update_error, i.update_ended_at
`;

export async function insertInstallation(tx: Db, projectId: number, answers: Buffer): Promise<void> {
  await tx.query(sql`insert into app_installations (project_id, answers) values (${projectId}, ${answers})`);
}

/** Without an actor: the caller has checked that the project is in the actor's reach, or is a job. */
export const findInstallation = (db: Db, projectId: number): Promise<InstallationRow | undefined> =>
  row(db, sql`select ${columns} from app_installations i where i.project_id = ${projectId}`);

export async function setDatabase(tx: Db, projectId: number, databaseId: number): Promise<void> {
  await tx.query(sql`update app_installations set database_id = ${databaseId} where project_id = ${projectId}`);
}

/** The number of the next release; no two attempts get the same. */
export async function takeRelease(tx: Db, projectId: number): Promise<number> {
  const taken = await row<{ last_release: number }>(
    tx,
    sql`
      update app_installations set last_release = last_release + 1 where project_id = ${projectId}
      returning last_release
    `,
  );
  if (!taken) throw new Error(`Project ${projectId} has no installation`);
  return taken.last_release;
}

/** Begins an update; the number of the release that it makes, or undefined when one is running. */
export async function beginUpdateRecord(tx: Db, projectId: number, version: string): Promise<number | undefined> {
  const begun = await row<{ update_release: number }>(
    tx,
    sql`
      update app_installations set update_state = 'running', update_version = ${version}, update_error = null,
        update_ended_at = null, last_release = last_release + 1, update_release = last_release + 1
      where project_id = ${projectId} and update_state is distinct from 'running'
      returning update_release
    `,
  );
  return begun?.update_release;
}

export async function endUpdate(tx: Db, projectId: number, error: string | null): Promise<void> {
  await tx.query(sql`
    update app_installations set update_state = ${error === null ? "succeeded" : "failed"}, update_error = ${error},
      update_ended_at = clock_timestamp(),
      update_available = case when ${error === null} then null else update_available end,
      update_is_security = update_is_security and ${error !== null}
    where project_id = ${projectId} and update_state = 'running'
  `);
}

export async function setAutomaticUpdates(tx: Db, projectId: number, mode: string): Promise<void> {
  await tx.query(sql`
    update app_installations set automatic_updates = ${mode}, next_look_at = clock_timestamp()
    where project_id = ${projectId}
  `);
}

export interface DueInstallation {
  project_id: number;
}

/** Claims installations that were not checked for a day; each is due again a day later, give or take an hour. */
export const claimVersionChecks = (db: Db, limit: number): Promise<DueInstallation[]> =>
  rows(
    db,
    sql`
      update app_installations set next_look_at = clock_timestamp() + interval '23 hours' + random() * interval '2 hours'
      where project_id in (
        select i.project_id from app_installations i join projects p on p.id = i.project_id
        where i.next_look_at <= clock_timestamp() and p.installation_status = ${installed}
        order by i.next_look_at limit ${limit} for update of i skip locked
      )
      returning project_id
    `,
  );

/** Stores the newest version, and whether any fixes a vulnerability; returns whether either is new. */
export const storeNewestVersion = async (
  tx: Db,
  projectId: number,
  found: { version: string; isSecurity: boolean } | undefined,
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update app_installations set update_available = ${found?.version ?? null},
        update_is_security = ${found?.isSecurity ?? false}
      where project_id = ${projectId}
        and (update_available, update_is_security) is distinct from (${found?.version ?? null}, ${found?.isSecurity ?? false})
    `,
  )) === 1;

/** False when the owners were notified of this version before. */
export const claimAnnouncement = async (tx: Db, projectId: number, version: string): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update app_installations set announced_version = ${version}
      where project_id = ${projectId} and announced_version is distinct from ${version}
    `,
  )) === 1;

/** Stores the address with which an application's process was started; it is compared with the site's address again. */
export async function setAddress(tx: Db, projectId: number, address: string): Promise<void> {
  await tx.query(sql`
    update app_installations set address = ${address}, address_site = null where project_id = ${projectId}
  `);
}

/** Stores the state of the site with which the address was compared; null: it is compared again. */
export async function setAddressSite(tx: Db, projectId: number, site: string | null): Promise<void> {
  await tx.query(sql`update app_installations set address_site = ${site} where project_id = ${projectId}`);
}

/** Claims installations whose site has changed since the comparison; due again in half a minute. */
export const claimAddressChecks = (db: Db, limit: number): Promise<DueInstallation[]> =>
  rows(
    db,
    sql`
      update app_installations set address_look_at = clock_timestamp() + interval '30 seconds'
      where project_id in (
        select i.project_id from app_installations i join projects p on p.id = i.project_id
          join targets t on t.kind = ${publishKind.kind} and t.subject_id = p.id and t.server_id = p.server_id
        where i.address_look_at <= clock_timestamp() and p.installation_status = ${installed}
          and t.applied_mark is not null and t.applied_mark is distinct from i.address_site
        order by i.address_look_at limit ${limit} for update of i skip locked
      )
      returning project_id
    `,
  );
