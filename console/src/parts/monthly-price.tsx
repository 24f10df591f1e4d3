import { formatMoney } from "../ui/format.ts";

interface MonthlyPriceProps {
  /** With VAT, as the API gives it; null: not known. */
  gross: string | null;
  net: string | null;
  currency: string | null;
}

/** What something costs a month, and what of that is not VAT. */
export function MonthlyPrice({ gross, net, currency }: MonthlyPriceProps) {
  if (gross === null || net === null || currency === null) return <span className="text-text-2">Not known</span>;
  return (
    <>
      <span className="font-medium tabular">{formatMoney(gross, currency)}</span>
      {gross !== net && <span className="text-text-2 tabular"> {formatMoney(net, currency)} without VAT</span>}
    </>
  );
}
