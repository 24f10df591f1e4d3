import { useQuery } from "@tanstack/react-query";
import { CornerDownRight, Ellipsis, RefreshCw, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Domain, ProjectReply } from "../../../../../contract/types.ts";
import { refusalOf } from "../../../api/actions.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { domainActions } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { SyncNote } from "../../../parts/sync-note.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ExternalLink } from "../../../ui/link.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import { checkDns } from "./check-dns.ts";
import { DnsState } from "./dns-state.tsx";
import { RedirectDialog } from "./redirect-dialog.tsx";

interface Props {
  project: ProjectReply;
  domain: Domain;
}

export function DomainRow({ project, domain }: Props) {
  const scheme = new URL(project.url).protocol;
  return (
    <li className="flex flex-col gap-2 border-line border-b py-3" data-domain={domain.domain_name}>
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
            <ExternalLink href={`${scheme}//${domain.domain_name}`}>{domain.domain_name}</ExternalLink>
          </span>
          <Role domain={domain} />
          <SyncNote sync={domain.sync} />
        </div>
        <RowMenu project={project} domain={domain} />
      </div>
      <DnsState domain={domain} />
    </li>
  );
}

/** What the name is for. */
function Role({ domain }: { domain: Domain }) {
  if (domain.is_primary) return <Badge>Primary</Badge>;
  if (domain.redirect_to === null) return <span className="text-text-2">Serves the project</span>;
  return (
    <span className="min-w-0 text-text-2 [overflow-wrap:anywhere]">
      Redirects to {domain.redirect_to}
      {domain.redirect_status_code && ` (${domain.redirect_status_code})`}
    </span>
  );
}

type Asking = "redirect" | "remove";

function RowMenu({ project, domain }: Props) {
  const organization = useOrganization();
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const touches = ["domains", "project", "projects"];
  const makePrimary = useWrite("PUT /api/v1/projects/{id}/domains/{domainId}/primary", { touches });
  const serve = useWrite("PUT /api/v1/projects/{projectId}/domains/{domainId}/redirect", { touches });
  const ids = { projectId: project.id, domainId: domain.id };
  const refusal = useDomainRefusals(domain);
  const check: MenuItem = {
    id: "check",
    label: "Check DNS again",
    icon: RefreshCw,
    onAction: () => void checkDns(organization, domain),
  };
  const changes: MenuItem[] = [
    {
      id: "primary",
      label: "Make primary",
      icon: Star,
      disabledReason: domain.is_primary ? `${domain.domain_name} is the primary domain.` : refusal("make_primary"),
      onAction: () => makePrimary.mutate({ params: { id: project.id, domainId: domain.id } }),
    },
    domain.redirect_to === null
      ? {
          id: "redirect",
          label: "Redirect",
          icon: CornerDownRight,
          disabledReason: refusal("redirect"),
          onAction: () => setAsking("redirect"),
        }
      : {
          id: "serve",
          label: "Serve the project",
          icon: CornerDownRight,
          onAction: () => serve.mutate({ params: ids, body: { redirect_to: null } }),
        },
  ];
  const remove: MenuItem = {
    id: "remove",
    label: "Remove domain",
    icon: Trash2,
    danger: true,
    disabledReason: refusal("delete"),
    onAction: () => setAsking("remove"),
  };
  const sections = useMay("project:update")
    ? [{ items: [check, ...changes] }, { items: [remove] }]
    : [{ items: [check] }];
  const error = sentenceOf(makePrimary.error ?? serve.error);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <Menu
        label={`Actions of ${domain.domain_name}`}
        trigger={<IconButton label={`Actions of ${domain.domain_name}`} icon={Ellipsis} compact />}
        sections={sections}
      />
      <RedirectDialog domain={domain} isOpen={asking === "redirect"} onClose={close} />
      <RemoveDialog domain={domain} isOpen={asking === "remove"} onClose={close} />
    </div>
  );
}

/** Only the primary domain has reasons that the record does not show. */
function useDomainRefusals(domain: Domain) {
  const read = domainActions(useOrganization(), domain.project_id, domain.id);
  const actions = useQuery({ ...read, enabled: domain.is_primary === 1 }).data?.data;
  return (verb: "make_primary" | "redirect" | "delete"): string | undefined =>
    actions?.[verb].message ?? refusalOf("domain", verb, domain);
}

interface RemoveProps {
  domain: Domain;
  isOpen: boolean;
  onClose: () => void;
}

function RemoveDialog({ domain, isOpen, onClose }: RemoveProps) {
  const touches = ["domains", "project", "projects"];
  const remove = useWrite("DELETE /api/v1/projects/{projectId}/domains/{domainId}", { touches, onDone: onClose });
  const params = { projectId: domain.project_id, domainId: domain.id };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Remove ${domain.domain_name}`}
      verb="Remove domain"
      danger
      onConfirm={() => remove.mutate({ params })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>The web server stops answering to it, and the certificate is ordered again without it.</p>
    </ConfirmDialog>
  );
}
