import type { FieldErrors } from "../../lib/errors.ts";
import type { Message, Outcome } from "./message.ts";

/** A channel's target as a client specifies it. Omitted parts do not change. */
export interface GivenTarget {
  target?: string | undefined;
  bot_token?: string | undefined;
}

/** The parts of the installation that are needed for sending. */
export interface SendOptions {
  mail: MailServer | undefined;
  /** The root of Telegram's API. */
  telegramUrl: string;
  /** Addresses and networks that are allowed although they are not public. */
  allowedNetworks: readonly string[];
  signal: AbortSignal;
}

export interface MailServer {
  /** smtp: or smtps:, with user and password. */
  url: string;
  /** An address, or a name with an address: `Longshore <deploy@example.com>`. */
  from: string;
}

/** A kind of channel: each has a folder beside this file. `Target` is stored, encrypted, as JSON. */
export interface ChannelKind<Target> {
  /** Merges a client's input into the stored target. */
  read: (given: GivenTarget, stored?: Target) => { target: Target } | { errors: FieldErrors };
  /** For readers: enough to recognize the target, without a secret part. */
  show: (target: Target) => string;
  /** Parts of the target that must not appear in any error, even one that quotes them. */
  secretsOf: (target: Target) => string[];
  /** One attempt. Never throws for failures of the other side. */
  send: (target: Target, message: Message, options: SendOptions, secret: string | undefined) => Promise<Outcome>;
}

/** Timeout of one attempt. */
export const attemptTimeoutMs = 10_000;
