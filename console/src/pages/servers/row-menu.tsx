import { Box, Ellipsis, ListChecks, Pin, PinOff, Settings } from "lucide-react";
import { messageOf } from "../../api/errors.ts";
import { useOrganization } from "../../data/organization.ts";
import type { WholeServer } from "../../data/servers.ts";
import { useWrite } from "../../data/write.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";

const touches = ["servers", "server"];

/** What can be done with a server of the list. */
export function ServerMenu({ server: { id, name, is_pinned: isPinned } }: { server: WholeServer }) {
  const o = useOrganization();
  const pin = useWrite("POST /api/v1/servers/{id}/pin", { touches });
  const unpin = useWrite("DELETE /api/v1/servers/{id}/pin", { touches });
  const turn = () =>
    (isPinned ? unpin : pin).mutate(
      { params: { id } },
      { onError: (error) => showToast({ text: messageOf(error), tone: "bad" }) },
    );
  const items: MenuItem[] = [
    { id: "pin", label: isPinned ? "Unpin" : "Pin", icon: isPinned ? PinOff : Pin, onAction: turn },
    { id: "setup", label: "Setup", icon: ListChecks, href: paths.server(o, id, "setup") },
    { id: "projects", label: "Projects", icon: Box, href: paths.server(o, id, "projects") },
    { id: "settings", label: "Settings", icon: Settings, href: paths.server(o, id, "settings") },
  ];
  const label = `Actions of ${name}`;
  return (
    <Menu
      label={label}
      trigger={<IconButton label={label} icon={Ellipsis} compact excludeFromTabOrder />}
      sections={[{ items }]}
    />
  );
}
