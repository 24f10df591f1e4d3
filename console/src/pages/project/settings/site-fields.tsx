import type { Framework } from "../../../../../contract/types.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Section } from "../../../ui/section.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { fields, type SettingsDraft } from "./values.ts";

interface Props {
  draft: SettingsDraft;
  family: Framework["runtime_family"] | undefined;
}

/** What the web server does for the project: applied at once, without a deployment. */
export function SiteFields({ draft, family }: Props) {
  const { values, set } = draft;
  return (
    <Section title="Web server" description="Applied at once.">
      <TextField
        label={fields.max_upload_mb.label}
        name="max_upload_mb"
        description="The largest request body that the site takes: 1 to 10,240 MB."
        inputMode="numeric"
        after="MB"
        value={values.max_upload_mb}
        onChange={(max_upload_mb) => set({ max_upload_mb })}
        isRequired
      />
      <RedirectField draft={draft} />
      {family === "static" && <FallbackField draft={draft} />}
      <TextArea
        label={fields.trusted_proxies.label}
        name="trusted_proxies"
        description="Proxies in front of the site, an address or network a line: they are believed about the address and the scheme of visitors. The organization's load balancers are as well."
        placeholder="203.0.113.0/24"
        value={values.trusted_proxies}
        onChange={(trusted_proxies) => set({ trusted_proxies })}
        rows={3}
        mono
      />
      <Checkbox
        isSelected={values.hsts_is_enabled}
        onChange={(hsts_is_enabled) => set({ hsts_is_enabled })}
        description="Browsers that were here once keep to HTTPS. They do so for a time also after it was switched off."
      >
        {fields.hsts_is_enabled.label}
      </Checkbox>
      <Checkbox
        isSelected={values.markdown_negotiation_enabled}
        onChange={(markdown_negotiation_enabled) => set({ markdown_negotiation_enabled })}
        description="For clients that ask for text/markdown."
      >
        {fields.markdown_negotiation_enabled.label}
      </Checkbox>
    </Section>
  );
}

const statuses = [
  { id: "301", label: "301, permanent" },
  { id: "308", label: "308, permanent, keeps the method" },
  { id: "302", label: "302, temporary" },
  { id: "307", label: "307, temporary, keeps the method" },
];

const RedirectField = ({ draft: { values, set } }: Pick<Props, "draft">) => (
  <Select
    label={fields.redirect_status_code.label}
    name="redirect_status_code"
    options={statuses}
    value={String(values.redirect_status_code)}
    onChange={(code) => set({ redirect_status_code: Number(code) as typeof values.redirect_status_code })}
  />
);

const fallbacks = [
  { id: "detected", label: "As detected by deployments" },
  { id: "true", label: "Get the index page" },
  { id: "false", label: "Are not found" },
];

const FallbackField = ({ draft: { values, set } }: Pick<Props, "draft">) => (
  <Select
    label={fields.spa_fallback.label}
    name="spa_fallback"
    options={fallbacks}
    value={String(values.spa_fallback ?? "detected")}
    onChange={(choice) => set({ spa_fallback: choice === "detected" ? null : choice === "true" })}
  />
);
