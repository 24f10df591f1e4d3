import { Building, CircleUser, Keyboard, KeyRound, LogOut, Monitor, Moon, Plus, Sun, UserPlus } from "lucide-react";
import type { Permission } from "../../../api/actions.ts";
import { mayEver } from "../../../api/actions.ts";
import { useAccount } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useSignOut } from "../../../data/session.ts";
import { chooseTheme, themeNames, themes, useTheme } from "../../../parts/theme.ts";
import { paths } from "../../../paths.ts";
import type { PaletteItem } from "../../../ui/palette.tsx";
import { useOpen } from "../open-dialog.ts";
import { usePlaces } from "../places.ts";

type Verb = PaletteItem & { permission?: Permission };

/** What the account can do or open from everywhere. */
export function useVerbs(): PaletteItem[] {
  const o = useOrganization();
  const account = useAccount();
  const theme = useTheme();
  const places = usePlaces();
  const open = useOpen();
  const { mutate: signOut } = useSignOut();
  const verbs: Verb[] = [
    ...creations(o),
    ...places.map(({ href, label, icon, key }) => ({
      ...{ id: `go:${key}`, label: `Go to ${label}`, icon, keys: `g ${key}`, href },
    })),
    ...(account?.organizations ?? [])
      .filter(({ id }) => id !== o)
      .map(({ id, name }) => ({
        id: `organization:${id}`,
        label: `Switch to ${name}`,
        icon: Building,
        href: paths.overview(id),
      })),
    { id: "create-organization", label: "Create organization", icon: Building, onAction: () => open("organization") },
    ...themes
      .filter((each) => each !== theme)
      .map((each) => ({
        ...{ id: `theme:${each}`, label: `Switch theme to ${themeNames[each]}`, icon: themeIcons[each] },
        onAction: () => chooseTheme(each),
      })),
    { id: "keys", label: "Show keys", icon: Keyboard, keys: "?", onAction: () => open("keys") },
    { id: "account", label: "Account", icon: CircleUser, href: paths.account() },
    { id: "sign-out", label: "Sign out", icon: LogOut, onAction: () => signOut() },
  ];
  return verbs.filter(({ permission }) => permission === undefined || mayEver(account?.organization, permission));
}

const themeIcons = { light: Sun, dark: Moon, system: Monitor };

const creations = (o: number): Verb[] => [
  { id: "new-project", label: "New project", icon: Plus, permission: "project:create", href: paths.newProject(o) },
  { id: "connect-server", label: "Connect server", icon: Plus, permission: "server:create", href: paths.newServer(o) },
  { id: "new-monitor", label: "New monitor", icon: Plus, permission: "monitor:manage", href: paths.newMonitor(o) },
  {
    ...{ id: "invite-member", label: "Invite member", icon: UserPlus, href: paths.settings(o, "members") },
    permission: "organization:manage",
  },
  { id: "create-token", label: "Create token", icon: KeyRound, href: paths.settings(o, "tokens") },
];
