import { htmlOf, type Mail, subjectOf } from "../../providers/notify/email/message.ts";
import type { InvitationMail } from "./queries.ts";

type Invited = Pick<InvitationMail, "email" | "role" | "expires_at" | "organization" | "inviter">;

/** The mail to an invited person. `url` is the address of the installation. */
export function invitationMail(invited: Invited, token: string, url: string): Mail {
  const { email, role, organization, inviter } = invited;
  const by = inviter ?? "Someone";
  const title = `${by} invites you to ${organization} on Longshore`;
  const paragraphs = [
    `${by} invites ${email} to the organization ${organization} as ${role}, at ${url}.`,
    `Your invitation is\n${token}`,
    `To accept it, send it to ${url}/api/v1/invitations/accept as {"token": "…"}: signed in, when ${email} has an account there, or else with "name" and "password" for a new one.`,
    `It can be used once, until ${invited.expires_at.slice(0, 16).replace("T", " ")} UTC. Anyone who has it can use it: keep it to yourself.`,
  ];
  const footer = "If you do not know what this is about, there is nothing that you need to do.";
  return {
    subject: subjectOf(title),
    text: [...paragraphs, "--", footer].join("\n\n"),
    html: htmlOf(title, [...paragraphs, { label: url, url }], footer),
  };
}
