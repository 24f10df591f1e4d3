import { useWhyNoMail } from "../../../data/me.ts";
import { PasswordField } from "../../../parts/password-field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { kindOf } from "./kinds.ts";
import type { ChannelValues } from "./values.ts";

interface Props {
  values: ChannelValues;
  onChange: (changed: Partial<ChannelValues>) => void;
  isNew: boolean;
}

/** Where a channel sends. Of an existing one the API shows no secret: what is not changed is kept. */
export function TargetFields({ values, onChange, isNew }: Props) {
  const { target: label, description, placeholder } = kindOf(values.type);
  const whyNoMail = useWhyNoMail();
  const isSecret = !isNew && values.target.endsWith("…");
  return (
    <>
      <TextField
        label={label}
        name="target"
        description={isSecret ? "Shown without its secret. Replace all of it to send elsewhere." : description}
        placeholder={placeholder}
        value={values.target}
        onChange={(target) => onChange({ target })}
        isRequired
        mono={values.type !== "email"}
        autoComplete="off"
      />
      {values.type === "email" && whyNoMail && <Notice tone="warn">{whyNoMail}</Notice>}
      {values.type === "telegram" && (
        <PasswordField
          label="Bot token"
          name="bot_token"
          description={isNew ? "As BotFather gave it." : "Empty: the present one is kept."}
          value={values.bot_token}
          onChange={(bot_token) => onChange({ bot_token })}
          isRequired={isNew}
        />
      )}
    </>
  );
}
