import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Incident, StatusPage } from "../../../../../contract/types.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { usePageNumber } from "../../../data/page-number.ts";
import { incidents } from "../../../data/status-pages.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { PageLinks } from "../../../ui/page-links.tsx";
import { Section } from "../../../ui/section.tsx";
import { IncidentDialogs, type Opened } from "./incident-dialogs.tsx";
import { IncidentList } from "./incident-list.tsx";

/** What people write about outages and planned work, for visitors. */
export function IncidentsSection({ page }: { page: StatusPage }) {
  const o = useOrganization();
  const number = usePageNumber();
  const query = useQuery({ ...incidents(o, page.id, number), placeholderData: keepPreviousData });
  const [opened, setOpened] = useState<Opened>();
  const mayManage = useMay("monitor:manage");
  return (
    <Section
      title="Incidents"
      description="Written by people, whatever the monitors show. Visitors see what is open, and what was resolved in the last 14 days."
      actions={
        mayManage && (
          <Button icon={Plus} onPress={() => setOpened({ kind: "open" })}>
            Open incident
          </Button>
        )
      }
    >
      <Loaded query={query} what="The incidents could not be read." rows={2}>
        {({ data, total_pages }) => (
          <>
            <Incidents incidents={data} onOpen={mayManage ? setOpened : undefined} />
            <PageLinks href={paths.statusPage(o, page.id)} page={number} pages={total_pages} />
          </>
        )}
      </Loaded>
      <IncidentDialogs pageId={page.id} opened={opened} onClose={() => setOpened(undefined)} />
    </Section>
  );
}

interface IncidentsProps {
  incidents: readonly Incident[];
  onOpen: ((opened: Opened) => void) | undefined;
}

const Incidents = (props: IncidentsProps) =>
  props.incidents.length === 0 ? (
    <Empty title="No incidents">
      Visitors see the state of the monitors alone. Open an incident to say what is wrong and when it will be mended.
    </Empty>
  ) : (
    <IncidentList {...props} />
  );
