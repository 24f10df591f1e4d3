import { type ReactNode, useState } from "react";
import { sentenceOf } from "../../api/errors.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { formatCount } from "../../ui/format.ts";
import { ButtonLink } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { type Source, sources } from "./export-text.ts";
import { ImportResult } from "./import-result.tsx";
import { useImport } from "./use-import.ts";

/** Monitors of another program: what would be made of them, and then making it. */
export function Component(): ReactNode {
  const o = useOrganization();
  useTitle("Import monitors");
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <PageHeader title="Import monitors" parent={{ href: paths.monitors(o), label: "Monitors" }} />
      {useMay("monitor:manage") ? (
        <Import />
      ) : (
        <p className="text-text-2">Your role in this organization does not allow to add monitors.</p>
      )}
    </div>
  );
}

function Import() {
  const draft = useImport();
  const { result } = draft;
  return (
    <>
      <Form onSubmit={() => draft.send(true)} errors={draft.errors} aria-label="Import monitors">
        <SourceFields {...draft} />
        <FormActions refusal={sentenceOf(draft.error)}>
          <Button type="submit" kind={result ? "secondary" : "primary"} isPending={draft.isPending && !result}>
            Check import
          </Button>
          {result?.dry_run && <ImportButton {...draft} created={result.created} />}
          {result && !result.dry_run && <Done />}
        </FormActions>
      </Form>
      {result && <ImportResult result={result} targets={draft.targets} onChoose={draft.choose} />}
    </>
  );
}

type Draft = ReturnType<typeof useImport>;

function SourceFields({ source, setSource, text, setText }: Draft) {
  const [file, setFile] = useState<File>();
  const read = async (chosen: File) => {
    setFile(chosen);
    setText(await chosen.text());
  };
  return (
    <>
      <RadioGroup
        label="From"
        name="source"
        value={source}
        onChange={(id) => setSource(id as Source)}
        options={sources.map(({ id, ...option }) => ({ value: id, ...option }))}
      />
      <FileField label="File" value={file} onChange={(chosen) => void read(chosen)} />
      <TextArea
        label="Export"
        name="data"
        description="The text of the file. It can be pasted as well."
        value={text}
        onChange={setText}
        rows={8}
        mono
      />
    </>
  );
}

function ImportButton({ created, send, isPending }: Draft & { created: number }) {
  return (
    <Button
      kind="primary"
      onPress={() => send(false)}
      isPending={isPending}
      disabledReason={created === 0 ? "Nothing of it can be imported." : undefined}
    >
      Import {formatCount(created, "monitor")}
    </Button>
  );
}

const Done = () => (
  <ButtonLink kind="primary" href={paths.monitors(useOrganization())}>
    Show monitors
  </ButtonLink>
);
