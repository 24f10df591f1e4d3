import { type ReactNode, useState } from "react";
import { type LoaderFunctionArgs, redirect, useLocation, useSearchParams } from "react-router";
import { cache } from "../../data/cache.ts";
import { nextOf, session } from "../../data/session.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { LinkStep } from "./link-step.tsx";
import { PasswordStep } from "./password-step.tsx";
import { SecondFactorStep } from "./second-factor-step.tsx";

/** Who is signed in already, perhaps in another tab, is sent to the page. */
export async function loader({ request }: LoaderFunctionArgs) {
  const current = await cache.fetchQuery({ ...session(), staleTime: 0 }).catch(() => null);
  return current ? redirect(nextOf(new URL(request.url).searchParams)) : null;
}

/** `/sign-in?next=…`: by password and second factor, by a passkey, or by the token of a printed link after the `#`. */
export function Component(): ReactNode {
  const token = useLocation().hash.slice(1);
  const [search] = useSearchParams();
  const [step, setStep] = useState<"password" | "second factor">("password");
  if (token !== "") return <LinkStep token={token} />;
  if (step === "second factor") {
    return (
      <AccessFrame title="Second factor" tabTitle="Sign in">
        <SecondFactorStep onExpired={() => setStep("password")} />
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title="Sign in" {...(search.has("next") && { lead: "Sign in to continue where you were." })}>
      <PasswordStep onSecondFactor={() => setStep("second factor")} />
    </AccessFrame>
  );
}
