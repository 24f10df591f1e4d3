import type { AppInput } from "../../../../../contract/types.ts";
import { PasswordField } from "../../../parts/password-field.tsx";
import { TextField } from "../../../ui/text-field.tsx";

interface Props {
  inputs: readonly AppInput[];
  answers: Record<string, string>;
  onChange: (answers: Record<string, string>) => void;
}

/** What the installation of an application asks for. */
export function AnswerFields({ inputs, answers, onChange }: Props) {
  return inputs.map((input) => (
    <AnswerField
      key={input.key}
      input={input}
      answer={answers[input.key] ?? ""}
      onChange={(answer) => onChange({ ...answers, [input.key]: answer })}
    />
  ));
}

interface FieldProps {
  input: AppInput;
  answer: string;
  onChange: (answer: string) => void;
}

function AnswerField({ input, answer, onChange }: FieldProps) {
  const field = {
    label: input.label,
    name: `inputs.${input.key}`,
    value: answer,
    onChange,
    isRequired: input.required && !input.generated,
    description: whenEmpty(input),
  };
  if (input.type === "password") return <PasswordField isNew {...field} />;
  return <TextField {...field} type={input.type} autoComplete="off" />;
}

function whenEmpty({ required, generated, type }: AppInput): string | undefined {
  if (generated) return "Empty: one is made at random, and shown by the project.";
  if (required) return undefined;
  return type === "email" ? "Empty: yours." : "Empty: the default.";
}
