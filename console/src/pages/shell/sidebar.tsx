import { Search } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { Kbd } from "../../ui/kbd.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { NewerVersion } from "./newer-version.tsx";
import { useOpen } from "./open-dialog.ts";
import { OrganizationSwitcher } from "./organization-switcher.tsx";
import { paletteKeys } from "./palette-keys.ts";
import { Pins } from "./pins.tsx";
import { PlaceLink } from "./place-link.tsx";
import { usePlaces } from "./places.ts";

/** The navigation of wide screens. */
export function Sidebar() {
  const places = usePlaces();
  return (
    <div className="sticky top-0 flex h-dvh flex-col gap-3 border-line border-r p-3 max-md:hidden">
      <OrganizationSwitcher />
      <FindButton />
      <nav aria-label="Main" className="flex min-h-0 grow flex-col gap-5 overflow-y-auto">
        <ul className="flex flex-col gap-px">
          {places.map((place) => (
            <li key={place.href}>
              <PlaceLink {...place} />
            </li>
          ))}
        </ul>
        <Pins />
      </nav>
      <NewerVersion />
      <AccountMenu />
    </div>
  );
}

function FindButton() {
  const open = useOpen();
  return (
    <AriaButton
      onPress={() => open("palette")}
      className="flex h-8 shrink-0 cursor-pointer items-center gap-2.5 rounded-control border border-line bg-surface px-2 text-text-2 data-hovered:border-control"
    >
      <Search aria-hidden size={16} strokeWidth={1.75} />
      <span className="grow text-left">Find</span>
      <Kbd keys={paletteKeys} />
    </AriaButton>
  );
}
