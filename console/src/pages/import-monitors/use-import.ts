import { useRef, useState } from "react";
import type { MonitorImport } from "../../../../contract/types.ts";
import { fieldsOf } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import type { Target } from "../../parts/monitor/targets.ts";
import { readExport, type Source, sourceOf } from "./export-text.ts";

/** What was chosen for monitors of the export, by their `item`; undefined while another one is being chosen. */
export type ChosenTargets = ReadonlyMap<string, Pick<Target, "type" | "id"> | undefined>;

/** An export that is checked first, and then imported. The text may have passwords of the other program: it is kept nowhere. */
export function useImport() {
  const [source, setSource] = useState<Source>("uptime_kuma");
  const [text, setText] = useState("");
  const [targets, setTargets] = useState<ChosenTargets>(new Map());
  const newest = useRef<object>(undefined);
  const [result, setResult] = useState<MonitorImport>();
  const [unreadable, setUnreadable] = useState<string>();
  const write = useWrite("POST /api/v1/monitors/import", {
    touches: ["monitors"],
    // An answer to an earlier check may come after that of a later one.
    onDone: ({ data }, { body }) => (!data.dry_run || body === newest.current) && setResult(data),
  });
  const forget = () => {
    newest.current = undefined;
    setTargets(new Map());
    setResult(undefined);
    setUnreadable(undefined);
    write.reset();
  };
  const send = (dry_run: boolean, chosen = targets) => {
    const read = readExport(text);
    setUnreadable(read.error);
    if (read.error !== undefined) return;
    const body = { source, data: read.data, dry_run, targets: requested(chosen) };
    newest.current = body;
    write.mutate({ body });
  };
  return {
    ...{ source, text, result, send, isPending: write.isPending, error: write.error },
    errors: unreadable === undefined ? fieldsOf(write.error) : { data: unreadable },
    targets,
    /** What it makes possible is for the API to say, also for the other monitors of the export. */
    choose: (item: string, target: Target | undefined) => {
      const next = new Map(targets).set(item, target);
      setTargets(next);
      send(true, next);
    },
    setSource: (next: Source) => {
      forget();
      setSource(next);
    },
    setText: (next: string) => {
      forget();
      setText(next);
      setSource((now) => sourceOf(next) ?? now);
    },
  };
}

const requested = (targets: ChosenTargets) =>
  [...targets].flatMap(([item, target]) =>
    target ? [{ item, monitorable_type: target.type, monitorable_id: target.id }] : [],
  );
