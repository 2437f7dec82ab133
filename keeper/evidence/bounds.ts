const MAX_RECORDS = 500;
const MAX_TEXT = 4096;

/** Adds a record to a log of the newest 500 and returns the one that fell out. */
export function pushCapped<Item>(log: Item[], item: Item): Item | undefined {
  log.push(item);
  return log.length > MAX_RECORDS ? log.shift() : undefined;
}

/** A page decides how long its addresses and messages are; a record doesn't follow it beyond 4,096 characters. */
export function capped(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
