import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { ProjectReply, Redirect } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { projectRedirects } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { SyncNote } from "../../../parts/sync-note.tsx";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Section } from "../../../ui/section.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { AddPathRedirectDialog } from "./add-path-redirect-dialog.tsx";
import { ImportRedirectsDialog } from "./import-redirects-dialog.tsx";

type Asking = "add" | "import";

/** The redirects of single paths, in their order. Those of whole names are with the domains. */
export function RedirectsSection({ project }: { project: ProjectReply }) {
  const redirects = useQuery(projectRedirects(useOrganization(), project.id));
  const [asking, setAsking] = useState<Asking>();
  const mayUpdate = useMay("project:update");
  const close = () => setAsking(undefined);
  return (
    <Section
      title="Redirects"
      description="Of paths. The first that matches applies, before anything else of the site, without a deployment."
      actions={
        mayUpdate &&
        redirects.data && (
          <div className="flex gap-2">
            <Button onPress={() => setAsking("import")}>Import redirects</Button>
            <Button onPress={() => setAsking("add")}>Add redirect</Button>
          </div>
        )
      }
    >
      <Loaded query={redirects} what="The redirects could not be read." rows={2}>
        {({ data }) => (
          <>
            <SyncNote sync={data.sync} />
            <Rows id={project.id} redirects={data.redirects} mayUpdate={mayUpdate} />
            {asking === "add" && <AddPathRedirectDialog id={project.id} present={data.redirects} onClose={close} />}
            {asking === "import" && <ImportRedirectsDialog id={project.id} onClose={close} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

type Numbered = Redirect & { at: number };

const columns: readonly Column<Numbered>[] = [
  {
    id: "from",
    label: "Path",
    render: ({ from, match }) => (match === "prefix" ? `${from} and below` : from),
    grow: true,
  },
  { id: "to", label: "Target", render: ({ to }) => to ?? "Gone", grow: true },
  { id: "status", label: "Status", render: ({ status }) => status, phone: "labelled" },
  { id: "query", label: "Query", render: ({ keeps_query }) => (keeps_query ? "Kept" : "Dropped"), phone: "hidden" },
];

function Rows({ id, redirects, mayUpdate }: { id: number; redirects: readonly Redirect[]; mayUpdate: boolean }) {
  const remove = useWrite("PUT /api/v1/projects/{id}/redirects", {
    touches: ["domains", "project"],
    onDone: ({ message }) => showToast({ text: message, tone: "ok" }),
  });
  if (redirects.length === 0) return <p className="text-text-2">No path is redirected.</p>;
  const without = (at: number) =>
    remove.mutate({ params: { id }, body: { redirects: redirects.filter((_, each) => each !== at) } });
  return (
    <>
      <SmallTable
        label="Redirects"
        columns={columns}
        rows={redirects.map((each, at) => ({ ...each, at }))}
        rowKey={({ at }) => at}
        actions={
          mayUpdate
            ? ({ at, from }) => (
                <IconButton
                  icon={Trash2}
                  label={`Delete the redirect of ${from}`}
                  isDisabled={remove.isPending}
                  onPress={() => without(at)}
                />
              )
            : undefined
        }
      />
      {remove.error && <p className="text-bad">{sentenceOf(remove.error)}</p>}
    </>
  );
}
