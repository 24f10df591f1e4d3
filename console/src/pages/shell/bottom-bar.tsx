import { Ellipsis, type LucideIcon } from "lucide-react";
import { Button as AriaButton, Link as AriaLink } from "react-aria-components";
import { classNames } from "../../ui/class-names.ts";
import { Menu } from "../../ui/menu.tsx";
import { useIsCurrent } from "./place-link.tsx";
import { type Place, usePlaces } from "./places.ts";

/** What fits beside "More". */
const most = 4;

/** The navigation of narrow screens, within reach of the thumb. */
export function BottomBar() {
  const places = usePlaces();
  const [shown, others] = [places.slice(0, most), places.slice(most)];
  return (
    <nav
      aria-label="Main"
      data-bar="bottom"
      className="fixed inset-x-0 bottom-0 z-30 border-line border-t bg-bg pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex">
        {shown.map((place) => (
          <li key={place.href} className="min-w-0 grow basis-0">
            <Tab {...place} />
          </li>
        ))}
        {others.length > 0 && (
          <li className="min-w-0 grow basis-0">
            <More places={others} />
          </li>
        )}
      </ul>
    </nav>
  );
}

const tabClasses = "flex h-14 w-full cursor-pointer flex-col items-center justify-center gap-0.5 text-meta";

function Tab({ href, label, icon }: Place) {
  const current = useIsCurrent(href);
  return (
    <AriaLink
      href={href}
      aria-current={current ? "page" : undefined}
      className={classNames(tabClasses, current ? "text-text" : "text-text-3")}
    >
      <TabContent icon={icon} label={label} />
    </AriaLink>
  );
}

function More({ places }: { places: readonly Place[] }) {
  return (
    <Menu
      label="More"
      trigger={
        <AriaButton className={classNames(tabClasses, "text-text-2")}>
          <TabContent icon={Ellipsis} label="More" />
        </AriaButton>
      }
      sections={[{ items: places.map(({ href, label, icon }) => ({ id: href, href, label, icon })) }]}
    />
  );
}

function TabContent({ icon: Icon, label }: { icon: LucideIcon; label: string }) {
  return (
    <>
      <Icon aria-hidden size={18} strokeWidth={1.75} />
      <span className="max-w-full truncate">{label}</span>
    </>
  );
}
