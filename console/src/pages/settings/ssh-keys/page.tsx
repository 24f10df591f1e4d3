import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { useAccount, useAllowed, useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { organizationKeys, peopleKeys } from "../../../data/ssh-keys.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { AddKey } from "./add-key.tsx";
import { KeyTable } from "./key-table.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  return prefetch(organizationKeys(o), peopleKeys(o));
};

/** Public keys with which people sign in to servers. A key opens nothing before it is added to a server. */
export function Component(): ReactNode {
  return (
    <div className="flex flex-col gap-8">
      <OwnKeys />
      <OrganizationKeys />
    </div>
  );
}

function OwnKeys() {
  const me = useAccount()?.id;
  const query = useQuery(peopleKeys(useOrganization()));
  return (
    <Section
      title="Your SSH keys"
      description="Yours in all of your organizations. Each opens a server only after it was added there, in the server's settings."
      actions={<AddKey owner="user" />}
    >
      <Loaded query={query} what="Your SSH keys could not be read." rows={2}>
        {(keys) => (
          <KeyTable
            label="Your SSH keys"
            keys={keys.filter(({ user_id }) => user_id === me)}
            empty="The .pub file of a key on your computer, such as ~/.ssh/id_ed25519.pub."
            mayDelete
          />
        )}
      </Loaded>
    </Section>
  );
}

/** They are on servers out of a restricted member's reach. */
function OrganizationKeys() {
  const query = useQuery(organizationKeys(useOrganization()));
  const mayManage = useMay("organization:manage");
  const isRestricted = useAllowed()?.restriction != null;
  const reason = isRestricted
    ? "Your membership is restricted, so you cannot decide about SSH keys of the organization."
    : undefined;
  return (
    <Section
      title="SSH keys of the organization"
      description="Of programs, such as one that makes backups. They stay when people leave."
      actions={mayManage && <AddKey owner="organization" disabledReason={reason} />}
    >
      <Loaded query={query} what="The SSH keys of the organization could not be read." rows={2}>
        {({ data }) => (
          <KeyTable
            label="SSH keys of the organization"
            keys={data}
            empty="Every member who may change a server can add them to it."
            mayDelete={mayManage && !isRestricted}
          />
        )}
      </Loaded>
    </Section>
  );
}
