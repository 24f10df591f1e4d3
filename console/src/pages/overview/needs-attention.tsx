import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useOrganization } from "../../data/organization.ts";
import { type AttentionItem, attention } from "../../data/overview.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Button } from "../../ui/button.tsx";
import { formatNumber } from "../../ui/format.ts";
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

/** More would push what runs, and what happened last, far down. */
const shownAtFirst = 10;

export function AttentionList({ items }: { items: readonly AttentionItem[] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (items.length === 0) {
    return (
      <p className="flex items-center gap-2 border-line border-y py-3 text-text-2">
        <CircleCheck aria-hidden size={16} strokeWidth={1.75} className="text-ok" />
        Nothing needs attention.
      </p>
    );
  }
  const others = items.length - shownAtFirst;
  return (
    <>
      <ul className="border-line border-t">
        {(showsAll ? items : items.slice(0, shownAtFirst)).map((item) => (
          <AttentionRow key={item.key} item={item} />
        ))}
      </ul>
      {others > 0 && (
        <Button
          kind="quiet"
          compact
          className="self-start"
          aria-expanded={showsAll}
          onPress={() => setShowsAll(!showsAll)}
        >
          {showsAll ? "Show the worst" : `Show ${formatNumber(others)} more`}
        </Button>
      )}
    </>
  );
}
