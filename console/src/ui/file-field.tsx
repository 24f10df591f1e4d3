import { FileUp } from "lucide-react";
import { useId } from "react";
import { FileTrigger } from "react-aria-components";
import { Button } from "./button.tsx";
import { formatBytes } from "./format.ts";

export interface FileFieldProps {
  label: string;
  description?: string;
  value: File | undefined;
  onChange: (file: File) => void;
}

/** One file from the disk. Enter and Space on the button choose it. */
export function FileField({ label, description, value, onChange }: FileFieldProps) {
  const id = useId();
  const choose = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onChange(file);
  };
  return (
    <fieldset aria-labelledby={`${id}-label`} aria-describedby={`${id}-text`} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-col">
        <span id={`${id}-label`} className="font-medium">
          {label}
        </span>
        <span id={`${id}-text`} className="text-meta text-text-2">
          {description}
        </span>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <FileTrigger onSelect={choose}>
          <Button icon={FileUp}>{value ? "Choose another file" : "Choose file"}</Button>
        </FileTrigger>
        {value && (
          <span role="status" className="min-w-0 [overflow-wrap:anywhere]">
            <bdi>{value.name}</bdi> <span className="text-text-2">{formatBytes(value.size)}</span>
          </span>
        )}
      </div>
    </fieldset>
  );
}
