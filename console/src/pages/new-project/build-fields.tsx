import type { Framework } from "../../../../contract/types.ts";
import type { Detection } from "../../data/new-project.ts";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Values } from "./draft.ts";
import type { DraftProps } from "./use-new-project.ts";

interface Props extends DraftProps {
  detection: Detection | null;
  frameworks: readonly Framework[];
}

type Text = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values];

interface TextSetting {
  value: Text;
  /** As the API calls it. */
  name: string;
  label: string;
  /** Where nothing was detected. */
  otherwise: string;
  found?: Exclude<keyof Detection, "notes" | "scheduler_jobs" | "background_jobs">;
  /** The command of the framework that an empty field stands for. */
  byFramework?: "install" | "build" | "dev";
  lines?: number;
  /** Only for these. */
  families?: readonly Framework["runtime_family"][];
}

const settings: readonly TextSetting[] = [
  {
    value: "directory",
    name: "custom_commands.directory",
    label: "Directory",
    found: "directory",
    otherwise: "Where the application is in the repository. Empty: its root.",
  },
  {
    value: "install",
    name: "custom_commands.install",
    label: "Install command",
    byFramework: "install",
    otherwise: "Empty: the framework's own.",
  },
  {
    value: "build",
    name: "custom_commands.build",
    label: "Build command",
    found: "build_command",
    otherwise: "Empty: the framework's own.",
    byFramework: "build",
  },
  {
    value: "custom",
    name: "custom_commands.custom",
    label: "Script after the build",
    found: "deployment_script",
    otherwise: "One command a line, such as migrations.",
    lines: 3,
  },
  {
    value: "dev",
    name: "custom_commands.dev",
    label: "Start command",
    found: "start_command",
    otherwise: "Empty: the framework's own.",
    byFramework: "dev",
    families: ["node"],
  },
  {
    value: "output_directory",
    name: "output_directory",
    label: "Output directory",
    found: "output_directory",
    otherwise: "What is served. Empty: detected by the deployment.",
  },
  {
    value: "node_version",
    name: "node_version",
    label: "Node version",
    found: "node_version",
    otherwise: "Such as 22, 22.11 or lts/*. Empty: as the repository's files ask.",
  },
  {
    value: "health_path",
    name: "health_path",
    label: "Health path",
    found: "health_path",
    otherwise: "What a release has to answer before it counts as served.",
  },
  {
    value: "shared_directories",
    name: "shared_directories",
    label: "Shared directories",
    lines: 2,
    found: "shared_directories",
    otherwise: "One a line: kept from release to release.",
  },
  {
    value: "shared_files",
    name: "shared_files",
    label: "Shared files",
    lines: 2,
    found: "shared_files",
    otherwise: "One a line.",
  },
];

/** How the repository becomes a release: what was detected, each with its reason. */
export function BuildFields({ values, set, detection, frameworks }: Props) {
  const framework = frameworks.find(({ id }) => id === values.framework_id);
  const shown = settings.filter(
    ({ families }) => !families || (framework && families.includes(framework.runtime_family)),
  );
  return (
    <Section title="Build">
      <div className="flex flex-col gap-4">
        <Select
          label="Framework"
          name="framework_id"
          description={detection?.framework?.reason ?? "Nothing shows which it is: choose it."}
          placeholder="Choose"
          options={frameworks.map(({ id, label }) => ({ id: String(id), label }))}
          value={values.framework_id === null ? null : String(values.framework_id)}
          onChange={(id) => set({ framework_id: id === null ? null : Number(id) })}
          isRequired
          autoFocus
        />
        {framework?.runtime_family === "php" && <PhpVersion values={values} set={set} detection={detection} />}
        {shown.map((setting) => (
          <Setting key={setting.value} setting={setting} {...{ values, set, detection, framework }} />
        ))}
      </div>
    </Section>
  );
}

interface SettingProps extends Omit<Props, "frameworks"> {
  setting: TextSetting;
  framework: Framework | undefined;
}

function Setting({ setting, values, set, detection, framework }: SettingProps) {
  const { value, name, label, otherwise, found, byFramework, lines } = setting;
  const field = {
    name,
    label,
    description: (found && detection?.[found]?.reason) ?? otherwise,
    value: values[value],
    onChange: (text: string) => set({ [value]: text }),
    mono: true,
    autoComplete: "off",
  };
  if (lines) return <TextArea {...field} rows={lines} />;
  return <TextField {...field} placeholder={(byFramework && framework?.defaults[byFramework]) ?? ""} />;
}

const asTheRepositoryAsks = "repository";
const phpVersions = [
  { id: asTheRepositoryAsks, label: "As composer.json asks" },
  { id: "default", label: "The server's default" },
  ...["8.5", "8.4", "8.3", "8.2", "8.1"].map((version) => ({ id: version, label: version })),
];

function PhpVersion({ values, set, detection }: Omit<Props, "frameworks">) {
  return (
    <Select
      label="PHP version"
      name="php_version"
      description={detection?.php_version?.reason}
      options={phpVersions}
      value={values.php_version || asTheRepositoryAsks}
      onChange={(version) => set({ php_version: version === asTheRepositoryAsks ? "" : String(version) })}
    />
  );
}
