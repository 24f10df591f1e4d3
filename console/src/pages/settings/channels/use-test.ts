import { messageOf } from "../../../api/errors.ts";
import type { Channel } from "../../../data/channels.ts";
import { useWhyNoMail } from "../../../data/me.ts";
import { useWrite } from "../../../data/write.ts";
import type { Tone } from "../../../ui/tones.ts";

/** The other side's answer, or why there is none. */
export interface TestResult {
  text: string;
  tone: Tone;
}

/** Sends a test message. The API waits up to 15 seconds for the other side. */
export function useTest({ id, type }: Channel) {
  const test = useWrite("POST /api/v1/notification-channels/{id}/test", { touches: ["channels", "channel"] });
  // Nothing else is refused.
  const whyNoMail = useWhyNoMail();
  return {
    send: () => test.mutate({ params: { id } }),
    isPending: test.isPending,
    disabledReason: type === "email" ? whyNoMail : undefined,
    result: resultOf(test),
  };
}

interface Tested {
  error: Error | null;
  data: { message: string; data: { status: string } } | undefined;
}

function resultOf({ error, data }: Tested): TestResult | undefined {
  if (error) return { text: messageOf(error), tone: "bad" };
  return data && { text: data.message, tone: data.data.status === "delivered" ? "ok" : "idle" };
}
