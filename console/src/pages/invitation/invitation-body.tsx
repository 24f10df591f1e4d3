import type { InvitationPreview } from "../../../../contract/types.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { reachInWords, roleInWords } from "../../parts/reach.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/link.tsx";
import { Properties } from "../../ui/properties.tsx";
import { Time } from "../../ui/time.tsx";
import { AcceptAsMember, AcceptAsNew, SignInAsInvited } from "./accept.tsx";

interface InvitationBodyProps {
  token: string;
  invitation: InvitationPreview;
  /** The address of the account that is signed in. */
  signedInAs?: string | undefined;
}

export function InvitationBody({ token, invitation, signedInAs }: InvitationBodyProps) {
  const { inviter, organization } = invitation;
  return (
    <AccessFrame
      title={`Join ${organization}`}
      heading={
        <>
          Join <bdi>{organization}</bdi>
        </>
      }
      lead={
        <>
          <bdi>{inviter ?? "Someone"}</bdi> invites you to this organization.
        </>
      }
    >
      <Properties narrow items={propertiesOf(invitation)} />
      <Acceptance token={token} invitation={invitation} signedInAs={signedInAs} />
    </AccessFrame>
  );
}

const propertiesOf = (invitation: InvitationPreview) => [
  { label: "Role", value: `${invitation.role}: ${roleInWords[invitation.role]}` },
  { label: "Reach", value: reachInWords(invitation) },
  { label: "Your address", value: invitation.email },
  { label: "Expires", value: <Time at={invitation.expires_at} /> },
];

/** What one has to do depends on who is signed in, and on whether the address has an account. */
function Acceptance({ token, invitation, signedInAs }: InvitationBodyProps) {
  const { email, has_account: hasAccount } = invitation;
  if (signedInAs === email) return <AcceptAsMember token={token} />;
  if (signedInAs !== undefined) return <SignInAsInvited token={token} email={email} signedInAs={signedInAs} />;
  if (!hasAccount) return <AcceptAsNew token={token} email={email} />;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-prose">This address has an account here. Sign in with it to accept.</p>
      <ButtonLink href={paths.signIn(paths.invitation(token))} kind="primary">
        Sign in
      </ButtonLink>
    </div>
  );
}
