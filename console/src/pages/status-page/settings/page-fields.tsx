import { Switch } from "../../../ui/switch.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { labels, type SettingsDraft } from "./values.ts";

const domainText =
  "A host name for the page alone. Point it to this installation; the proxy in front of Longshore has to pass the name " +
  "on as Host, and to hold its certificate. Empty: none.";

export const PageFields = ({ draft: { values, set } }: { draft: SettingsDraft }) => (
  <>
    <TextField
      label={labels.name}
      name="name"
      description="The heading of the page."
      value={values.name}
      onChange={(name) => set({ name })}
      isRequired
      autoComplete="off"
    />
    <TextArea
      label={labels.description}
      name="description"
      description="Plain text below the heading."
      value={values.description}
      onChange={(description) => set({ description })}
      maxLength={2_000}
      rows={3}
    />
    <TextField
      label={labels.slug}
      name="slug"
      description="Lowercase letters, digits and hyphens. An earlier address leads nowhere."
      before="/status/"
      value={values.slug}
      onChange={(slug) => set({ slug })}
      isRequired
      mono
      autoComplete="off"
    />
    <TextField
      label={labels.domain}
      name="domain"
      description={domainText}
      placeholder="status.example.com"
      value={values.domain}
      onChange={(domain) => set({ domain })}
      mono
      autoComplete="off"
    />
    <Switch
      name="is_public"
      isSelected={values.is_public}
      onChange={(is_public) => set({ is_public })}
      description="While it is off, visitors get 404."
    >
      {labels.is_public}
    </Switch>
  </>
);
