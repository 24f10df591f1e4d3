import { useNavigate } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { RadioGroup } from "../../ui/radio-group.tsx";

type Kind = "git" | "app";

const options: readonly { value: Kind; label: string; description: string }[] = [
  { value: "git", label: "A git repository", description: "Deployed from a branch." },
  { value: "app", label: "Install an application", description: "From the catalog, such as WordPress or Nextcloud." },
];

/** What a new project is made of. The choice is in the address. */
export function SourceKind({ kind }: { kind: Kind }) {
  const o = useOrganization();
  const navigate = useNavigate();
  const choose = (chosen: string) =>
    void navigate(paths.newProject(o, chosen === "app" ? "app" : undefined), { replace: true });
  return <RadioGroup label="What it runs" value={kind} onChange={choose} options={options} />;
}
