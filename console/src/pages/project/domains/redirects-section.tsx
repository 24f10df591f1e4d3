import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectReply, Redirect } from "../../../../../contract/types.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { projectRedirects } from "../../../data/projects.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { SyncNote } from "../../../parts/sync-note.tsx";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { ImportRedirectsDialog } from "./import-redirects-dialog.tsx";
import { PathRedirectDialog } from "./path-redirect-dialog.tsx";
import { RedirectTable } from "./redirect-table.tsx";

type Asking = "add" | "import" | { edited: Redirect };

/** The redirects of single paths, in their order. Those of whole names are with the domains. */
export function RedirectsSection({ project }: { project: ProjectReply }) {
  const redirects = useQuery(projectRedirects(useOrganization(), project.id));
  const [asking, setAsking] = useState<Asking>();
  const mayUpdate = useMay("project:update");
  const close = () => setAsking(undefined);
  const actions = mayUpdate && redirects.data && (
    <>
      <Button onPress={() => setAsking("import")}>Import redirects</Button>
      <Button onPress={() => setAsking("add")}>Add redirect</Button>
    </>
  );
  return (
    <Section
      title="Redirects"
      description="The first one that is for a visitor's path applies, at once."
      actions={actions}
    >
      <Loaded query={redirects} what="The redirects could not be read." rows={2}>
        {({ data }) => (
          <>
            <SyncNote sync={data.sync} />
            <RedirectTable id={project.id} shown={data} onEdit={(edited) => setAsking({ edited })} />
            {asking === "import" && <ImportRedirectsDialog id={project.id} shown={data} onClose={close} />}
            {asking === "add" && <PathRedirectDialog id={project.id} shown={data} onClose={close} />}
            {typeof asking === "object" && (
              <PathRedirectDialog id={project.id} shown={data} edited={asking.edited} onClose={close} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
