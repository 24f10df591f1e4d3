import { useQuery } from "@tanstack/react-query";
import type { Loss, Plan } from "../../../contract/types.ts";
import { messageOf } from "../api/errors.ts";
import type { Key } from "../data/cache.ts";
import { formatBytes, formatCount } from "../ui/format.ts";

interface Planned {
  message: string;
  plan?: Plan;
}

interface LossesProps {
  /** Names the record in the cache; read each time the question is asked. */
  queryKey: Key;
  /** Asks the API by a request that changes nothing. */
  ask: (signal: AbortSignal) => Promise<Planned>;
}

/** What the API lists as lost with a record. */
export function Losses({ queryKey, ask }: LossesProps) {
  const { data, error } = useQuery({ queryKey, queryFn: ({ signal }) => ask(signal), staleTime: 0, gcTime: 0 });
  if (error) return <p className="text-bad">{messageOf(error)}</p>;
  if (!data) return <p>Looking up what is lost.</p>;
  return (
    <>
      <p dir="auto">{data.message}</p>
      {data.plan?.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      <ul className="list-disc pl-5" aria-label="What is lost">
        {data.plan?.lost.map((loss) => (
          <li key={loss.noun}>{lossText(loss)}</li>
        ))}
      </ul>
    </>
  );
}

/** "2 databases (shop, shop_test), 1.5 GB". */
export function lossText({ noun, count, names, bytes }: Loss): string {
  const one = noun.replaceAll("_", " ");
  const what = formatCount(count, one, pluralOf(one));
  const more = count > names.length && names.length > 0 ? ", …" : "";
  const named = names.length > 0 ? ` (${names.join(", ")}${more})` : "";
  return `${what}${named}${bytes === null ? "" : `, ${formatBytes(bytes)}`}`;
}

const pluralOf = (noun: string): string => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`);
