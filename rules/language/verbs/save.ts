import { VARIABLE_NAME } from '../../../contracts/commands/definitions/reading';
import type { VerbGroup } from '../verb-group';
import { parseDescription } from '../description';
import { unquote } from '../protected-text';
import { print } from './print';

const VERB =
  '(?:save|remember|store|read|not(?:e|ed)(?: down)?|capture|copy|extract|keep|get|grab|write down|memorize)(?:\\s+(?:me|down))?';
const NAME =
  '(?:as|in|into|to|under|like|with(?=\\s+(?:the\\s+)?name\\b))\\s+(?:the\\s+|a\\s+)?(?:variable\\s+)?(?:(?:named|called|name)\\s+)?(\\S+)';
const AS_NUMBER = '(\\s+as\\s+an?\\s+(?:plain\\s+)?number)?';
const SAVE = new RegExp(`^${VERB}\\s+(.+?)\\s+${NAME}${AS_NUMBER}$`, 'i');
const CONTENT_OF = /^(?:the\s+)?(?:text|value|contents?|number)\s+(?:of|in|inside|from)\s+/i;
/** What is saved is shown. */
const SHOWN =
  /\s+(?:that\s+is\s+|which\s+is\s+)?(?:shown|displayed|listed|printed)(?=\s+(?:for|in|of|at|by|beside|next|on)\s|$)/i;
/** The address and the title are no elements, so they can't be saved. */
export const NOT_AN_ELEMENT = /^(?:the\s+)?(?:(?:current|page)\s+)*(?:url|address|page title|title of the page)$/i;
const DOM =
  /^(?:get|read|dump|fetch|capture|look at)\s+(?:the\s+)?(?:whole\s+|entire\s+|current\s+)?(?:page|dom|html|page source|source|page content|contents? of the page)$/i;

/** Parses "get the page", and "print the page to PDF as "invoice.pdf"". */
export const dom: VerbGroup = {
  starts: new RegExp(`${DOM.source}|${print.starts.source}`, 'i'),
  parse: (text, spans) => (DOM.test(text) ? { kind: 'dom' } : print.parse(text, spans)),
};

/** Parses "save X as name". */
export const save: VerbGroup = {
  starts: new RegExp(`^(?!read more\\b)${VERB}\\s.+\\s${NAME}`, 'i'),
  parse(text, spans) {
    const [, what, name, asNumber] = SAVE.exec(text) ?? [];
    if (what === undefined || name === undefined) return undefined;
    if (NOT_AN_ELEMENT.test(what)) return undefined;
    const variableName = unquote(name, spans).replace(/^\$\{(.*)\}$/, '$1');
    if (!VARIABLE_NAME.test(variableName)) return undefined;
    return {
      kind: 'save',
      target: parseDescription(what.replace(CONTENT_OF, '').replace(SHOWN, ''), spans),
      variableName,
      ...(asNumber === undefined ? {} : { as: 'number' }),
    };
  },
};
