import type { Account, InvitationPreview, Passkey, Session } from "../../contract/types.ts";
import { BackupCodes } from "../src/pages/account/backup-codes.tsx";
import { PasskeyTable } from "../src/pages/account/passkeys.tsx";
import { SessionTable } from "../src/pages/account/sessions.tsx";
import { InvitationBody } from "../src/pages/invitation/invitation-body.tsx";
import { SetupForm } from "../src/pages/setup/setup-form.tsx";
import { SecondFactorStep } from "../src/pages/sign-in/second-factor-step.tsx";
import { AccessFrame } from "../src/parts/access-frame.tsx";
import { LinkUnusable } from "../src/parts/link-unusable.tsx";
import { ProgramApproval } from "../src/parts/program-approval.tsx";
import { QrCode } from "../src/parts/qr-code.tsx";
import { ButtonLink } from "../src/ui/link.tsx";
import { InOrganization } from "./in-organization.tsx";

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const ignore = () => {};

const invitation: InvitationPreview = {
  organization: "Acme",
  inviter: "Alice",
  email: "nora@example.com",
  role: "Member",
  is_restricted: false,
  servers_count: 3,
  projects_count: 41,
  has_account: false,
  expires_at: ago(-4_000),
};

const account: Account = {
  ...{
    id: 1,
    name: "Alice",
    email: "alice@example.com",
    current_organization_id: 1,
    two_factor: false,
    passkeys: 0,
    sends_mail: true,
  },
  organizations: [
    { id: 1, name: "Acme", role: "Owner", plan: "business" },
    { id: 2, name: "وكالة الميناء", role: "Member", plan: "starter" },
  ],
  organization: {
    ...{ id: 1, name: "Acme", role: "Owner", restriction: null },
    permissions: ["project:read", "project:update", "deployment:create", "server:read", "monitor:read"],
    limits: { servers: null, monitors_of_type: null, monitor_interval_seconds: 20 },
  },
};

const device = {
  ...{ user_code: "BCDF-GHJK", client_name: "longshore on laptop", ip: "198.51.100.7", permissions: ["project:read"] },
  client: { kind: "cli" as const, name: "longshore", version: "0.3.0" },
  ...{ created_at: ago(1), expires_at: ago(-9) },
  oauth: null,
};

const browsers = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1",
  "A program that calls itself something longer than any column is wide, and does not end there",
];
const sessions: Session[] = browsers.map((user_agent, index) => ({
  ...{
    id: index,
    ip: index === 1 ? "2001:db8:85a3::8a2e:370:7334" : "198.51.100.7",
    user_agent,
    is_current: index === 0,
  },
  ...{ signed_in_at: ago(4_000 * (index + 1)), last_used_at: ago(index * 300), expires_at: ago(-8_000) },
}));

const passkey = (id: string, name: string, backedUp: boolean): Passkey => ({
  ...{ id, name, backedUp, userId: "1", credentialID: id, publicKey: "pQEC", counter: 1, deviceType: "multiDevice" },
  createdAt: ago(90_000),
});

export const alone = true;

export const states = {
  "set up": () => (
    <InOrganization>
      <AccessFrame
        title="Set up Longshore"
        lead="The first account owns the first organization, and can invite others."
      >
        <SetupForm />
      </AccessFrame>
    </InOrganization>
  ),
  "second factor": () => (
    <InOrganization>
      <AccessFrame title="Second factor">
        <SecondFactorStep onExpired={ignore} />
      </AccessFrame>
    </InOrganization>
  ),
  invitation: () => (
    <InOrganization>
      <InvitationBody token="lsi_1" invitation={invitation} />
    </InOrganization>
  ),
  "invitation, restricted": () => (
    <InOrganization>
      <InvitationBody
        token="lsi_1"
        invitation={{
          ...invitation,
          ...{ organization: "Grotesquely Long Name of an Agency for Digital Products & Services", inviter: null },
          ...{ role: "Viewer", is_restricted: true, servers_count: 0, projects_count: 1, has_account: true },
        }}
      />
    </InOrganization>
  ),
  "invitation of another person": () => (
    <InOrganization>
      <InvitationBody token="lsi_1" invitation={invitation} signedInAs="bob@example.com" />
    </InOrganization>
  ),
  "link that was used": () => (
    <LinkUnusable title="New password" error={null}>
      <ButtonLink href="#">Send another link</ButtonLink>
    </LinkUnusable>
  ),
  program: () => (
    <InOrganization known={[[[1, "me", null, "GET /api/v1/me", {}], { status: "success", data: account }]]}>
      <AccessFrame title="Connect a program" lead="Continue only if you have just started this program yourself.">
        <ProgramApproval program={device} account={account} onAnswer={ignore} />
      </AccessFrame>
    </InOrganization>
  ),
  account: () => (
    <InOrganization>
      <main className="flex max-w-3xl flex-col gap-8 p-4">
        <h1 className="sr-only">Account</h1>
        <PasskeyTable passkeys={[passkey("1", "Laptop", true), passkey("2", "مفتاح أمان", false)]} />
        <PasskeyTable passkeys={[]} />
        <SessionTable sessions={sessions} />
        <QrCode
          text="otpauth://totp/Longshore:alice@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Longshore"
          label="QR code"
        />
        <BackupCodes codes={["abcde-fghij", "klmno-pqrst", "uvwxy-zabcd"]} onDone={ignore} />
      </main>
    </InOrganization>
  ),
};
