import { letter, type Mail } from "../../providers/notify/email/message.ts";
import type { InvitationMail } from "./queries.ts";

type Invited = Pick<InvitationMail, "email" | "role" | "expires_at" | "organization" | "inviter">;

/** The mail to an invited person. `url` is the address of the installation. */
export function invitationMail(invited: Invited, token: string, url: string): Mail {
  const { email, role, organization, inviter } = invited;
  const by = inviter ?? "Someone";
  return letter({
    title: `${by} invites you to ${organization} on Longshore`,
    paragraphs: [
      `${by} invites ${email} to the organization ${organization} as ${role}, at ${url}.`,
      { label: "Show the invitation", url: `${url}/invitations/${token}` },
      `Without the console, send {"token": "${token}"} to POST ${url}/api/v1/invitations/accept: with a token of your account when ${email} has one there, or else with "name" and "password" for a new one.`,
      `It can be used once, until ${invited.expires_at.slice(0, 16).replace("T", " ")} UTC. Anyone who has it can use it: keep it to yourself.`,
    ],
    footer: "If you do not know what this is about, there is nothing that you need to do.",
  });
}
