import { isQuoted, protectQuotes, QUOTE, restore } from './protected-text';

/** What people call an element of this tag. */
const KINDS: Record<string, string> = {
  a: 'link',
  button: 'button',
  input: 'field',
  li: 'item',
  select: 'list',
  td: 'cell',
  textarea: 'field',
  th: 'column',
  tr: 'row',
};
const kindOf = (tag: string, type = ''): string =>
  /^(?:checkbox|radio)$/i.test(type)
    ? type.toLowerCase()
    : (KINDS[tag.toLowerCase()] ?? (/^h[1-6]$/i.test(tag) ? 'heading' : ''));

const VALUE = `(?:${QUOTE}|[\\w.-]+)`;
/** What says how an element looks or is used, and not which one it is. */
const NAMES_NOTHING =
  /^(?:class|type|style|tabindex|href|aria-(?:expanded|checked|selected|pressed|sort|disabled|hidden|haspopup|current|invalid))$/i;
/** Names that nobody sees. */
const NAMES_IN_SOURCE = /^(?:id|name|data-test(?:id)?)$/i;
const isNaming = (name: string, value: string): boolean => NAMES_IN_SOURCE.test(name) || isQuoted(value);
const ATTRIBUTE = new RegExp(`([a-z][\\w-]*)\\s*[~^$*|]?=\\s*(${VALUE})`, 'gi');
/** `<select class="mech">`, `input[name="due"]`, `button#save`, `#save`, `div.card`, with the label that follows in brackets. */
const ELEMENT = new RegExp(
  `(?:<([a-z][a-z0-9-]*)((?:\\s+[a-z][\\w-]*(?:\\s*=\\s*${VALUE})?)*)\\s*/?>|(?<![\\p{L}\\p{N}_/.@=&?-])(?:(a|button|div|form|h[1-6]|img|input|li|option|section|select|span|table|td|textarea|th|tr|ul)(?=[#.[]))?((?:#[a-z][\\w-]*|(?<=[a-z0-9\\]])\\.[a-z][\\w-]*|\\[[a-z][\\w-]*(?:\\s*[~^$*|]?=\\s*${VALUE})?\\])+))(?:\\s*\\(\\s*(${QUOTE})\\s*\\))?`,
  'giu',
);
/** An attribute alone: `set name="help" to 5`. */
const ALONE = new RegExp(`(?<![\\p{L}\\p{N}_-])([a-z][\\w-]*)=(${QUOTE})`, 'giu');

const WORDS = `(?:${[...new Set([...Object.values(KINDS), 'heading', 'checkbox', 'radio', 'icon', 'image', 'switch', 'dropdown', 'tab'])].join('|')})`;
/** “"Bees" heading heading”, “column button”: the kind that is said by a word counts. */
const TWICE = new RegExp(`\\b${WORDS}\\s+(?=${WORDS}\\b)`, 'gi');

/** “the button with id "bulk"” */
const SAID_NAME = /\b(?:id|data-test(?:id)?)\s+["“]/i;
const WITH_NAME = new RegExp(
  `\\b(?:with|whose|having|that\\s+has)\\s+(?:the\\s+|an?\\s+)?(id|data-test(?:id)?)\\s+(?:is\\s+|of\\s+)?(${QUOTE})`,
  'gi',
);

/** An instruction in which an element is said by its selector, with its name and kind instead: `"due" field`. */
export function withoutSelectors(instruction: string): string {
  if (!/[=#<]/.test(instruction) && !SAID_NAME.test(instruction)) return instruction;
  const { text: given, spans } = protectQuotes(instruction);
  const text = given.replace(WITH_NAME, '$1=$2');
  // “#due” is only what is called so in the source, and never what is labelled “Due”.
  const inSource = (value: string): string => `"#${spans.get(value)?.inner ?? value}"`;
  const nameOf = (name: string, value: string): string => (NAMES_IN_SOURCE.test(name) ? inSource(value) : value);
  const plain = text
    .replace(ELEMENT, (whole, tagged: string, attributes: string, tag: string, selector: string, label: string) => {
      const said = attributes ?? selector;
      // “#Berlin” is rather what a page calls so, and #ff8800 a colour.
      if (tagged === undefined && tag === undefined && /^#(?:\p{Lu}|[\da-f]{3,8}$)/u.test(said)) return whole;
      const named = [...said.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => ({ name, value }));
      const type = named.find(({ name }) => /^type$/i.test(name))?.value;
      const id = /#([a-z][\w-]*)/i.exec(said)?.[1];
      const naming = named.findLast(({ name, value }) => !NAMES_NOTHING.test(name) && isNaming(name, value));
      const own = id === undefined ? naming && nameOf(naming.name, naming.value) : inSource(id);
      const words = [label ?? own ?? '', kindOf(tagged ?? tag ?? '', type)].filter((word) => word !== '');
      return words.length === 0 ? whole : words.join(' ');
    })
    .replace(TWICE, '')
    .replace(ALONE, (whole, name: string, value: string) => (NAMES_NOTHING.test(name) ? whole : nameOf(name, value)));
  return restore(plain, spans);
}
