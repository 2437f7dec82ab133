import type { ResultSource } from './result';

/** What one extraction read from one page. */
export interface ResultPart {
  url: string;
  /** HTTP status of the document, where the browser knows it. */
  status?: number | undefined;
  /** In the shape of the schema; what the page lacks is left out. */
  value: unknown;
  /** Of each value, paths within `value`. */
  sources: ResultSource[];
  lists: ResultList[];
  /** The control that leads to the next page of a list, where there is one that can be used. */
  next?: { text: string; href?: string | undefined } | undefined;
  /** How many rows the page says that there are in all, as in “21–40 of 120”. */
  announced?: number | undefined;
  /** The page says that there are no rows, as in “No results”. */
  saysNone?: true | undefined;
}

/** A list that was read. `skipped`: rows that look like the others and gave nothing. */
export interface ResultList {
  /** JSON pointer of the list within the value; empty for the value itself. */
  path: string;
  seen: number;
  returned: number;
  skipped: { row: number; text: string }[];
}
