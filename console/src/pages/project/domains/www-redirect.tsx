import type { ProjectReply } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { useWrite } from "../../../data/write.ts";
import { wwwRedirects } from "../../../parts/www-redirects.ts";
import { RadioGroup } from "../../../ui/radio-group.tsx";

/** Which form of the names redirects to the other; changed at once. */
export function WwwRedirect({ project }: { project: ProjectReply }) {
  const replace = useWrite("PUT /api/v1/projects/{id}/domains", { touches: ["domains", "project", "projects"] });
  const mayChange = useMay("project:update");
  const sentence = sentenceOf(replace.error);
  const set = (value: string) =>
    replace.mutate({
      params: { id: project.id },
      body: {
        domains: project.domains.map((domain) => domain.domain_name),
        www_redirect: Number(value) as 0 | 1 | 2,
        expected_updated_at: project.updated_at,
      },
    });
  return (
    <div className="flex flex-col gap-2 pt-3">
      <RadioGroup
        label="Redirect between names with and without www"
        value={String(replace.isPending ? replace.variables.body.www_redirect : project.www_redirect)}
        onChange={set}
        options={wwwRedirects}
        isReadOnly={!mayChange || replace.isPending}
      />
      {sentence && (
        <p role="alert" className="text-bad">
          {sentence}
        </p>
      )}
    </div>
  );
}
