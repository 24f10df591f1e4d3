import { useState } from "react";
import type { MonitorImport } from "../../../../contract/types.ts";
import { fieldsOf } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import { readExport, type Source, sourceOf } from "./export-text.ts";

/** An export that is checked first, and then imported. The text may have passwords of the other program: it is kept nowhere. */
export function useImport() {
  const [source, setSource] = useState<Source>("uptime_kuma");
  const [text, setText] = useState("");
  const [result, setResult] = useState<MonitorImport>();
  const [unreadable, setUnreadable] = useState<string>();
  const write = useWrite("POST /api/v1/monitors/import", {
    touches: ["monitors"],
    onDone: ({ data }) => setResult(data),
  });
  const forget = () => {
    setResult(undefined);
    setUnreadable(undefined);
    write.reset();
  };
  const send = (dry_run: boolean) => {
    const read = readExport(text);
    setUnreadable(read.error);
    if (read.error === undefined) write.mutate({ body: { source, data: read.data, dry_run } });
  };
  return {
    ...{ source, text, result, send, isPending: write.isPending, error: write.error },
    errors: unreadable === undefined ? fieldsOf(write.error) : { data: unreadable },
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
