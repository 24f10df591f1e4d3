import { AppError } from "../../lib/errors.ts";
import { serverPaths } from "../layout.ts";
import { scriptsBeside } from "../script-file.ts";
import { type Connection, lastLine } from "../ssh/connection.ts";

const script = scriptsBeside(import.meta.url);

/** What a server knows of the ids that were in use. */
export interface UsedIds {
  /** The highest number of a project's directory; those above 9,999 are left out, since anyone with the server can make them. */
  highestProject: number;
  /** What runs left (`Seal`), of this installation and perhaps of others. */
  seals: string[];
}

/** Throws when the server cannot be asked. */
export async function readUsedIds(connection: Connection): Promise<UsedIds> {
  const { projects, ids } = serverPaths;
  const { exitCode, stdout, stderr } = await connection.exec(script("used-ids.sh", { projects, ids }));
  if (exitCode !== 0) {
    throw new AppError("server_unreachable", `The server could not be looked through: ${lastLine(stderr)}`);
  }
  const [highest = "", ...seals] = stdout.split("\n");
  return { highestProject: /^\d{1,4}$/.test(highest) ? Number(highest) : 0, seals: seals.filter(Boolean) };
}
