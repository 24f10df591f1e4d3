import type { CloudPrice } from "./driver.ts";

/** Decimal strings as prices. Amounts are integers in ten-thousandths, because sums of floats are inexact. */
const unit = 10_000n;

function unitsOf(decimal: string): bigint {
  const [, whole = "0", part = ""] = /^(\d{1,12})(?:\.(\d+))?$/.exec(decimal) ?? [];
  const digits = part.padEnd(5, "0");
  return BigInt(whole) * unit + BigInt(digits.slice(0, 4)) + (digits.charAt(4) >= "5" ? 1n : 0n);
}

// Two digits, more if they are not zero.
function decimalOf(units: bigint): string {
  const part = (units % unit)
    .toString()
    .padStart(4, "0")
    .replace(/0{1,2}$/, "");
  return `${units / unit}.${part}`;
}

export const isDecimal = (text: string): boolean => /^\d{1,12}(?:\.\d{1,20})?$/.test(text);

export const priceOf = (net: string, gross: string, currency: string): CloudPrice => ({
  net: decimalOf(unitsOf(net)),
  gross: decimalOf(unitsOf(gross)),
  currency,
});

/** For a provider that returns prices without VAT only. */
export const netPrice = (net: string, currency: string): CloudPrice => priceOf(net, net, currency);

/** A JSON number as a decimal string. */
export const decimalOfNumber = (value: number): string => value.toFixed(6);

/** Price of a month, from its hourly price, converted as the provider does. */
export function monthlyOf(hourly: string, hours: number, currency: string): CloudPrice {
  // Hourly prices have more digits than monthly ones: multiply before rounding.
  const [, whole = "0", part = ""] = /^(\d{1,12})(?:\.(\d+))?$/.exec(hourly) ?? [];
  const scaled = BigInt(whole + part.padEnd(10, "0").slice(0, 10)) * BigInt(hours);
  const units = (scaled + 500_000n) / 1_000_000n;
  return { net: decimalOf(units), gross: decimalOf(units), currency };
}

export function sumOf(prices: readonly CloudPrice[], currency: string): CloudPrice {
  const total = (side: "net" | "gross") =>
    decimalOf(prices.map((price) => unitsOf(price[side])).reduce((sum, each) => sum + each, 0n));
  return { net: total("net"), gross: total("gross"), currency };
}

/** `count` times a price. */
export const timesOf = (decimal: string, count: number, currency: string): CloudPrice => {
  const units = unitsOf(decimal) * BigInt(count);
  return { net: decimalOf(units), gross: decimalOf(units), currency };
};

export const free = (currency: string): CloudPrice => ({ net: "0.00", gross: "0.00", currency });
