import { Globe, Plus, Rocket, Server } from "lucide-react";
import { Palette } from "../src/ui/palette.tsx";

const ignore = () => {};

export const alone = true;
export const states = {
  found: () => (
    <Palette
      isOpen
      onClose={ignore}
      query="sh"
      onQuery={ignore}
      groups={[
        {
          title: "Projects",
          items: [
            { id: "1", label: "Shop", context: "shop.example.com", icon: Globe, href: "#" },
            { id: "2", label: "Shop of Harbour", context: "harbour.example.com", icon: Globe, href: "#" },
          ],
        },
        { title: "Servers", items: [{ id: "3", label: "shop-1", context: "203.0.113.7", icon: Server, href: "#" }] },
        {
          title: "Actions",
          items: [
            { id: "4", label: "Deploy Shop", icon: Rocket, keys: "d", onAction: ignore },
            { id: "5", label: "Roll back Shop", icon: Rocket, disabledReason: "There is no earlier release." },
            { id: "6", label: "New project", icon: Plus, keys: "n", onAction: ignore },
          ],
        },
      ]}
    />
  ),
  nothing: () => <Palette isOpen onClose={ignore} query="qqq" onQuery={ignore} groups={[]} />,
};
