import { useQuery } from "@tanstack/react-query";
import { useAccount, useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { recentRecords } from "../../../data/recent.ts";
import { search } from "../../../data/search.ts";
import type { PaletteGroup } from "../../../ui/palette.tsx";
import { useSettled } from "../../../use-settled.ts";
import { matches, searchedText } from "./commands.ts";
import { useDeploy } from "./use-deploy.ts";
import { useRecordItem } from "./use-record-item.ts";
import { useVerbs } from "./use-verbs.ts";

const typedMs = 100;
/** How many projects a text offers to deploy: many if it asks for that. */
const deploys = { asked: 8, unasked: 2 };

interface Groups {
  groups: PaletteGroup[];
  isLoading: boolean;
}

/** What the palette offers for a text: records, which the server finds, and verbs. Without a text: what was open last. */
export function useGroups(text: string): Groups {
  const o = useOrganization();
  const { q, isDeploy } = searchedText(useSettled(text, typedMs));
  const found = useQuery(search(o, q));
  const item = useRecordItem();
  const verbs = useVerbs();
  const deploy = useDeploy();
  const account = useAccount()?.id;
  const mayDeploy = useMay("deployment:create");
  if (text.trim() === "") {
    const recent = { title: "Recent", items: recentRecords({ account, organization: o }).flatMap(item) };
    return { groups: [recent, { title: "Actions", items: verbs }], isLoading: false };
  }
  const records = q === "" ? [] : (found.data?.data ?? []);
  const projects = mayDeploy ? records.filter(({ noun }) => noun === "project") : [];
  const deployed = projects.slice(0, isDeploy ? deploys.asked : deploys.unasked).map(deploy);
  const actions = { title: "Actions", items: [...deployed, ...verbs.filter(({ label }) => matches(label, text))] };
  const nouns = { title: "Records", items: records.flatMap(item) };
  return {
    groups: isDeploy ? [actions, nouns] : [nouns, actions],
    isLoading: found.isFetching || searchedText(text).q !== q,
  };
}
