import { shortened } from '../../../contracts/text';

const MAX_RECORDS = 500;
const MAX_TEXT = 4096;

/** Adds a record to a log of the newest 500 and returns the one that was dropped. */
export function pushCapped<Item>(log: Item[], item: Item): Item | undefined {
  log.push(item);
  return log.length > MAX_RECORDS ? log.shift() : undefined;
}

/** Truncates text whose length a page decides to 4,096 characters. */
export function capped(text: string): string {
  return shortened(text, MAX_TEXT);
}
