import type { Delivery } from "../../../data/channels.ts";
import { Empty } from "../../../ui/empty.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Tone } from "../../../ui/tones.ts";
import { topicInWords } from "../channels/topics.ts";

const looks: Record<Delivery["status"], { word: string; tone: Tone }> = {
  queued: { word: "Waiting", tone: "idle" },
  delivered: { word: "Delivered", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
};

/** One that failed before waits for its next attempt. */
const lookOf = ({ status, attempts }: Delivery): { word: string; tone: Tone } =>
  status === "queued" && attempts > 0 ? { word: "Retrying", tone: "warn" } : looks[status];

const columns: Column<Delivery>[] = [
  { id: "title", label: "Message", render: (delivery) => <Message {...delivery} /> },
  {
    id: "state",
    label: "State",
    render: (delivery) => <StateIcon {...lookOf(delivery)} state={delivery.status} />,
  },
  { id: "attempts", label: "Attempts", align: "end", phone: "labelled", render: ({ attempts }) => attempts },
  { id: "sent", label: "Sent", render: ({ ended_at, created_at }) => <Time at={ended_at ?? created_at} /> },
];

/** What a channel was sent, the newest first. */
export function DeliveryList({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) {
    return <Empty title="Nothing was sent in the last 30 days">A test shows whether messages arrive.</Empty>;
  }
  return <SmallTable label="Deliveries" columns={columns} rows={deliveries} rowKey={({ id }) => id} />;
}

/** With the other side's answer, or the reason and when it is sent again. */
function Message({ topic, title, answer, error, next_attempt_at: next }: Delivery) {
  return (
    <span className="flex min-w-0 flex-col py-1">
      <span dir="auto" className="[overflow-wrap:anywhere]">
        {title}
      </span>
      <span className="text-meta text-text-2">
        {topicInWords(topic)}
        {next && (
          <>
            {" "}
            · next attempt <Time at={next} />
          </>
        )}
      </span>
      {error && (
        <span dir="auto" className="text-bad text-meta [overflow-wrap:anywhere]">
          {error}
        </span>
      )}
      {!error && answer && (
        <span dir="auto" className="text-meta text-text-2 [overflow-wrap:anywhere]">
          {answer}
        </span>
      )}
    </span>
  );
}
