import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { useAllowed } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { usePageNumber } from "../../../data/page-number.ts";
import { organizationTokens, ownTokens } from "../../../data/tokens.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { paths } from "../../../paths.ts";
import { PageLinks } from "../../../ui/page-links.tsx";
import { Section } from "../../../ui/section.tsx";
import { CreateToken } from "./create-token.tsx";
import { MemberTokenTable } from "./member-token-table.tsx";
import { OwnTokenTable } from "./own-token-table.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(ownTokens(Number(params.organization)));

/** What programs use the API with: one's own tokens, and for Owners those of all members. */
export function Component(): ReactNode {
  const query = useQuery(ownTokens(useOrganization()));
  const allowed = useAllowed();
  const readsAll = allowed?.role === "Owner" && allowed.restriction === null;
  return (
    <div className="flex flex-col gap-8">
      <Section
        title="Your tokens"
        description="Programs use the API with them, as you and with no more than you may."
        actions={<CreateToken />}
      >
        <Loaded query={query} what="The tokens could not be read." rows={3}>
          {({ data }) => <OwnTokenTable tokens={data} />}
        </Loaded>
      </Section>
      {readsAll && <OfOrganization />}
    </div>
  );
}

function OfOrganization() {
  const o = useOrganization();
  const page = usePageNumber();
  const query = useQuery({ ...organizationTokens(o, page), placeholderData: keepPreviousData });
  return (
    <Section title="Tokens of the organization" description="Those of all members that are for this organization.">
      <Loaded query={query} what="The tokens of the organization could not be read." rows={3}>
        {({ data, total_pages }) => (
          <>
            <MemberTokenTable tokens={data} />
            <PageLinks href={paths.settings(o, "tokens")} page={page} pages={total_pages} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
