import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { TextField, type TextFieldProps } from "../ui/text-field.tsx";

type PasswordFieldProps = Omit<TextFieldProps, "type" | "after" | "mono" | "autoComplete"> & {
  /** A new password: what the rules are, and that password managers propose one. */
  isNew?: boolean;
};

/** A field for a password, whose characters can be shown. */
export function PasswordField({ isNew = false, ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      isRequired
      {...(isNew && { minLength: 8, description: "At least 8 characters." })}
      {...props}
      type={isShown ? "text" : "password"}
      autoComplete={isNew ? "new-password" : "current-password"}
      after={
        <IconButton
          compact
          label={isShown ? "Hide characters" : "Show characters"}
          icon={isShown ? EyeOff : Eye}
          onPress={() => setShown(!isShown)}
        />
      }
    />
  );
}
