import type { CloudServerType, OmittedServerType } from "../../../../contract/types.ts";
import { formatCount, formatMoney, formatNumber } from "../../ui/format.ts";
import { RadioGroup } from "../../ui/radio-group.tsx";

interface Props {
  name: string;
  types: readonly CloudServerType[];
  omitted: readonly OmittedServerType[];
  chosen: string | undefined;
  onChange: (type: string) => void;
  /** Why one that is sold cannot be chosen. */
  refuse?: (type: CloudServerType) => string | undefined;
}

/** What the place sells, the cheapest first, and why the rest of it cannot be ordered. */
export function TypeChoice({ name, types, omitted, chosen, onChange, refuse }: Props) {
  return (
    <div className="flex flex-col gap-2">
      <RadioGroup
        label="Machine type"
        name={name}
        description="Prices a month, with VAT."
        value={chosen ?? null}
        onChange={onChange}
        isRequired
        options={byPrice(types).map((type) => ({
          value: type.name,
          label: <TypeLine type={type} />,
          disabledReason: refuse?.(type),
        }))}
      />
      {omitted.length > 0 && <Omitted types={omitted} />}
    </div>
  );
}

/** The cheapest first. */
export const byPrice = (types: readonly CloudServerType[]): CloudServerType[] =>
  types.toSorted((one, other) => Number(one.monthly_price_gross) - Number(other.monthly_price_gross));

function TypeLine({ type }: { type: CloudServerType }) {
  const { description, cores, memory_gb: memory, disk_gb: disk, architecture } = type;
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <span className="w-28 shrink-0 font-medium">{description}</span>
      <span className="w-20 shrink-0 tabular">{formatMoney(type.monthly_price_gross, type.currency)}</span>
      <span className="text-text-2 tabular">
        {formatCount(cores, "core")}, {formatNumber(memory)} GB memory
        {disk !== null && `, ${formatNumber(disk)} GB disk`}, {architecture}
      </span>
    </span>
  );
}

function Omitted({ types }: { types: readonly OmittedServerType[] }) {
  return (
    <details>
      <summary className="cursor-pointer text-text-2">
        {formatCount(types.length, "type cannot be ordered", "types cannot be ordered")}
      </summary>
      <ul className="flex flex-col gap-1 pt-1 pl-4">
        {types.map(({ name, reason }) => (
          <li key={name}>
            {name} <span className="text-text-2">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
