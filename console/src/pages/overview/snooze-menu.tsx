import { AlarmClock } from "lucide-react";
import { messageOf } from "../../api/errors.ts";
import type { AttentionItem } from "../../data/overview.ts";
import { useWrite } from "../../data/write.ts";
import { announce } from "../../parts/announce.tsx";
import { formatExact } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { snoozes } from "./snoozes.ts";

/** Hides an item from the account for some time; it is back earlier when it begins again. */
export function SnoozeMenu({ item }: { item: AttentionItem }) {
  const { name } = item.subject;
  const snooze = useWrite("POST /api/v1/attention/{key}/snooze", {
    touches: ["attention"],
    onDone: (_, { body }) => {
      if (body?.until) announce(`Snoozed ${name} until ${formatExact(body.until)}`);
      // The row is gone, and the button that had the focus.
      document.querySelector<HTMLElement>("main h1")?.focus();
    },
  });
  const hide = (until: Date) =>
    snooze.mutate(
      { params: { key: item.key }, body: { until: until.toISOString() } },
      { onError: (error) => showToast({ text: messageOf(error), tone: "bad" }) },
    );
  return (
    <Menu
      label={`Snooze ${name}`}
      trigger={<IconButton compact label={`Snooze ${name}`} icon={AlarmClock} isDisabled={snooze.isPending} />}
      sections={[
        {
          title: "Hide from me",
          items: snoozes(new Date()).map(({ label, until }) => ({ id: label, label, onAction: () => hide(until) })),
        },
      ]}
    />
  );
}
