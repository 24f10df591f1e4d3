import { messageOf } from "../../../lib/errors.ts";
import { masker } from "../../../lib/mask.ts";
import { unansweredReason } from "../../../lib/unanswered.ts";
import { attemptTimeoutMs, type MailServer, type SendOptions } from "../channel.ts";
import type { Message, Outcome } from "../message.ts";
import { firstLine } from "../text.ts";
import { type Mail, mailOf } from "./message.ts";
import type { EmailTarget } from "./target.ts";

/** One email to all of the addresses. */
export function sendToEmail({ addresses }: EmailTarget, message: Message, options: SendOptions): Promise<Outcome> {
  if (!options.mail) return Promise.resolve(noMail);
  const headers = { "X-Longshore-Topic": message.topic };
  return sendMail(options.mail, { to: addresses, id: message.id, headers, ...mailOf(message) }, options.signal);
}

export const noMail: Outcome = {
  isDelivered: false,
  error: "This installation cannot send mail: its operator has not set LONGSHORE_SMTP_URL.",
  isPermanent: false,
};

export interface Envelope extends Mail {
  to: string[];
  /** The same for every attempt: it becomes the Message-ID, by which mail programs recognize a duplicate. */
  id: string;
  headers?: Record<string, string>;
}

/**
 * Sends an email to the mail server. A server that requires a password gets it over TLS only, unless it is on this
 * machine. Never throws for failures of the server.
 */
export async function sendMail(mail: MailServer, envelope: Envelope, signal: AbortSignal): Promise<Outcome> {
  const { to, id, headers, subject, text, html } = envelope;
  const domain = /@([^\s@>]+)>?\s*$/.exec(mail.from)?.[1] ?? "localhost";
  const transport = await transportTo(mail);
  const sent = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]);
  try {
    const info = await transport.sendMail({
      from: mail.from,
      to,
      subject,
      text,
      html,
      messageId: `<${id}@${domain}>`,
      headers: { "Auto-Submitted": "auto-generated", ...headers },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: sent,
    });
    const rejected = info.rejected ?? [];
    const but = rejected.length > 0 ? ` (refused for ${rejected.join(", ")})` : "";
    return { isDelivered: true, answer: `${firstLine(info.response)}${but}` };
  } catch (error) {
    const { password } = new URL(mail.url);
    return failureOf(error, masker([password, decodeURIComponent(password)]), sent.aborted);
  } finally {
    transport.close();
  }
}

async function transportTo({ url }: MailServer) {
  // Loaded for the first email: until then the process saves 2 MB.
  const { createTransport } = await import("nodemailer");
  const { username, hostname, protocol } = new URL(url);
  const isThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return createTransport({
    url,
    requireTLS: protocol === "smtp:" && username !== "" && !isThisMachine,
    connectionTimeout: attemptTimeoutMs,
    greetingTimeout: attemptTimeoutMs,
    socketTimeout: attemptTimeoutMs,
    dnsTimeout: attemptTimeoutMs,
  });
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
}

function failureOf(error: unknown, mask: (text: string) => string, isLate: boolean): Outcome {
  const { code = "", responseCode, response } = error as SmtpError;
  const late = isLate ? "did not answer in time" : undefined;
  const own = unansweredReason(error) ?? `could not be used: ${firstLine(messageOf(error))}`;
  const reason = response ? `answered: ${firstLine(response)}` : own;
  return {
    isDelivered: false,
    error: `The mail server ${mask(late ?? reason)}`,
    // A wrong password is for the operator to correct, and is not a failure of the email.
    isPermanent: code !== "EAUTH" && responseCode !== undefined && responseCode >= 500,
  };
}
