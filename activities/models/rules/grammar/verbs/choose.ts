import type { VerbGroup } from '../verb-group';
import { parseDescription, withoutArticle } from '../description';
import { QUOTE, unquote } from '../protected-text';

const CHOOSE = /^(?:choose|select|pick)\s+(.+)$/i;
const PREPOSITION = /\s+(?:in|from|for|as|under|on|of|within|out of)\s+/gi;
const NOUN = /\s+(?:option|value|item|entry|choice|radio button|radio)$/i;
const NOUN_FIRST = new RegExp(`^(?:option|value|item|entry|choice)\\s+(?=${QUOTE}$)`, 'i');

/** The most ways in which "Made in Italy in Origin" is split. */
const MOST_ALTERNATIVES = 4;

/** Parses "choose M in Size" and "choose the Orders tab". */
export const choose: VerbGroup = {
  starts: /^(?:choose|select|pick)\s+\S/i,
  parse(text, spans) {
    const what = CHOOSE.exec(text)?.[1];
    if (what === undefined) return undefined;
    const alternatives = [...what.matchAll(PREPOSITION)].slice(0, MOST_ALTERNATIVES).flatMap((match) => {
      const said = withoutArticle(what.slice(0, match.index)).replace(NOUN, '').replace(NOUN_FIRST, '');
      const group = parseDescription(what.slice(match.index + match[0].length), spans);
      const option = unquote(said, spans);
      return option === '' || group.readings.length === 0 ? [] : [{ option, group }];
    });
    return { kind: 'choose', alternatives, whole: parseDescription(what, spans) };
  },
};
