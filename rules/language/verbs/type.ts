import type { VerbGroup } from '../verb-group';
import { isDescribed } from '../described-value';
import { parseDescription, withoutArticle } from '../description';
import { QUOTE, unquote, type Spans } from '../protected-text';
import { ROLE_WORD } from '../role-words';
import type { Intent } from '../intent';

const VERB = 'type|enter|write|put|input|insert|paste';
const TEXT = '(?:the\\s+)?(?:text|value|words?|string)\\s+';
const QUOTED_INTO = new RegExp(
  `^(?:${VERB}|fill)(?:\\s+in)?\\s+(?:${TEXT})?(${QUOTE})\\s+(?:into|in to|in|to|onto|on|inside|for|as)\\s+(.+)$`,
  'i',
);
const FILL_WITH = /^(?:fill|complete|populate)(?:\s+(?:in|out))?\s+(.+?)\s+(?:with|as)\s+(.+)$/i;
const SET_TO = /^(?:set|change)\s+(.+?)\s+(?:to|=)\s+(.+)$/i;
const COLON = new RegExp(
  `^(?:${VERB}|fill in|fill out|fill|set)\\s+(.+?)(?::\\s+|:\\s*(?=${QUOTE})|\\s*=\\s*)(.+)$`,
  'i',
);
const UNQUOTED_INTO = new RegExp(`^(?:${VERB}|fill)(?:\\s+in)?\\s+(.+?)\\s+(?:into|in to)\\s+(.+)$`, 'i');
const UNQUOTED_IN = new RegExp(`^(?:${VERB})(?:\\s+in)?\\s+(.+?)\\s+(?:in|to|on|inside|as|for)\\s+(.+)$`, 'i');
const NO_TARGET = new RegExp(
  `^(?:(?:${VERB})\\s+(?:${TEXT})?(${QUOTE}|[\\uF000-\\uF8FF])|(?:type|write)\\s+(\\S+))$`,
  'i',
);
/** Matches: enter the password "secret". */
const NAMED_VALUE = new RegExp(`^(?:${VERB})\\s+([^\\uE000-\\uEFFF]+)\\s+(${QUOTE})$`, 'i');
/** Matches: type "x" in upper case in Name. */
const LETTERS = /^(.+?)\s+in\s+(?:all\s+)?(upper|lower)[\s-]?case(?:\s+letters)?(\s.+)?$/i;
const PASTE =
  /^paste\s+(?:it|that|this|(?:the\s+)?(?:text|value|copied\s+text|number|content))\s+(?:into|in|to)\s+(.+)$/i;
/** Matches: copy the text in X. */
const COPY =
  /^copy\s+(?:(?:the\s+)?(?:text|value|contents?)\s+(?:of|in|from|inside)\s+)?(?!.*\s(?:as|to|into)\s)(.+?)(?:\s+(?:below|above))?$/i;
/** The variable that a copied text is kept in until it is pasted. */
export const COPIED = 'copied_text';
const CLEAR = /^(?:clear|erase)\s+(?:(?:the\s+)?(?:text|value|contents?)\s+(?:of|in|from)\s+)?(.+)$/i;
/** Matches: search the products for "tent". */
const SEARCH_WITHIN = /^search\s+(?!for\b)(?:in\s+|within\s+|through\s+)?(.+?)\s+for\s+(.+)$/i;
/** Matches: enter the username "a" into the text fields. */
const SAID_VALUE = new RegExp(
  `^(?:${VERB})\\s+(?!(?:${TEXT})?${QUOTE})([^\\uE000-\\uEFFF]+?)\\s+(${QUOTE})\\s+(?:into|in to|in|to)\\s+(.+)$`,
  'i',
);
/** A word for fields in general: the text's own name says which. */
const ANY_FIELDS =
  /^(?:the\s+|both\s+|each\s+of\s+the\s+|an?\s+)*(?:(?:text|input|form|login|sign-in|correct|right|corresponding)\s+)*(?:fields?|box|boxes|textbox|textboxes|inputs?|form|text box|text boxes)$/i;
/** What introduces a text: a comment saying "x". */
const SAYING_BEFORE = new RegExp(`\\s+(?:saying|that says|reading|with the text|with the words)\\s+(${QUOTE})$`, 'i');
const SEARCH =
  /^search\s+(?:for\s+)?(.+?)(?:\s+(?:in|using|with|on)\s+((?:the\s+)?(?:\S+\s+)*(?:search|field|box|bar|input)))?$/i;

/** “search for “KL-2” in the orders list”: what is quoted is sought, and the rest says where. */
const SEARCH_QUOTED = new RegExp(
  `^search\\s+(?:for\\s+)?(${QUOTE})\\s+(?:in|on|within|among|using|with)\\s+(.+)$`,
  'i',
);

