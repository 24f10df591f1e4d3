import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Certificate, ProjectReply } from "../../../../../contract/types.ts";
import { messageOf, sentenceOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { projectCertificates } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { CertificateState } from "../../../parts/certificate-state.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Properties } from "../../../ui/properties.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { useProjectRefusals } from "../use-project.ts";
import { UploadCertificateDialog } from "./upload-certificate-dialog.tsx";

/** The certificate for the names of the project, and what the authority answered last. */
export function CertificateSection({ project }: { project: ProjectReply }) {
  const certificates = useQuery(projectCertificates(useOrganization(), project.id));
  const { data } = certificates;
  return (
    <Section title="Certificate" actions={data && <CertificateActions project={project} certificate={data[0]} />}>
      <Loaded query={certificates} what="The certificate could not be read." rows={3}>
        {([certificate]) => <CertificateFacts certificate={certificate} />}
      </Loaded>
    </Section>
  );
}

export function CertificateFacts({ certificate }: { certificate: Certificate | undefined }) {
  if (!certificate) return <p className="text-text-2">There is none: visitors reach the project without encryption.</p>;
  const { source, expires_at, renews_at, names, left_out, error } = certificate;
  const uncovered = left_out.map(({ name, reason }) => <li key={name}>{`${name}: ${reason}`}</li>);
  return (
    <Properties
      items={[
        { label: "State", value: <CertificateState status={certificate.status} /> },
        { label: "Issued", value: source === "acme" ? "By the authority" : "Uploaded" },
        { label: "Names", value: names.join(", ") },
        { label: "Expires", value: expires_at && <Time at={expires_at} /> },
        ...(source === "acme" ? [{ label: "Renews", value: renews_at && <Time at={renews_at} /> }] : []),
        ...(uncovered.length > 0 ? [{ label: "Not covered", value: <ul>{uncovered}</ul> }] : []),
        ...(error ? [{ label: "Last answer", value: <span className="text-bad">{error}</span> }] : []),
      ]}
    />
  );
}

interface ActionsProps {
  project: ProjectReply;
  certificate: Certificate | undefined;
}

function CertificateActions({ project, certificate }: ActionsProps) {
  const [asking, setAsking] = useState<"upload" | "remove">();
  const refusal = useProjectRefusals(project);
  if (!useMay("project:update")) return null;
  return (
    <>
      {certificate?.source === "acme" ? (
        <Renew certificate={certificate} />
      ) : (
        !certificate && <Request project={project} disabledReason={refusal("request_certificate")} />
      )}
      <Button onPress={() => setAsking("upload")} disabledReason={refusal("upload_certificate")}>
        Upload certificate
      </Button>
      {certificate && (
        <Button onPress={() => setAsking("remove")} disabledReason={refusal("remove_certificate")}>
          Remove certificate
        </Button>
      )}
      <UploadCertificateDialog project={project} isOpen={asking === "upload"} onClose={() => setAsking(undefined)} />
      <RemoveDialog project={project} isOpen={asking === "remove"} onClose={() => setAsking(undefined)} />
    </>
  );
}

const touches = ["certificates", "project", "projects"];

function Request({ project, disabledReason }: { project: ProjectReply; disabledReason: string | undefined }) {
  const order = useWrite("POST /api/v1/certificates", { touches });
  const primary = project.domains.find((domain) => domain.is_primary);
  const send = () => primary && order.mutate({ body: { project_id: project.id, domain_id: primary.id } });
  return (
    <>
      {order.error && <Refused error={order.error} />}
      <Button kind="primary" onPress={send} isPending={order.isPending} disabledReason={disabledReason}>
        Request certificate
      </Button>
    </>
  );
}

function Renew({ certificate }: { certificate: Certificate }) {
  const renew = useWrite("POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew", { touches });
  const params = { projectId: certificate.project_id, certificateId: certificate.id };
  return (
    <>
      {renew.error && <Refused error={renew.error} />}
      <Button onPress={() => renew.mutate({ params })} isPending={renew.isPending}>
        Renew now
      </Button>
    </>
  );
}

const Refused = ({ error }: { error: Error }) => (
  <p role="alert" className="text-bad">
    {messageOf(error)}
  </p>
);

interface RemoveProps {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

function RemoveDialog({ project, isOpen, onClose }: RemoveProps) {
  const remove = useWrite("DELETE /api/v1/certificates/{projectId}", { touches, onDone: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Remove the certificate of ${project.name}`}
      verb="Remove certificate"
      danger
      onConfirm={() => remove.mutate({ params: { projectId: project.id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>Visitors reach the project over HTTP only. Links with https stop working.</p>
    </ConfirmDialog>
  );
}
