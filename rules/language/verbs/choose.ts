import type { Choice } from '../intent';
import { listOf } from '../lists';
import type { VerbGroup } from '../verb-group';
import { parseDescription, withoutArticle, type Description } from '../description';
import { roleWord } from '../role-words';
import { menuIn } from './click';
import { QUOTE, unquote, type Spans } from '../protected-text';

const CHOOSE = /^(?:choose|select|pick)\s+(.+)$/i;
const PREPOSITION = /\s+(?:in|from|for|as|under|on|of|within|out of|with|using|by)\s+/gi;
const LAST_GROUP = /\s+((?:in|from|for|as|under|on|within|out of)\s+.+)$/i;
const NOUN = /\s+(?:option|value|item|entry|choice|radio button|radio)$/i;
const NOUN_FIRST = new RegExp(`^(?:options?|values?|items?|entry|entries|choices?)\\s+(?=${QUOTE}$)`, 'i');
const NOTHING =
  /^(?:choose|select|pick)\s+(?:nothing|none(?:\s+of\s+(?:them|these|the\s+\w+))?|no\s+(?:option|item|checkbox|box)s?)(?:\s+(?:in|from|of)\s+(.+))?$/i;
const SORT = /^(?:sort|order)\s+(?:.+\s+)?by\s+(.+)$/i;
const FILTER = /^filter\s+(?:(.+)\s+)?(?:by|for|to)\s+(.+)$/i;
const SWITCH = /^(?:switch|change)\s+(?:over\s+)?to\s+(.+)$/i;

/** The most ways in which "Made in Italy in Origin" is split. */
const MOST_ALTERNATIVES = 4;

/** Parses "choose M in Size", "choose A, B and C" and "choose the Orders tab". */
export const choose: VerbGroup = {
  starts: /^(?:choose|select|pick)\s+\S/i,
  parse(text, spans) {
    const nothing = NOTHING.exec(text);
    if (nothing) return { kind: 'choose-nothing', ...(nothing[1] && { target: parseDescription(nothing[1], spans) }) };
    const what = CHOOSE.exec(text)?.[1];
    if (what === undefined) return undefined;
    const menu = menuIn(what, spans);
    const choice = choiceOf(what, spans);
    return menu === undefined ? choice : { kind: 'either', intents: [choice, menu] };
  },
};

/** The word between an option and its list. */
const LIST_OF = /^\S.*?\s(in|from|as|for)\s+\S/i;

/** "choose Germany in Country and Bavaria in State" is two choices; "choose A and B in Colours" is one of two options. */
export function isNextChoice(clause: string, next: string): boolean {
  const between = LIST_OF.exec(clause)?.[1]?.toLowerCase();
  return between !== undefined && between === LIST_OF.exec(next)?.[1]?.toLowerCase();
}

/** Parses "sort by Price", "filter by Nike" and "switch to yearly". */
export const arrange: VerbGroup = {
  starts:
    /^(?:sort|order)\s+(?:\S+\s+){0,3}by\s+\S|^filter\s+(?:\S+\s+){0,3}(?:by|for|to)\s+\S|^(?:switch|change)\s+(?:over\s+)?to\s+\S/i,
  parse(text, spans) {
    const sorted = SORT.exec(text)?.[1];
    if (sorted !== undefined) {
      const column = parseDescription(`${sorted} column`, spans);
      const choice: Choice = { ...optionIn(sorted, 'sort', spans), whole: column };
      return { kind: 'either', intents: [choice, { kind: 'click', target: parseDescription(sorted, spans) }] };
    }
    const [, field = 'filter', wanted] = FILTER.exec(text) ?? [];
    if (wanted !== undefined) {
      const target = parseDescription('filter', spans);
      const value = unquote(wanted, spans);
      return {
        kind: 'either',
        intents: [
          { kind: 'set', target: { ...target, said: field }, value },
          { kind: 'check', target: parseDescription(wanted, spans), checked: true },
          optionIn(wanted, field, spans),
        ],
      };
    }
    const other = SWITCH.exec(text)?.[1];
    return other === undefined ? undefined : choiceOf(other, spans);
  },
};

function optionIn(option: string, group: string, spans: Spans): Choice {
  const words = unquote(withoutArticle(option), spans);
  return {
    kind: 'choose',
    alternatives: [{ option: words, group: parseDescription(group, spans) }],
    whole: parseDescription(option, spans),
  };
}

function choiceOf(what: string, spans: Spans): Choice {
  const single = singleChoice(what, spans);
  const list = listOf(what);
  if (list === undefined) return single;
  // The group at the end of a list is that of all its options.
  const shared = LAST_GROUP.exec(list.at(-1) ?? '')?.[1];
  const parts = list.map((part, at) =>
    singleChoice(
      shared !== undefined && at < list.length - 1 && !LAST_GROUP.test(part) ? `${part} ${shared}` : part,
      spans,
    ),
  );
  return { ...single, parts };
}

function singleChoice(what: string, spans: Spans): Choice {
  const alternatives = [...what.matchAll(PREPOSITION)].slice(0, MOST_ALTERNATIVES).flatMap((match) => {
    const said = withoutArticle(what.slice(0, match.index)).replace(NOUN, '').replace(NOUN_FIRST, '');
    const group = parseDescription(what.slice(match.index + match[0].length), spans);
    const option = unquote(said, spans);
    return option === '' || group.readings.length === 0 ? [] : [{ option, group }];
  });
  const whole = parseDescription(what, spans);
  return { kind: 'choose', alternatives, whole, button: buttonOf(whole) };
}

/** The Choose button of a card or a row. */
function buttonOf(thing: Description): Description {
  const near = { isInside: true, landmark: thing.readings };
  const role = roleWord('button')!;
  return { ...thing, readings: ['choose', 'select', 'pick'].map((name) => ({ name, role, near })) };
}
