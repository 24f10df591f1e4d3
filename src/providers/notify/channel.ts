import type { FieldErrors } from "../../lib/errors.ts";
import type { Message, Outcome } from "./message.ts";

/** Where a channel goes, as a client gives it. Omitted parts stay as they are. */
export interface GivenTarget {
  target?: string | undefined;
  bot_token?: string | undefined;
}

/** The parts of the installation that sending needs. */
export interface Means {
  mail: MailServer | undefined;
  /** The root of Telegram's API. */
  telegramUrl: string;
  /** Addresses and networks that may be reached although they are not public. */
  allowedNetworks: readonly string[];
  signal: AbortSignal;
}

export interface MailServer {
  /** smtp: or smtps:, with user and password. */
  url: string;
  /** An address, or a name with one: `Longshore <deploy@example.com>`. */
  from: string;
}

/** A kind of channel: each folder beside this file has one. `Target` is what is stored, encrypted, as JSON. */
export interface ChannelKind<Target> {
  /** Reads what a client gave, over what is stored already. */
  read: (given: GivenTarget, stored?: Target) => { target: Target } | { errors: FieldErrors };
  /** For readers: enough to recognize the target, and nothing that opens it. */
  show: (target: Target) => string;
  /** Parts of the target that must be in no error, whatever repeats them. */
  secretsOf: (target: Target) => string[];
  /** One attempt. Never throws for what the other side does. */
  send: (target: Target, message: Message, means: Means, secret: string | undefined) => Promise<Outcome>;
}

/** How long one attempt may take. */
export const attemptTimeoutMs = 10_000;
