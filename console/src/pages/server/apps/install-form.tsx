import { useState } from "react";
import { useNavigate } from "react-router";
import type { CatalogApp, Operations } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useRequestKey, useWrite } from "../../../data/write.ts";
import { DomainCheck } from "../../../parts/domain-check.tsx";
import { NameCheck } from "../../../parts/name-check.tsx";
import { wwwRedirects } from "../../../parts/www-redirects.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { AnswerFields } from "./answer-fields.tsx";

type Request = Operations["POST /api/v1/projects/install"]["body"];

interface Props {
  app: CatalogApp;
  serverId: number;
  disabledReason: string | undefined;
}

/** Name, domain, and the questions of the application; what follows is shown on its project. */
export function InstallForm({ app, serverId, disabledReason }: Props) {
  const [values, setValues] = useState({ name: "", domain: "", redirect: "0" });
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const install = useInstallation();
  const set = (changed: Partial<typeof values>) => setValues((now) => ({ ...now, ...changed }));
  const begin = () =>
    install.begin({
      name: values.name.trim(),
      domain: values.domain.trim(),
      server_id: serverId,
      app_slug: app.slug,
      inputs: Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== "")),
      www_redirect: Number(values.redirect) as NonNullable<Request["www_redirect"]>,
    });
  return (
    <Form onSubmit={begin} errors={fieldsOf(install.error)} aria-label={`Install ${app.name}`}>
      <TextField label="Name" name="name" value={values.name} onChange={(name) => set({ name })} isRequired autoFocus />
      <NameCheck name={values.name} />
      <TextField
        label="Domain"
        name="domain"
        description="A host name, such as blog.example.com. A certificate is ordered if it leads to the server already."
        value={values.domain}
        onChange={(domain) => set({ domain })}
        isRequired
        mono
        autoComplete="off"
      />
      <DomainCheck name={values.domain} serverId={serverId} />
      <Select
        label="Redirect between names with and without www"
        name="www_redirect"
        options={wwwRedirects.map(({ value, label }) => ({ id: value, label }))}
        value={values.redirect}
        onChange={(redirect) => set({ redirect: String(redirect) })}
      />
      <AnswerFields inputs={app.inputs} answers={answers} onChange={setAnswers} />
      <FormActions refusal={sentenceOf(install.error)}>
        <Button type="submit" kind="primary" isPending={install.isPending} disabledReason={disabledReason}>
          {`Install ${app.name}`}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Creates the project, and goes to where its installation is followed. */
function useInstallation() {
  const o = useOrganization();
  const navigate = useNavigate();
  const keyFor = useRequestKey();
  const install = useWrite("POST /api/v1/projects/install", {
    touches: ["projects", "overview"],
    onDone: ({ data }) => navigate(paths.project(o, data.id)),
  });
  return {
    begin: (body: Request) => install.mutate({ body, idempotencyKey: keyFor(body, install.error) }),
    error: install.error,
    isPending: install.isPending,
  };
}
