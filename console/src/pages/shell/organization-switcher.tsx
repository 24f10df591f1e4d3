import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { useAccount } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { Menu } from "../../ui/menu.tsx";
import { useOpen } from "./open-dialog.ts";

/** The organization of the page, and the way to the others. Each has its own address, so tabs are independent. */
export function OrganizationSwitcher() {
  const o = useOrganization();
  const account = useAccount();
  const open = useOpen();
  const organizations = (account?.organizations ?? []).map(({ id, name }) => ({
    id: String(id),
    label: name,
    href: paths.overview(id),
    ...(id === o && { icon: Check }),
  }));
  const create = { id: "create", label: "Create organization", icon: Plus, onAction: () => open("organization") };
  return (
    <nav aria-label="Organization" className="min-w-0">
      <Menu
        label="Organizations"
        trigger={<CurrentOrganization name={account?.organization?.name} role={account?.organization?.role} />}
        sections={[{ title: "Organizations", items: organizations }, { items: [create] }]}
      />
    </nav>
  );
}

function CurrentOrganization({ name = "", role = "" }: { name: string | undefined; role: string | undefined }) {
  return (
    <AriaButton className="flex w-full min-w-0 cursor-pointer items-center gap-2 rounded-control px-2 py-1.5 text-left data-hovered:bg-text/6">
      <span className="flex min-w-0 grow flex-col">
        <span dir="auto" className="truncate font-semibold">
          {name}
        </span>
        <span className="text-meta text-text-3">{role}</span>
      </span>
      <ChevronsUpDown aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-text-3" />
    </AriaButton>
  );
}
