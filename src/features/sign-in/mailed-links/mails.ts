import { letter, type Mail } from "../../../providers/notify/email/message.ts";
import { linkMinutes } from "./schema.ts";

// The mails to accounts. `url` is the address of the installation: no request decides where a link leads.

const validity = `The link can be used once, within ${linkMinutes} minutes; the newest one counts. Anyone who has it can use it: keep it to yourself.`;
const unexpected = "If you did not ask for this, there is nothing that you need to do.";

export const resetMail = (url: string, token: string): Mail =>
  letter({
    title: "A new password for Longshore",
    paragraphs: [
      `Someone asked for a new password of your account at ${url}.`,
      { label: "Choose a new password", url: `${url}/reset-password#${token}` },
      `Without the console, send {"token": "${token}", "newPassword": "…"} to POST ${url}/api/auth/reset-password.`,
      validity,
    ],
    footer: unexpected,
  });

export const newEmailMail = (url: string, token: string, newEmail: string): Mail =>
  letter({
    title: "Confirm your address for Longshore",
    paragraphs: [
      `Someone who is signed in at ${url} wants to sign in as ${newEmail} from now on.`,
      { label: "Confirm this address", url: `${url}/confirm-email#${token}` },
      `Without the console, send {"token": "${token}"} to POST ${url}/api/auth/verify-email.`,
      validity,
    ],
    footer: unexpected,
  });

/** To the address before, so that a change by someone else is noticed. */
export const emailToChangeMail = (url: string, newEmail: string): Mail =>
  letter({
    title: "Your address for Longshore is to change",
    paragraphs: [
      `Someone who is signed in to your account at ${url} wants to change its address to ${newEmail}. It changes when that address is confirmed.`,
    ],
    footer: notYou(url),
  });

export const emailChangedMail = (url: string, newEmail: string): Mail =>
  letter({
    title: "Your address for Longshore was changed",
    paragraphs: [
      `The account at ${url} that had this address is now that of ${newEmail}. This address cannot sign in any more.`,
    ],
    footer: "If that was not you, ask the operator of this installation to set your account back.",
  });

export const passwordChangedMail = (url: string): Mail =>
  letter({
    title: "Your password for Longshore was changed",
    paragraphs: [
      `Your account at ${url} has a new password, set by a link that was mailed to you. All sessions have ended.`,
    ],
    footer: notYou(url),
  });

const notYou = (url: string): string =>
  `If that was not you, choose a new password at ${url}, which ends all sessions, and look through your tokens.`;
