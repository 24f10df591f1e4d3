import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Loss, ProjectReply } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { messageOf, sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { formatBytes, formatNumber } from "../../../ui/format.ts";
import { Section } from "../../../ui/section.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useProjectRefusals } from "../use-project.ts";

/** Apart from everything else: what cannot be taken back. */
export function DangerSection({ project }: { project: ProjectReply }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useProjectRefusals(project);
  return (
    <Section
      title="Delete"
      description="Removes the project from its server and deletes its deployments. This cannot be taken back."
    >
      <Button kind="danger" className="self-start" onPress={() => setAsking(true)} disabledReason={refusal("delete")}>
        Delete project
      </Button>
      <DeleteDialog project={project} isOpen={isAsking} onClose={() => setAsking(false)} />
    </Section>
  );
}

interface DialogProps {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteDialog({ project, isOpen, onClose }: DialogProps) {
  const o = useOrganization();
  const navigate = useNavigate();
  const remove = useWrite("DELETE /api/v1/project/{id}", {
    touches: ["projects"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      void navigate(paths.projects(o));
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Delete ${project.name}`}
      verb="Delete project"
      danger
      typedName={project.name}
      onConfirm={() => remove.mutate({ params: { id: project.id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <Losses projectId={project.id} />
    </ConfirmDialog>
  );
}

/** What the API lists as lost. */
function Losses({ projectId }: { projectId: number }) {
  const organization = useOrganization();
  const { data, error } = useQuery({
    queryKey: [organization, "project", projectId, "losses"],
    queryFn: ({ signal }) =>
      request("DELETE /api/v1/project/{id}", {
        organization,
        params: { id: projectId },
        query: { dry_run: true },
        signal,
      }),
    staleTime: 0,
  });
  if (error) return <p className="text-bad">{messageOf(error)}</p>;
  if (!data) return <p>Looking up what is lost.</p>;
  return (
    <>
      <p dir="auto">{data.message}</p>
      <ul className="list-disc pl-5" aria-label="What is lost">
        {data.plan?.lost.map((loss) => (
          <li key={loss.noun}>{lossText(loss)}</li>
        ))}
      </ul>
    </>
  );
}

/** "2 databases (shop, shop_test), 1.5 GB". */
export function lossText({ noun, count, names, bytes }: Loss): string {
  const what = `${formatNumber(count)} ${count === 1 ? noun.replaceAll("_", " ") : pluralOf(noun.replaceAll("_", " "))}`;
  const more = count > names.length && names.length > 0 ? ", …" : "";
  const named = names.length > 0 ? ` (${names.join(", ")}${more})` : "";
  return `${what}${named}${bytes === null ? "" : `, ${formatBytes(bytes)}`}`;
}

const pluralOf = (noun: string): string => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`);
