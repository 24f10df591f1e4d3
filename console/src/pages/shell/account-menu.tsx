import { Check, CircleUser, LogOut, Monitor, Moon, Sun } from "lucide-react";
import type { ReactElement } from "react";
import { Button as AriaButton } from "react-aria-components";
import { useAccount } from "../../data/me.ts";
import { useSignOut } from "../../data/session.ts";
import { chooseTheme, themeNames, themes, useTheme } from "../../parts/theme.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, type MenuSection } from "../../ui/menu.tsx";

const themeIcons = { light: Sun, dark: Moon, system: Monitor };

/** The account, the look, and the way out. */
export function AccountMenu() {
  const account = useAccount();
  return (
    <WithAccount>
      <AriaButton className="flex w-full min-w-0 cursor-pointer items-center gap-2 rounded-control px-2 py-1.5 text-left data-hovered:bg-text/6">
        <CircleUser aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-text-2" />
        <span dir="auto" className="truncate">
          {account?.name || account?.email}
        </span>
      </AriaButton>
    </WithAccount>
  );
}

/** The same in the header of a phone. */
export function AccountIcon() {
  return (
    <WithAccount>
      <IconButton label="Account" icon={CircleUser} />
    </WithAccount>
  );
}

function WithAccount({ children }: { children: ReactElement }) {
  return <Menu label="Account" trigger={children} sections={useAccountSections()} />;
}

function useAccountSections(): MenuSection[] {
  const theme = useTheme();
  const { mutate: signOut } = useSignOut();
  return [
    {
      title: "Theme",
      items: themes.map((each) => ({
        id: each,
        label: themeNames[each],
        icon: each === theme ? Check : themeIcons[each],
        onAction: () => chooseTheme(each),
      })),
    },
    {
      items: [
        { id: "account", label: "Account", icon: CircleUser, href: paths.account() },
        { id: "sign-out", label: "Sign out", icon: LogOut, onAction: () => signOut() },
      ],
    },
  ];
}
