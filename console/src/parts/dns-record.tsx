import { Copy } from "../ui/copy.tsx";

export interface DnsRecordProps {
  name: string;
  /** The address that the name should lead to; what it is decides the type of the record. */
  address: string;
}

/** The record to create at the DNS provider: each part is copied by itself, as providers ask for them in fields of their own. */
export function DnsRecord({ name, address }: DnsRecordProps) {
  const type = address.includes(":") ? "AAAA" : "A";
  const parts = [
    { label: "Type", value: type, copy: false },
    { label: "Name", value: name, copy: true },
    { label: "Value", value: address, copy: true },
  ];
  return (
    <dl
      className="flex w-fit max-w-full flex-wrap gap-x-6 gap-y-1 rounded-panel bg-sunken px-3 py-2"
      aria-label={`DNS record of ${name}`}
    >
      {parts.map(({ label, value, copy }) => (
        <div key={label} className="flex min-w-0 flex-col">
          <dt className="text-meta text-text-3">{label}</dt>
          <dd className="flex min-h-7 min-w-0 items-center gap-1">
            <code className="min-w-0 [overflow-wrap:anywhere]">{value}</code>
            {copy && <Copy text={value} label={`Copy ${label.toLowerCase()}`} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
