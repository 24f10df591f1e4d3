import { useLocation } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { TabLinks } from "../../ui/tab-links.tsx";

/** The lists under "Monitors". */
export function MonitorTabs() {
  const o = useOrganization();
  const { pathname } = useLocation();
  return (
    <TabLinks
      label="Monitors"
      items={[
        { href: paths.monitors(o), label: "Monitors" },
        { href: paths.statusPages(o), label: "Status pages" },
        { href: paths.maintenanceWindows(o), label: "Maintenance" },
      ]}
      current={pathname}
    />
  );
}
