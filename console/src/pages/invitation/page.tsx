import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router";
import { isStatus } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { invitationPreview } from "../../data/invitation-preview.ts";
import { session } from "../../data/session.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { LinkUnusable } from "../../parts/link-unusable.tsx";
import { paths } from "../../paths.ts";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { ButtonLink } from "../../ui/link.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { InvitationBody } from "./invitation-body.tsx";

export const loader = ({ params: { token = "" } }: LoaderFunctionArgs) => prefetch(invitationPreview(token), session());

/** The mailed link `/invitations/{token}`: what the membership is, before anything is asked for. */
export function Component(): ReactNode {
  const { token = "" } = useParams();
  const { data: preview, error, refetch, isRefetching } = useQuery(invitationPreview(token));
  const { data: current } = useQuery(session());
  const title = "Invitation";
  if (isStatus(error, 404, 422)) {
    return (
      <LinkUnusable title={title} error={error}>
        <ButtonLink href={paths.organizations()}>Start page</ButtonLink>
      </LinkUnusable>
    );
  }
  if (preview && current !== undefined) {
    return <InvitationBody token={token} invitation={preview.data} signedInAs={current?.user.email} />;
  }
  return (
    <AccessFrame title={title}>
      {error ? (
        <ErrorPanel
          what="The invitation could not be read."
          message={error.message}
          onRetry={() => void refetch()}
          isRetrying={isRefetching}
        />
      ) : (
        <SkeletonRows rows={2} />
      )}
    </AccessFrame>
  );
}
