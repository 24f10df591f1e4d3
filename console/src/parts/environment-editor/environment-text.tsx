import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { EnvironmentComparison } from "../../../../contract/types.ts";
import { request } from "../../api/client.ts";
import { messageOf } from "../../api/errors.ts";
import { useOrganization } from "../../data/organization.ts";
import { TextArea } from "../../ui/text-area.tsx";
import { Comparison } from "./comparison.tsx";

interface Props {
  projectId: number;
  /** The project's; what the text would change is compared again when it changes. */
  updatedAt: string;
  text: string;
  onChange: (text: string) => void;
  /** With what the text would change; undefined while that is not known. */
  onCompared: (comparison: EnvironmentComparison | undefined) => void;
}

/** The whole environment as the text of a `.env` file, and what saving it would add, change and remove. */
export function EnvironmentText({ projectId, updatedAt, text, onChange, onCompared }: Props) {
  const { comparison, error } = useComparison(projectId, updatedAt, text);
  useEffect(() => onCompared(comparison), [onCompared, comparison]);
  return (
    <div className="flex flex-col gap-3">
      <EnvironmentField text={text} onChange={onChange} />
      <div aria-live="polite" className="flex flex-col gap-2">
        {error && <p className="text-bad">{messageOf(error)}</p>}
        {comparison && <Comparison comparison={comparison} />}
      </div>
    </div>
  );
}

/** The text alone, such as for a project that does not exist yet. */
export function EnvironmentField({ text, onChange, rows = 10 }: Pick<Props, "text" | "onChange"> & { rows?: number }) {
  return (
    <TextArea
      label="Environment variables"
      name="environment_variables"
      description="The whole .env file: NAME=value, one a line. Values are never shown again."
      value={text}
      onChange={onChange}
      rows={rows}
      mono
      autoComplete="off"
    />
  );
}

const typedAfterMs = 250;

/** The text is no part of the key, which outlives the form: only how often it was changed is. */
function useComparison(projectId: number, updatedAt: string, text: string) {
  const organization = useOrganization();
  const [settled, setSettled] = useState({ text: "", revision: 0 });
  useEffect(() => {
    const settle = () => setSettled(({ revision }) => ({ text, revision: revision + 1 }));
    const timer = setTimeout(settle, typedAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useQuery({
    queryKey: [organization, "environment comparison", projectId, updatedAt, settled.revision],
    queryFn: ({ signal }) =>
      request("POST /api/v1/projects/{id}/environment-variables/compare", {
        organization,
        params: { id: projectId },
        body: { environment_variables: settled.text },
        signal,
      }),
    enabled: settled.text.trim() !== "",
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isCurrent = settled.text === text && text.trim() !== "";
  return isCurrent ? { comparison: data?.data, error } : { comparison: undefined, error: null };
}
