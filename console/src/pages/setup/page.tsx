import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../../api/errors.ts";
import { whyNoPasskeys } from "../../api/passkeys.ts";
import { prefetch } from "../../data/cache.ts";
import { setupState } from "../../data/session.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { paths } from "../../paths.ts";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { ButtonLink } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { SetupForm } from "./setup-form.tsx";

export const loader = () => prefetch(setupState());

/** Makes the first account, with the code that the start of Longshore printed: `/setup#CODE`. */
export function Component(): ReactNode {
  const { data, error, refetch, isRefetching } = useQuery(setupState());
  if (data?.data.needed) return <Needed />;
  if (data) return <Done />;
  return (
    <AccessFrame title="Set up Longshore">
      {error ? (
        <ErrorPanel
          what="Whether this installation is set up could not be read."
          message={messageOf(error)}
          onRetry={() => void refetch()}
          isRetrying={isRefetching}
        />
      ) : (
        <SkeletonRows rows={3} />
      )}
    </AccessFrame>
  );
}

function Needed() {
  const reason = whyNoPasskeys();
  return (
    <AccessFrame title="Set up Longshore" lead="The first account owns the first organization, and can invite others.">
      <SetupForm />
      {reason && (
        <Notice>
          {reason} To sign in with passkeys, give this installation an https address with a domain name, as{" "}
          <code>LONGSHORE_PUBLIC_URL</code>. A password works everywhere.
        </Notice>
      )}
    </AccessFrame>
  );
}

const Done = () => (
  <AccessFrame
    title="This installation is set up"
    lead="Its first account was made. Sign in, or ask its owner to invite you."
  >
    <ButtonLink href={paths.signIn()} kind="primary">
      Sign in
    </ButtonLink>
  </AccessFrame>
);
