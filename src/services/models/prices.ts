import type { Price } from '../../platform/config/models.ts';
import type { Meter } from './chat-usage.ts';

/** Rounds quantities that are not integers, such as seconds, to millionths. */
const millionths = 1_000_000;

/** A meter that adds the cost of each use to it, if its metric has a price. */
export function pricedMeter(meter: Meter, price: Price | undefined): Meter {
  if (!price) return meter;
  return (uses) =>
    meter(
      uses.map((use) => {
        const ofMillion = use.metric === 'minutes' ? undefined : price[use.metric];
        return ofMillion === undefined ? use : { ...use, cost: costOf(use.quantity, ofMillion) };
      }),
    );
}

/** In millionths of a millionth of the currency: a price of a millionth for a million is one of them for one. */
function costOf(quantity: number, ofMillion: number): bigint {
  if (Number.isSafeInteger(quantity)) return BigInt(quantity) * BigInt(ofMillion);
  return (BigInt(Math.round(quantity * millionths)) * BigInt(ofMillion)) / BigInt(millionths);
}
