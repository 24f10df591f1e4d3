import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useOrganization } from "../../data/organization.ts";
import { type AttentionItem, attention } from "../../data/overview.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { AttentionRow } from "./attention-row.tsx";

/** What is wrong now, the worst first, each with what mends it. */
export function NeedsAttention() {
  const query = useQuery(attention(useOrganization()));
  return (
    <Section title="Needs attention">
      <Loaded query={query} what="What needs attention could not be read." rows={3}>
        {({ data }) => <AttentionList items={data} />}
      </Loaded>
    </Section>
  );
}

export function AttentionList({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) {
    return (
      <p className="flex items-center gap-2 border-line border-y py-3 text-text-2">
        <CircleCheck aria-hidden size={16} strokeWidth={1.75} className="text-ok" />
        Nothing needs attention.
      </p>
    );
  }
  return (
    <ul className="border-line border-t">
      {items.map((item) => (
        <AttentionRow key={item.key} item={item} />
      ))}
    </ul>
  );
}
