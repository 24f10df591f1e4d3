import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { recentRecords } from "../../../data/recent.ts";
import { search } from "../../../data/search.ts";
import { type CommandSection, matches, searchedText } from "./commands.ts";
import { useDeploy } from "./use-deploy.ts";
import { useRecordCommand } from "./use-record-command.ts";
import { useVerbs } from "./use-verbs.ts";

const typedMs = 100;

/** What the palette offers for a text: records, found by the server, and verbs. Without one: what was open last. */
export function useCommands(text: string): { sections: CommandSection[]; isSearching: boolean } {
  const o = useOrganization();
  const { q, isDeploy } = searchedText(useSettled(text, typedMs));
  const found = useQuery(search(o, q));
  const toRecord = useRecordCommand();
  const verbs = useVerbs();
  const deploy = useDeploy();
  const mayDeploy = useMay("deployment:create");
  if (text.trim() === "") {
    const recent = { title: "Recent", commands: recentRecords(o).flatMap(toRecord) };
    return { sections: [recent, { title: "Actions", commands: verbs }].filter(hasAny), isSearching: false };
  }
  const records = q === "" ? [] : (found.data?.data ?? []);
  const projects = mayDeploy ? records.filter(({ noun }) => noun === "project").slice(0, isDeploy ? 8 : 2) : [];
  const actions = {
    title: "Actions",
    commands: [...projects.map(deploy), ...verbs.filter(({ label }) => matches(label, text))],
  };
  const nouns = { title: "Records", commands: records.flatMap(toRecord) };
  return {
    sections: (isDeploy ? [actions, nouns] : [nouns, actions]).filter(hasAny),
    isSearching: found.isFetching || (text.trim() !== "" && searchedText(text).q !== q),
  };
}

const hasAny = ({ commands }: CommandSection): boolean => commands.length > 0;

/** The value, once it has stayed the same for a moment. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