/** Parses "type x into X", "fill X with x", "set X to x", "clear X" and "search for x". */
export const type: VerbGroup = {
  starts: new RegExp(
    `^(?:${VERB}|fill|clear|erase|search|populate)\\s+\\S|^(?:set|change)\\s.+\\sto\\s|^set\\s.+[:=]|^complete\\s.+\\swith\\s`,
    'i',
  ),
  parse(words, spans) {
    const [, before = words, letters, after = ''] = LETTERS.exec(words) ?? [];
    const text = before + after;
    if (letters !== undefined) return inLetters(this.parse(text, spans), letters);
    const pasted = PASTE.exec(text)?.[1];
    if (pasted !== undefined) return { kind: 'type', target: parseDescription(pasted, spans), text: `\${${COPIED}}` };
    const cleared = CLEAR.exec(text)?.[1];
    if (cleared !== undefined) return { kind: 'type', target: parseDescription(cleared, spans), text: '' };
    const [, where, sought] = SEARCH_WITHIN.exec(text) ?? [];
    if (where !== undefined && sought !== undefined) {
      const name = unquote(withoutArticle(where), spans);
      return {
        kind: 'search',
        text: unquote(sought, spans),
        target: { said: name, isQuoted: false, readings: [{ name }] },
      };
    }
    const [, quoted, place] = SEARCH_QUOTED.exec(text) ?? [];
    if (quoted !== undefined && place !== undefined)
      return { kind: 'search', text: unquote(quoted, spans), target: parseDescription(place, spans) };
    const search = SEARCH.exec(text);
    if (search?.[1] !== undefined) {
      return {
        kind: 'search',
        text: unquote(search[1], spans),
        ...(search[2] && { target: parseDescription(search[2], spans) }),
        ...(!/^search\s+for\b/i.test(text) && { whole: parseDescription(text, spans) }),
      };
    }
    const said = SAID_VALUE.exec(text);
    if (said !== null) return saidInto(said, spans);
    return (
      typed(FILL_WITH.exec(text), 1, 2, spans) ??
      set(SET_TO.exec(text), spans) ??
      typed(QUOTED_INTO.exec(text), 2, 1, spans) ??
      typed(COLON.exec(text), 1, 2, spans) ??
      typed(UNQUOTED_INTO.exec(text), 2, 1, spans) ??
      typed(UNQUOTED_IN.exec(text), 2, 1, spans) ??
      untargeted(NO_TARGET.exec(text), spans) ??
      typed(NAMED_VALUE.exec(text.replace(SAYING_BEFORE, ' $1')), 1, 2, spans)
    );
  },
};

function typed(match: RegExpExecArray | null, target: number, value: number, spans: Spans): Intent | undefined {
  const [into, text] = [match?.[target], match?.[value]];
  if (into === undefined || text === undefined || isDescribed(text)) return undefined;
  return { kind: 'type', target: parseDescription(into, spans), text: unquote(text, spans) };
}

/** Parses "copy X": the text is kept for "paste it into Y". */
export const copy: VerbGroup = {
  starts: COPY,
  parse(text, spans) {
    const copied = COPY.exec(text)?.[1];
    return copied === undefined
      ? undefined
      : { kind: 'save', target: parseDescription(copied, spans), variableName: COPIED };
  },
};

/** A text in the letters that are asked for. */
function inLetters(intent: Intent | undefined, letters: string): Intent | undefined {
  if (intent?.kind === 'either')
    return { ...intent, intents: intent.intents.flatMap((each) => inLetters(each, letters) ?? []) };
  if (intent?.kind !== 'type' || intent.text.includes('${')) return undefined;
  return { ...intent, text: /^upper$/i.test(letters) ? intent.text.toUpperCase() : intent.text.toLowerCase() };
}

/** Types what has a name of its own into the field of that name, or into the one that is said. */
function saidInto([, name = '', value = '', field = '']: RegExpExecArray, spans: Spans): Intent {
  const into = (target: string): Intent => ({
    kind: 'type',
    target: parseDescription(target, spans),
    text: unquote(value, spans),
  });
  return ANY_FIELDS.test(field) && !/^both\b/i.test(field)
    ? { kind: 'either', intents: [into(name), into(field)] }
    : into(field);
}

/** Several controls of one kind, and their values. */
const EACH = new RegExp(`^(?:all\\s+)?(?:the\\s+)?(?:\\w+\\s+)?(${ROLE_WORD})(?:s|es)$`, 'i');
const VALUES = /^(?:the\s+)?(?:(?:combination|values?|numbers?)\s+)?\[?([^[\]]+?)\]?$/i;

function setEach(target: string, value: string, spans: Spans): Intent | undefined {
  const kind = EACH.exec(target)?.[1];
  const values = (VALUES.exec(value)?.[1] ?? '')
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/)
    .map((each) => unquote(each, spans));
  if (kind === undefined || values.length < 2 || values.includes('')) return undefined;
  return { kind: 'set-each', target: { ...parseDescription(kind, spans), said: target, every: 'all' }, values };
}

function set(match: RegExpExecArray | null, spans: Spans): Intent | undefined {
  const [, target, value] = match ?? [];
  if (target === undefined || value === undefined || isDescribed(value)) return undefined;
  const each = setEach(target, value, spans);
  if (each) return each;
  return { kind: 'set', target: parseDescription(target, spans), value: unquote(value, spans) };
}

function untargeted(match: RegExpExecArray | null, spans: Spans): Intent | undefined {
  const text = match?.[1] ?? match?.[2];
  return text === undefined ? undefined : { kind: 'type', text: unquote(text, spans) };
}
