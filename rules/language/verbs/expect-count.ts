import { withoutArticle } from '../description';
import { restore, type Spans } from '../protected-text';

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = `\\d{1,5}|${NUMBERS.join('|')}`;
/** Words for whatever a table or a list has. */
export const ANY_ENTRY = /^(?:row|entry|item|result|record|line)$/;
const NOUN = '(?:(?:table|list|search|data|body)\\s+)?([a-z]{3,})';
const SEEN =
  '(?:is|are|should\\s+be|be|remains?)(?:\\s+(?:now|still))?\\s+(?:listed|shown|visible|displayed|found|left|there|present)';
/** Matches: exactly 3 users are listed in the table “Team”. */
const LISTED = new RegExp(
  `^(there\\s+(?:is|are|should\\s+be)\\s+)?(?:now\\s+|still\\s+)?(?:exactly\\s+|only\\s+|just\\s+)?(${NUMBER})\\s+${NOUN}(\\s+(?:${SEEN}|left|remain|remains))?(?:\\s+(?:in|on|under|below)\\s+(.+))?$`,
  'i',
);
/** Matches: the table “Team” should show 3 rows. */
const HAS = new RegExp(
  `^(.+?)\\s+(?:should\\s+|must\\s+)?(?:now\\s+|still\\s+)?(?:shows?|has|have|contains?|lists?|holds?|to\\s+have)\\s+(?:exactly\\s+|only\\s+|just\\s+)?(${NUMBER})\\s+${NOUN}$`,
  'i',
);
const EVERYWHERE = /^(?:the|this)\s+(?:page|screen|site)$/i;

interface Counted {
  count: number;
  noun: string;
  place?: string;
  /** As the page would say it. */
  text: string;
  /** Protected, where a part of the page is said to have so many. */
  owner?: string;
}

/** Parses how many entries a list or a table shows: “only two notes are left”, “the list should show 4 articles”. */
export function countExpected(body: string, spans: Spans): Counted | undefined {
  const [, there, listed, noun, seen, where] = LISTED.exec(body) ?? [];
  const [, owner, had, thing] = HAS.exec(body) ?? [];
  const said = listed ?? had;
  const counted = noun ?? thing;
  if (said === undefined || counted === undefined) return undefined;
  const isBare = there === undefined && seen === undefined && owner === undefined;
  if (isBare && !ANY_ENTRY.test(counted.toLowerCase().replace(/ies$/, 'y').replace(/s$/, ''))) return undefined;
  const count = /^\d/.test(said) ? Number(said) : NUMBERS.indexOf(said.toLowerCase());
  const place = where ?? owner;
  return {
    count,
    noun: counted.toLowerCase(),
    text: `${said} ${counted}`,
    ...(owner !== undefined && { owner }),
    ...(place !== undefined && !EVERYWHERE.test(place) && { place: restore(withoutArticle(place), spans) }),
  };
}
