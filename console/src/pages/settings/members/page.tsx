import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { invitations, memberPage } from "../../../data/organization-settings.ts";
import { usePageNumber } from "../../../data/page-number.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { paths } from "../../../paths.ts";
import { PageLinks } from "../../../ui/page-links.tsx";
import { Section } from "../../../ui/section.tsx";
import { InvitationTable } from "./invitation-table.tsx";
import { InviteMember } from "./invite-member.tsx";
import { MemberTable } from "./member-table.tsx";
import { useDecision } from "./use-decision.ts";

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(memberPage(Number(params.organization), 1));

/** Who belongs to the organization, and who is invited. */
export function Component(): ReactNode {
  const o = useOrganization();
  const page = usePageNumber();
  const query = useQuery({ ...memberPage(o, page), placeholderData: keepPreviousData });
  const mayManage = useMay("organization:manage");
  const decision = useDecision();
  return (
    <div className="flex flex-col gap-8">
      <Section title="Members" actions={mayManage && <InviteMember disabledReason={decision.refusal} />}>
        <Loaded query={query} what="The members could not be read." rows={4}>
          {({ data, total_pages }) => (
            <>
              <MemberTable members={data} decision={decision} />
              <PageLinks href={paths.settings(o, "members")} page={page} pages={total_pages} />
            </>
          )}
        </Loaded>
      </Section>
      {mayManage && <Invitations />}
    </div>
  );
}

function Invitations() {
  const query = useQuery(invitations(useOrganization()));
  return (
    <Section title="Invitations" description="They can be accepted once, until they expire.">
      <Loaded query={query} what="The invitations could not be read." rows={2}>
        {({ data }) => <InvitationTable invitations={data.filter(({ status }) => status !== "accepted")} />}
      </Loaded>
    </Section>
  );
}
