import type { ReactNode } from "react";
import { ButtonContext, ComboBoxContext, Provider, SelectContext } from "react-aria-components";

interface Props {
  isDisabled: boolean;
  children: ReactNode;
}

/** Fields that can be disabled together: where they only show something. */
export function FieldSet({ isDisabled, children }: Props) {
  return (
    <fieldset disabled={isDisabled} className="contents">
      {/* The browser disables what is typed into; what is pressed would still open, and lose the focus when it closes. */}
      <Provider
        values={[
          [ButtonContext, { isDisabled }],
          [SelectContext, { isDisabled }],
          [ComboBoxContext, { isDisabled }],
        ]}
      >
        {children}
      </Provider>
    </fieldset>
  );
}
