import type { SendOptions } from "../channel.ts";
import { deliver, type HttpAnswer, isRefusal, plainJudge } from "../http.ts";
import type { Message, Outcome } from "../message.ts";
import { telegramBody } from "./message.ts";
import type { TelegramTarget } from "./target.ts";

/** Sends as the bot. The operator sets the address, not the user, so any address is allowed. */
export const sendToTelegram = (target: TelegramTarget, message: Message, options: SendOptions): Promise<Outcome> =>
  deliver(
    {
      url: `${options.telegramUrl}/bot${target.botToken}/sendMessage`,
      body: JSON.stringify(telegramBody(target, message)),
    },
    { mayReach: () => true, signal: options.signal },
    judge,
  );

/** Telegram's body states the error, and how long to wait. */
function judge(answer: HttpAnswer): Outcome {
  const { ok, description, parameters } = parsed(answer.text);
  if (answer.status === 200 && ok === true) return { isDelivered: true, answer: "200 ok" };
  const described = typeof description === "string" ? { ...answer, text: description } : answer;
  const outcome = plainJudge({ ...described, status: answer.status === 200 ? 502 : answer.status }, isRefusal);
  const seconds = (parameters as { retry_after?: unknown } | undefined)?.retry_after;
  if (outcome.isDelivered || typeof seconds !== "number") return outcome;
  return { ...outcome, retryAfterMs: seconds * 1_000 };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
