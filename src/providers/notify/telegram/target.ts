import type { FieldErrors } from "../../../lib/errors.ts";
import type { ChannelKind, GivenTarget } from "../channel.ts";

export interface TelegramTarget {
  botToken: string;
  /** A chat's number, or the name of a public one: `@releases`. */
  chatId: string;
  /** A topic in a group that has topics. */
  threadId: number | null;
}

export const telegramTarget: Pick<ChannelKind<TelegramTarget>, "read" | "show" | "secretsOf"> = {
  read,
  show: ({ chatId, threadId }) => (threadId === null ? chatId : `${chatId}/${threadId}`),
  secretsOf: ({ botToken }) => [botToken, ...botToken.split(":")],
};

const chat = /^(-?\d{1,20}|@[A-Za-z0-9_]{4,64})(?:\/(\d{1,12}))?$/;
const token = /^\d{3,20}:[A-Za-z0-9_-]{20,100}$/;

function read({ target, bot_token: given }: GivenTarget, stored?: TelegramTarget) {
  const [, chatId = stored?.chatId, thread] = target === undefined ? [] : (chat.exec(target) ?? [null, ""]);
  const botToken = given ?? stored?.botToken ?? "";
  const threadId = target === undefined ? (stored?.threadId ?? null) : thread ? Number(thread) : null;
  const errors: FieldErrors = {
    ...(!chatId && {
      target:
        "The target must be a chat's number such as -1001234567890 or its name such as @releases; append /5 for topic 5.",
    }),
    ...(!token.test(botToken) && {
      bot_token: botToken
        ? "The bot token must be as Telegram's BotFather gave it: a number, a colon, and a secret."
        : "The bot token is required for Telegram: BotFather gives one.",
    }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { target: { botToken, chatId: chatId ?? "", threadId } };
}
