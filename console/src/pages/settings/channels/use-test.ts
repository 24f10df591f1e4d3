import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../../../api/errors.ts";
import { type Channel, channelActions } from "../../../data/channels.ts";
import { useOrganization } from "../../../data/organization.ts";
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
  // The record does not show whether the installation can send mail; nothing else is refused.
  const actions = useQuery({ ...channelActions(useOrganization(), id), enabled: type === "email" }).data?.data;
  return {
    send: () => test.mutate({ params: { id } }),
    isPending: test.isPending,
    disabledReason: actions?.test.message ?? undefined,
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
