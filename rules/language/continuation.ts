import { trim } from './fillers';
import type { Spans } from './protected-text';
import { choose, isNextChoice } from './verbs/choose';
import { expectationIn } from './verbs/expect';

const SHARED_VERB =
  /^(?:make sure(?: that)?|ensure(?: that)?|check (?:that|for)|confirm that|click(?: on)?|tap|press|type|enter|write|put|input|fill(?: in| out)?|set|select|choose|pick|expect|see|verify|assert|wait for|scroll to|hover over)(?=\s)/i;
const EXPECTS = /^(?:expect|see|verify|assert|make sure|ensure|check that|confirm that)\b/i;
const TYPES = /^(?:type|enter|write|put|input|fill(?: in| out)?)\b/i;

/** Completes a piece that shares the verb of the previous clause: `click "A" and "B"`, `fill X with "a" and Y with "b"`. */
export function continuation(
  before: string,
  piece: string,
  isNext: boolean,
  spans: Spans,
  isForm: (clause: string) => boolean,
): string | undefined {
  const verb = SHARED_VERB.exec(before)?.[0];
  if (verb === undefined) return undefined;
  const text = trim(piece);
  const shares = (form: RegExp): boolean => form.test(before) && form.test(text);
  const full = `${verb} ${text}`;
  if (choose.starts.test(before)) return isNextChoice(before, text) && isForm(full) ? full : undefined;
  const isAlike =
    /^[\uE000-\uEFFF]/.test(text) ||
    // "click Actions and then Move"
    (isNext && /^(?:click|tap)/i.test(verb) && /^(?:the\s+)?\p{Lu}/u.test(text)) ||
    (/^fill/i.test(verb) && /\swith\s/i.test(text)) ||
    (/^set/i.test(verb) && /\sto\s/i.test(text)) ||
    (TYPES.test(verb) &&
      (shares(/\s(?:as|into|in)\s/i) ||
        shares(/\S:\s/) ||
        shares(/^(?:\S+\s+){1,5}[\uE000-\uEFFF](?:\s+(?:in|into|to)\s.*)?$/))) ||
    (EXPECTS.test(verb) && expectationIn(text, spans) !== undefined);
  return isAlike && isForm(full) ? full : undefined;
}
