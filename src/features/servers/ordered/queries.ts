import { constants, type Db, row, sql } from "../../../db/sql.ts";
import { changedAt, type Price } from "../queries.ts";
import { serverStatus } from "../schema.ts";

const { installing } = constants(serverStatus);

/** Rejects with a unique violation when another server has the address. */
export async function saveMachineAddress(
  tx: Db,
  id: number,
  { publicIp, privateIp }: { publicIp: string; privateIp: string | null },
): Promise<void> {
  await tx.query(sql`
    update servers set public_ip = ${publicIp}, private_ip = coalesce(${privateIp}::inet, private_ip),
      updated_at = ${changedAt}
    where id = ${id}
  `);
}

/** Pins the machine's own key, whatever was pinned before. */
export async function replaceHostKey(tx: Db, id: number, hostKey: string): Promise<void> {
  await tx.query(sql`update servers set host_key = ${hostKey} where id = ${id}`);
}

/** null: the price could not be read. */
export async function savePrice(tx: Db, id: number, price: Price | null): Promise<void> {
  await tx.query(sql`
    update servers set monthly_price_net = ${price?.net ?? null}, monthly_price_gross = ${price?.gross ?? null},
      price_currency = ${price?.currency ?? null}, updated_at = ${changedAt}
    where id = ${id}
  `);
}

/** Resets a server whose machine is gone before its setup: another server may get its address. */
export async function resetMachine(
  tx: Db,
  serverId: number,
  { error, price }: { error: string | null; price: Price | null },
): Promise<void> {
  await tx.query(sql`
    update servers set public_ip = null, private_ip = null, host_key = null, connection_error = ${error}, connection_problem = null,
      monthly_price_net = ${price?.net ?? null}, monthly_price_gross = ${price?.gross ?? null},
      price_currency = ${price?.currency ?? null}, updated_at = ${changedAt}
    where id = ${serverId} and server_status = ${installing}
  `);
}

/** The reason that the server shows while its machine is missing. */
export const setConnectionError = (
  tx: Db,
  serverId: number,
  error: string | null,
): Promise<{ id: number; organization_id: number } | undefined> =>
  row(
    tx,
    sql`
      update servers set connection_error = ${error}, connection_problem = null
      where id = ${serverId} and connection_error is distinct from ${error}
      returning id, organization_id
    `,
  );

/** Makes the servers of a connection custom servers. */
export async function makeCustom(tx: Db, providerId: number): Promise<void> {
  await tx.query(sql`
    update servers set provider_type = 'custom', provider_id = null, monthly_price_net = null,
      monthly_price_gross = null, price_currency = null, updated_at = ${changedAt}
    where provider_id = ${providerId}
  `);
}
