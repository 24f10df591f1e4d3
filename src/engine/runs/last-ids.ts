import type { Pool } from "pg";
import { continueIds, type LastIds, readLastIds } from "../../db/last-ids.ts";
import { readUsedIds } from "../../host/runner/used-ids.ts";
import type { Connection } from "../../host/ssh/connection.ts";
import type { Logger } from "../../lib/log.ts";
import type { SecretBox } from "../../lib/secrets.ts";
import { forgetAllMarks } from "../reconcile/marks.ts";

// Identity after a restore. What is on servers is named by ids, and a restored database would give those since its backup again:
// a new project would get the directory of a live one. So each run brings the last ids of the database to its server, sealed with
// the installation's key, and each new connection reads them before anything is sent over it: a database that is behind continues
// after them, and no longer relies on what it knows of servers. A server cannot make ids up, and those of another installation cannot be read.

interface Installation {
  pool: Pool;
  secrets: Pick<SecretBox, "encrypt" | "decrypt">;
}

/** The last ids for a server. `order` grows with every id. */
export interface Seal {
  order: number;
  text: string;
}

/** Makes seals. Calls that come at the same time share one that is made after all of them. */
export function sealer({ pool, secrets }: Installation): () => Promise<Seal> {
  let making: Promise<unknown> = Promise.resolve();
  let next: Promise<Seal> | undefined;
  const make = async (): Promise<Seal> => {
    next = undefined;
    const ids = await readLastIds(pool);
    const order = Object.values(ids).reduce((sum, id) => sum + id, 0);
    return { order, text: secrets.encrypt(JSON.stringify({ lastIds: ids })).toString("base64") };
  };
  return () => {
    if (!next) {
      const made = making.then(make, make);
      next = made;
      making = made;
    }
    return next;
  };
}

/** Before anything is sent over a new connection: the ids of the database continue after those that the server has. */
export async function continueAfter(
  { pool, secrets, log }: Installation & { log: Logger },
  connection: Connection,
  serverId: number,
): Promise<void> {
  const { highestProject, seals } = await readUsedIds(connection);
  const known = [{ projects_id_seq: highestProject }, ...seals.map((text) => opened(secrets, text))];
  const ids: Record<string, number> = {};
  for (const [name, id] of known.flatMap((each) => Object.entries(each))) ids[name] = Math.max(ids[name] ?? 0, id);
  const moved = await continueIds(pool, ids);
  if (moved.length === 0) return;
  await forgetAllMarks(pool);
  log.warn({ serverId, sequences: moved }, "A server had higher ids than the database: new ids continue after them");
}

/** Nothing when another installation made it, or one with a key that is not known any more. */
function opened(secrets: Installation["secrets"], text: string): LastIds {
  try {
    return (JSON.parse(secrets.decrypt(Buffer.from(text, "base64"))) as { lastIds: LastIds }).lastIds;
  } catch {
    return {};
  }
}
