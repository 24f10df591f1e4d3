/** A database as reported by the engine of a server. */
export interface SeenDatabase {
  name: string;
  characterSet: string;
  collation: string;
  connections: number;
  sizeBytes: number | null;
}

export interface SeenEngine {
  version: string;
  databases: SeenDatabase[];
  /** Names of all accounts. */
  users: string[];
}

const mostDatabases = 3_000;
const mostUsers = 6_000;

/** Reads the output of `probeEngine`. Lines of another form are ignored, and texts are bounded: a server is not trusted. */
export function parseLook(output: string): SeenEngine {
  const lines = output.split("\n").map((line) => line.split("\t"));
  const sizes = new Map(
    lines.filter(([kind]) => kind === "size").map(([, name = "", bytes = ""]) => [decodeFileName(name), bytes]),
  );
  const databases = lines.filter(([kind]) => kind === "database").slice(0, mostDatabases);
  return {
    version: short(lines.find(([kind]) => kind === "version")?.[1] ?? ""),
    databases: databases.flatMap(([, hex = "", characterSet = "", collation = "", connections = "", bytes]) => {
      const name = nameOf(hex);
      if (name === undefined) return [];
      const size = bytes ?? sizes.get(name);
      return {
        name,
        characterSet: short(characterSet),
        collation: short(collation),
        connections: Math.min(numberOf(connections) ?? 0, 1_000_000),
        sizeBytes: size === undefined ? 0 : numberOf(size),
      };
    }),
    users: lines
      .filter(([kind]) => kind === "user")
      .slice(0, mostUsers)
      .flatMap(([, hex = ""]) => nameOf(hex) ?? []),
  };
}

const short = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "").slice(0, 100);

function nameOf(hex: string): string | undefined {
  if (!/^([0-9a-fA-F]{2}){1,400}$/.test(hex)) return undefined;
  const name = Buffer.from(hex, "hex").toString("utf8");
  // The text is stored in PostgreSQL's jsonb, which does not accept NUL.
  return name.includes("\0") ? undefined : name;
}

function numberOf(text: string): number | null {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

// In the names of directories, MariaDB writes characters other than letters, digits and `_` as `@` and four hexadecimal
// digits.
const decodeFileName = (name: string): string =>
  name.replaceAll(/@([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
