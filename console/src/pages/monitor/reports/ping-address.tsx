import type { ReactNode } from "react";
import { CodeBlock } from "../../../ui/code.tsx";

interface Example {
  label: string;
  text: string;
}

const examplesOf = (address: string): readonly Example[] => [
  { label: "After success", text: `curl -fsS -m 10 --retry 3 -o /dev/null ${address}` },
  {
    label: "In a crontab, with the exit status of the job",
    text: `0 3 * * * /usr/local/bin/backup; curl -fsS -m 10 --retry 3 -o /dev/null ${address}/$?`,
  },
  { label: "When a run begins, so that its duration is known", text: `curl -fsS -m 10 -o /dev/null ${address}/start` },
];

/** The address that counts as a report when it is requested, and lines that do so. */
export function PingAddress({ address }: { address: string }) {
  return (
    <div className="flex max-w-[90ch] flex-col gap-3">
      <Labelled label="Ping address">
        <CodeBlock label="Copy ping address">{address}</CodeBlock>
      </Labelled>
      {examplesOf(address).map(({ label, text }) => (
        <Labelled key={label} label={label}>
          <CodeBlock label={`Copy line: ${label}`}>{text}</CodeBlock>
        </Labelled>
      ))}
    </div>
  );
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1">
    <p className="text-meta text-text-2">{label}</p>
    {children}
  </div>
);
