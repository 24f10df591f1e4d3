import type { Framework } from "../../../../../contract/types.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Section } from "../../../ui/section.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { fields, type SettingsDraft } from "./values.ts";

interface Props {
  draft: SettingsDraft;
  framework: Framework | undefined;
  frameworks: readonly Framework[];
}

export function BuildFields({ draft, framework, frameworks }: Props) {
  const { values, set } = draft;
  const family = framework?.runtime_family;
  const options = frameworks
    .filter(({ runtime_family }) => runtime_family === family)
    .map(({ id, label }) => ({ id: String(id), label }));
  return (
    <Section title="Build" description="Applies from the next deployment on. An empty command is the framework's own.">
      <Select
        label="Framework"
        name="framework_id"
        description="Of the same runtime: another one needs a new project."
        options={options}
        value={String(values.framework_id)}
        onChange={(id) => set({ framework_id: Number(id) })}
      />
      <TextField
        label="Directory"
        name="custom_commands.directory"
        description="Where the application is in the repository. Empty: its root."
        value={values.directory}
        onChange={(directory) => set({ directory })}
        mono
      />
      <Commands draft={draft} framework={framework} />
      <Versions draft={draft} family={family} />
      <Shared draft={draft} />
      <Kept draft={draft} family={family} />
    </Section>
  );
}

function Commands({ draft: { values, set }, framework }: Omit<Props, "frameworks">) {
  const defaults = framework?.defaults;
  return (
    <>
      <TextField
        label="Install command"
        name="custom_commands.install"
        placeholder={defaults?.install ?? ""}
        value={values.install}
        onChange={(install) => set({ install })}
        mono
      />
      <TextField
        label="Build command"
        name="custom_commands.build"
        placeholder={defaults?.build ?? ""}
        value={values.build}
        onChange={(build) => set({ build })}
        mono
      />
      <TextArea
        label="Script after the build"
        name="custom_commands.custom"
        description="One command a line, such as migrations."
        value={values.custom}
        onChange={(custom) => set({ custom })}
        rows={3}
        mono
      />
      {framework?.runtime_family === "node" && (
        <TextField
          label="Start command"
          name="custom_commands.dev"
          placeholder={defaults?.dev ?? ""}
          value={values.dev}
          onChange={(dev) => set({ dev })}
          mono
        />
      )}
      <TextField
        label="Output directory"
        name="output_directory"
        description="What is served. Empty: detected by the deployment."
        value={values.output_directory}
        onChange={(output_directory) => set({ output_directory })}
        mono
      />
    </>
  );
}

const asTheRepositoryAsks = "repository";
const phpVersions = [
  { id: asTheRepositoryAsks, label: "As composer.json asks" },
  { id: "default", label: "The server's default" },
  ...["8.5", "8.4", "8.3", "8.2", "8.1"].map((version) => ({ id: version, label: version })),
];

interface VersionsProps {
  draft: SettingsDraft;
  family: Framework["runtime_family"] | undefined;
}

function Versions({ draft: { values, set }, family }: VersionsProps) {
  return (
    <>
      {family === "php" && (
        <Select
          label="PHP version"
          name="php_version"
          options={phpVersions}
          value={values.php_version || asTheRepositoryAsks}
          onChange={(version) => set({ php_version: version === asTheRepositoryAsks ? "" : String(version) })}
        />
      )}
      <TextField
        label="Node version"
        name="node_version"
        description="Such as 22, 22.11 or lts/*. Empty: as the repository's files ask."
        value={values.node_version}
        onChange={(node_version) => set({ node_version })}
        mono
      />
    </>
  );
}

function Shared({ draft: { values, set } }: { draft: SettingsDraft }) {
  return (
    <>
      <TextArea
        label="Shared directories"
        name="shared_directories"
        description="One a line: kept from release to release. ! before one switches a framework's off."
        value={values.shared_directories}
        onChange={(shared_directories) => set({ shared_directories })}
        rows={3}
        mono
      />
      <TextArea
        label="Shared files"
        name="shared_files"
        value={values.shared_files}
        onChange={(shared_files) => set({ shared_files })}
        rows={2}
        mono
      />
    </>
  );
}

/** What stays from one build and release to the next. */
function Kept({ draft: { values, set }, family }: VersionsProps) {
  return (
    <>
      <TextField
        label={fields.kept_releases_mb.label}
        name="kept_releases_mb"
        description="Disk that the kept releases may use together: 100 to 1,000,000 MB. The live one and the one before it are always kept."
        inputMode="numeric"
        after="MB"
        value={values.kept_releases_mb}
        onChange={(kept_releases_mb) => set({ kept_releases_mb })}
        isRequired
      />
      <Checkbox
        isSelected={values.build_cache}
        onChange={(build_cache) => set({ build_cache })}
        description="Those of build tools, for the next build of a branch."
      >
        {fields.build_cache.label}
      </Checkbox>
      {family === "php" && (
        <Checkbox
          isSelected={values.always_rebuild_frontend}
          onChange={(always_rebuild_frontend) => set({ always_rebuild_frontend })}
          description="Also when nothing that it is built from has changed."
        >
          {fields.always_rebuild_frontend.label}
        </Checkbox>
      )}
      <Checkbox
        isSelected={values.discard_written_files}
        onChange={(discard_written_files) => set({ discard_written_files })}
        description="What the application wrote into the live release, outside of shared paths, is lost with the next deployment. Off: such files stop it."
      >
        {fields.discard_written_files.label}
      </Checkbox>
    </>
  );
}
