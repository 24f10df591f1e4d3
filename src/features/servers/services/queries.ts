import { type Db, row, sql } from "../../../db/sql.ts";
import { setupKind } from "../queries.ts";

/** The facts that the newest setup of a server reported, such as versions. */
export async function findSetupFacts(db: Db, serverId: number): Promise<Record<string, string>> {
  const found = await row<{ facts: Record<string, string> }>(
    db,
    sql`
      select facts from runs where kind = ${setupKind.kind} and subject_id = ${serverId} and ended_at is not null
      order by id desc limit 1
    `,
  );
  return found?.facts ?? {};
}
