import { CONDITION } from './hints';
import type { Intent } from './intent';
import { POINTING } from './words';

/** Words of no known form: the page decides what they mean, and every one of them counts. */
export function byWords(core: string): Intent | undefined {
  const count = core.split(' ').length;
  const isReadable =
    count <= MOST_WORDS &&
    !(count === 1 && POINTING.has(core.toLowerCase())) &&
    !ANY.test(core) &&
    !CONDITION.test(core) &&
    !ASKS_MORE.test(core);
  return isReadable ? { kind: 'words' } : undefined;
}

const MOST_WORDS = 40;
/** What is done to any of several things, and what is closed by a name that may be a value. */
const ANY =
  /^(?!(?:add|create|make|new|write|send|start|begin|give|put|set|take|request|insert|open|show|type|enter|leave|post|choose|select|pick|need)\b)\w+\s+(?:an?|any|some)\s|^(?:close|delete|remove|buy)\s.*\swith\s+[\uE000-\uEFFF]$/i;
/** What asks for an answer or a judgement, or to see, to wait and to keep, which have their own forms. */
const ASKS_MORE = new RegExp(
  [
    // cspell:disable-next-line
    '^(?:say(?!\\s+(?:yes|no|ok|it)\\b)|tell|explain|summari[sz]e|calculate|compute|decide|find out|figure out)\\s',
    '^(?:expect|verify|assert|ensure|make sure|see|check (?:that|whether|if|out)|confirm (?:that|whether)|wait|fill (?:in|out) the form$)\\b',
    '^(?:save|remember|store|read|note|capture|copy|keep)\\b.+\\s(?:as|in|into|to)\\s',
    '\\b(?:cheapest|dearest|best|worst|most|least|lowest|highest|largest|biggest|smallest|newest|oldest|random|we are)\\b',
    '://',
  ].join('|'),
  'i',
);
