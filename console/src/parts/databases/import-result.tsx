import { useQuery } from "@tanstack/react-query";
import { type Database, type DatabaseImport, databaseImport } from "../../data/databases.ts";
import { useOrganization } from "../../data/organization.ts";
import { Bytes } from "../../ui/bytes.tsx";
import { Duration } from "../../ui/duration.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Time } from "../../ui/time.tsx";
import type { Tone } from "../../ui/tones.ts";
import { Loaded } from "../loaded.tsx";

/** An import, whose end an event of the database shows. */
export function ImportResult({ database, id }: { database: Database; id: number }) {
  const query = useQuery(databaseImport(useOrganization(), database, id));
  return (
    <Loaded query={query} what="The import could not be read." rows={1}>
      {({ data }) => <ImportFacts load={data} />}
    </Loaded>
  );
}

const looks: Record<DatabaseImport["status"], { state: string; word: string; tone: Tone }> = {
  0: { state: "uploading", word: "Being uploaded", tone: "run" },
  1: { state: "loaded", word: "Loaded", tone: "ok" },
  2: { state: "failed", word: "Failed", tone: "bad" },
  3: { state: "loading", word: "Being loaded", tone: "run" },
};

export function ImportFacts({ load }: { load: DatabaseImport }) {
  const { status, error, size_bytes: size, empties_first: emptied, created_at: at, ended_at: endedAt } = load;
  return (
    <div role="status" aria-label="Import" className="flex flex-col gap-2 border-line border-y py-3">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <StateIcon {...looks[status]} since={at} />
        {size > 0 && (
          <span>
            A dump of <Bytes value={size} />
          </span>
        )}
        {emptied && <span className="text-text-2">into the emptied database</span>}
        <span className="text-text-2">
          {endedAt ? (
            <>
              in <Duration ms={Date.parse(endedAt) - Date.parse(at)} />, <Time at={endedAt} />
            </>
          ) : (
            <>
              since <Duration since={at} />
            </>
          )}
        </span>
      </p>
      {error && (
        <pre dir="auto" className="max-h-80 overflow-auto whitespace-pre-wrap text-bad [overflow-wrap:anywhere]">
          {error}
        </pre>
      )}
    </div>
  );
}
