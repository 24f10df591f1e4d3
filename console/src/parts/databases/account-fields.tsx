import { TextField } from "../../ui/text-field.tsx";
import { PasswordField } from "../password-field.tsx";

/** The rules of names and passwords are the API's: its sentences appear at the fields. */
export function UsernameField({ placeholder }: { placeholder?: string }) {
  return (
    <TextField
      label="Username"
      name="username"
      mono
      maxLength={63}
      autoComplete="off"
      {...(placeholder === undefined ? { isRequired: true, autoFocus: true } : { placeholder })}
    />
  );
}

export const NewPasswordField = () => (
  <PasswordField
    label="Password"
    name="password"
    isNew
    isRequired={false}
    minLength={12}
    description="12 to 200 characters. One is made at random if you leave it empty."
  />
);
