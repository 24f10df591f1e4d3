import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { reading } from "../../../data/cache.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useSettled } from "../../../data/project-list.ts";
import { useWrite } from "../../../data/write.ts";
import { DnsRecord } from "../../../parts/dns-record.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { TextField } from "../../../ui/text-field.tsx";

interface Props {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

export function AddDomainDialog(props: Props) {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={`Add a domain to ${props.project.name}`}>
      <AddDomain {...props} />
    </Dialog>
  );
}

/** A name is checked once one has stopped typing. */
const typedAfterMs = 300;

function AddDomain({ project, onClose }: Props) {
  const [name, setName] = useState("");
  const add = useWrite("POST /api/v1/projects/{id}/domains", {
    touches: ["domains", "project", "projects"],
    onDone: onClose,
  });
  const send = () => add.mutate({ params: { id: project.id }, body: { domain: name.trim() } });
  const settled = useSettled(name.trim(), typedAfterMs);
  return (
    <Form onSubmit={send} errors={fieldsOf(add.error)}>
      <TextField
        label="Domain"
        name="domain"
        description="A host name, such as www.example.com."
        value={name}
        onChange={(text) => {
          setName(text);
          if (add.isError) add.reset();
        }}
        isRequired
        mono
        autoFocus
        autoComplete="off"
      />
      {settled.includes(".") && <LiveChecks project={project} name={settled} />}
      <FormActions refusal={sentenceOf(add.error)}>
        <Button type="submit" kind="primary" isPending={add.isPending}>
          Add domain
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

/** Whether the name can be had, and where it leads now. */
function LiveChecks({ project, name }: { project: ProjectReply; name: string }) {
  const o = useOrganization();
  const availability = useQuery({
    ...reading({ organization: o, noun: "availability" }, "GET /api/v1/projects/availability", {
      query: { domain: name },
    }),
    staleTime: 0,
  });
  const found = availability.data?.data.domain;
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      {found && (
        <p className={found.is_available ? "text-ok" : "text-bad"}>
          {found.is_available ? `${found.value} is available.` : found.reason}
        </p>
      )}
      {found?.is_available && <Destination project={project} name={found.value} />}
    </div>
  );
}

function Destination({ project, name }: { project: ProjectReply; name: string }) {
  const organization = useOrganization();
  // Visitors reach the load balancer where there is one.
  const server_id = project.load_balancer_id ?? project.server_id;
  const { data } = useQuery({
    queryKey: [organization, "dns", name, server_id],
    queryFn: ({ signal }) =>
      request("POST /api/v1/check-ns", { organization, body: { server_id, domains: [name] }, signal }),
    staleTime: 0,
  });
  const check = data?.data[0];
  if (!check) return <p className="text-text-3">DNS is being looked up.</p>;
  const leadsHere = check.status === "success";
  return (
    <>
      <p className={leadsHere ? "text-ok" : "text-text-2"}>{check.message}</p>
      {!leadsHere && check.expected_ip && <DnsRecord name={name} address={check.expected_ip} />}
    </>
  );
}
