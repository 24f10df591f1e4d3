import { type ReactNode, useContext } from "react";
import { FieldError, Label, Text } from "react-aria-components";
import { inWordsOfPage, RefusedFields } from "./field-errors.ts";

export interface FieldText {
  /** The API's word for it: "Name", "Domain", "Public IP". */
  label: string;
  /** Stands between label and input; also for screen readers. */
  description?: ReactNode;
  /** It is only for screen readers: in rows that a heading above explains. */
  labelHidden?: boolean | undefined;
}

/** The classes of the box that one types in. */
export const inputClasses =
  "w-full min-w-0 rounded-control border border-control bg-surface px-2.5 text-prose text-text max-sm:text-touch " +
  "data-hovered:border-text-2 data-focused:border-focus data-focused:outline-1 data-focused:-outline-offset-1 " +
  "data-focused:outline-focus data-invalid:border-bad data-disabled:border-line data-disabled:text-text-3";

/** Label, description and error around an input, inside a field of react-aria-components. */
export function Field({ label, description, labelHidden, children }: FieldText & { children: ReactNode }) {
  return (
    <>
      <div className={labelHidden ? "sr-only" : "flex flex-col"}>
        <Label className="font-medium text-body text-text">{label}</Label>
        {description && (
          <Text slot="description" className="text-meta text-text-2">
            {description}
          </Text>
        )}
      </div>
      {children}
      <FieldMessage label={label} />
    </>
  );
}

/** What is wrong with the field: from the browser's checks, or from `errors` of the form. */
function FieldMessage({ label }: { label: string }) {
  const { errors } = useContext(RefusedFields);
  return (
    <FieldError className="text-bad text-meta">
      {({ validationErrors }) => validationErrors.map((each) => inWordsOfPage(each, errors, label)).join(" ")}
    </FieldError>
  );
}
