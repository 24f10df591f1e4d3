import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** What an installation can do, as `GET /api/v1/version` answered. */
export interface Known {
  version: string;
  features: readonly string[];
  /** Milliseconds since 1970. */
  checkedAt: number;
}

const dayMs = 86_400_000;

const cacheFile = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "longshore", "versions.json");

const read = async (file: string): Promise<Record<string, Known>> => {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Record<string, Known>;
  } catch {
    return {};
  }
};

/** What was found out about an installation within a day. */
export async function knownVersion(url: string, now = Date.now()): Promise<Known | undefined> {
  const known = (await read(cacheFile(process.env)))[url];
  const isWhole = typeof known?.checkedAt === "number" && Array.isArray(known.features);
  return isWhole && Math.abs(now - known.checkedAt) < dayMs ? known : undefined;
}

/** Only saves a question: a cache that cannot be written is none. */
export async function rememberVersion(url: string, known: Known): Promise<void> {
  const file = cacheFile(process.env);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ ...(await read(file)), [url]: known }));
  } catch {
    // It is asked again next time.
  }
}
