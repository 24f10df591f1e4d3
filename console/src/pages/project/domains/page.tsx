import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetchOf } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { project, projectCertificates, projectDomains, projectRedirects } from "../../../data/projects.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { useProject } from "../use-project.ts";
import { AddDomainDialog } from "./add-domain-dialog.tsx";
import { CertificateSection } from "./certificate-section.tsx";
import { DomainRow } from "./domain-row.tsx";
import { RedirectsSection } from "./redirects-section.tsx";
import { WwwRedirect } from "./www-redirect.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.project)];
  return prefetchOf(project(o, id), projectDomains(o, id), projectRedirects(o, id), projectCertificates(o, id));
};

/** The names that a project answers to, where they lead, and the certificate for them. */
export function Component(): ReactNode {
  const project = useProject();
  const [isAdding, setAdding] = useState(false);
  const add = useMay("project:update") && (
    <Button kind="primary" icon={Plus} onPress={() => setAdding(true)}>
      Add domain
    </Button>
  );
  return (
    <div className="flex flex-col gap-8">
      <Section title="Domains" actions={add}>
        <DomainRows />
        <WwwRedirect project={project} />
      </Section>
      <CertificateSection project={project} />
      <RedirectsSection project={project} />
      <AddDomainDialog project={project} isOpen={isAdding} onClose={() => setAdding(false)} />
    </div>
  );
}

function DomainRows() {
  const project = useProject();
  const domains = useQuery(projectDomains(useOrganization(), project.id));
  return (
    <Loaded query={domains} what="The domains could not be read." rows={2}>
      {({ data }) => (
        <ul aria-label="Domains" className="border-line border-t">
          {data.map((domain) => (
            <DomainRow key={domain.id} project={project} domain={domain} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}
