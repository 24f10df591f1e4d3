import { Search } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { AccountIcon } from "./account-menu.tsx";
import { useOpen } from "./open-dialog.ts";
import { OrganizationSwitcher } from "./organization-switcher.tsx";

/** The top of narrow screens; the way around is at their bottom. */
export function Header() {
  const open = useOpen();
  return (
    <header className="sticky top-0 z-20 flex items-center justify-between gap-2 border-line border-b bg-bg px-2 py-1 md:hidden">
      <OrganizationSwitcher />
      <div className="flex shrink-0 items-center">
        <IconButton label="Find" icon={Search} onPress={() => open("palette")} />
        <AccountIcon />
      </div>
    </header>
  );
}
