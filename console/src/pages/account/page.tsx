import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Account } from "../../../../contract/types.ts";
import { passkeys, sessions } from "../../data/account.ts";
import { prefetch } from "../../data/cache.ts";
import { me } from "../../data/me.ts";
import { useSignOut } from "../../data/session.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { PasskeySection } from "./passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import { EmailForm, NameForm } from "./profile-forms.tsx";
import { SecondFactorSection } from "./second-factor.tsx";
import { SessionSection } from "./sessions.tsx";

export const loader = () => prefetch(me(null), sessions(), passkeys());

/** `/account`: who one is, and how one signs in. It belongs to no organization. */
export function Component(): ReactNode {
  useTitle("Account");
  const query = useQuery(me(null));
  return (
    <main className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-4 py-6 sm:px-6">
      <PageHeader
        title="Account"
        parent={{ href: paths.organizations(), label: query.data?.data.organization?.name ?? "Longshore" }}
        actions={<SignOutButton />}
      />
      <Loaded query={query} what="The account could not be read.">
        {({ data }) => <AccountSections account={data} />}
      </Loaded>
    </main>
  );
}

function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button onPress={() => signOut.mutate()} isPending={signOut.isPending}>
      Sign out
    </Button>
  );
}

function AccountSections({ account }: { account: Account }) {
  return (
    <>
      <Section title="Profile">
        <NameForm name={account.name} />
      </Section>
      <Section title="Address">
        <EmailForm email={account.email} />
      </Section>
      <Section title="Password">
        <PasswordForm email={account.email} />
      </Section>
      <PasskeySection />
      <SecondFactorSection isOn={account.two_factor} />
      <SessionSection />
      <Section title="Programs" description="A program on another device shows a code when it asks for a token.">
        <Link href={paths.device()} className="self-start">
          Enter the code of a program
        </Link>
      </Section>
    </>
  );
}
