import type { VerbGroup } from '../verb-group';
import { parseDescription, parsePlace } from '../description';
import { ambiguousKey, keyOf } from './keys';
import type { Intent } from '../intent';
import { isQuoted, restore, unquote, type Spans } from '../protected-text';

const CLICK = /^(?:click|tap|press|hit|push|follow|activate)(?:\s+on)?\s+(.+)$/i;
const PRESS = /^(?:press|hit|push|tap)\s+(.+)$/i;
const PATH = /\s*(?:>|›|→|->)\s*/;

/** Parses "File > Open": the way through a menu. */
export function menuIn(words: string, spans: Spans): Intent | undefined {
  const [first = '', ...path] = words.split(PATH).map((part) => unquote(part, spans));
  if (path.length === 0 || path.length > 5 || [first, ...path].includes('')) return undefined;
  return { kind: 'menu', target: parseDescription(first, spans), path };
}

const PRESS_IN = /^(.+?)\s+(?:in|on|inside|within|into)\s+(.+)$/i;

/** Parses "press Enter" and "press Ctrl+A in X". */
export const press: VerbGroup = {
  starts: /^(?:press|hit|push|tap)\s+\S/i,
  parse(text, spans) {
    const what = PRESS.exec(text)?.[1];
    if (what === undefined) return undefined;
    const [, first, where] = PRESS_IN.exec(what) ?? [];
    if (first !== undefined && where !== undefined) {
      const key = keyOf(unquote(first, spans));
      // “tap the x on the tag” is no key.
      if (key !== undefined && !/^tap\b|^(?:press|hit|push)\s+the\s+\S\s/i.test(text))
        return { kind: 'press', key, target: parseDescription(where, spans) };
    }
    const said = isQuoted(what) ? unquote(what, spans) : what;
    const key = keyOf(said);
    if (key === undefined) return undefined;
    return ambiguousKey(said) ? { kind: 'press', key, orClick: parseDescription(what, spans) } : { kind: 'press', key };
  },
};

const IN_EACH = /^(.+?)\s+(?:on|in|of|for|under|next to)\s+(?:all|each|every)(?:\s+one)?(?:\s+of)?(?:\s+the)?\s+(.+)$/i;

/** "click Like on all posts by Ann": one control in each of several places. */
function inEach(words: string, spans: Spans): Intent | undefined {
  const [, what, where] = IN_EACH.exec(words) ?? [];
  const place = where === undefined ? undefined : parsePlace('in', where, spans);
  if (what === undefined || place === undefined) return undefined;
  return {
    kind: 'click',
    target: { ...parseDescription(what, spans), said: restore(words, spans), place, every: 'all' },
  };
}

/** Parses "click X" and "follow X". */
export const click: VerbGroup = {
  starts: /^(?:click|tap|press|hit|push|follow|activate)\s+\S/i,
  parse(text, spans) {
    const what = CLICK.exec(text)?.[1];
    if (what === undefined) return undefined;
    const intent: Intent = inEach(what, spans) ?? { kind: 'click', target: parseDescription(what, spans) };
    const menu = menuIn(what, spans);
    return menu === undefined ? intent : { kind: 'either', intents: [intent, menu] };
  },
};
