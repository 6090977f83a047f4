/** A range of time from the start of one day to the end of another, in UTC. Either may be left open. */
export function rangeOfDays({ from, to }: { readonly from?: string; readonly to?: string }): {
  from?: string;
  to?: string;
} {
  return {
    ...(from !== undefined && { from: `${from}T00:00:00Z` }),
    ...(to !== undefined && { to: dayAfter(to) }),
  };
}

/** The start of the next day, because the API leaves the end of a range out. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString();
}
