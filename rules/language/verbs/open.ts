import { isHttpUrl } from '../../../contracts/browsers/origins';
import type { VerbGroup } from '../verb-group';
import { parseDescription } from '../description';
import { unquote } from '../protected-text';

const OPEN = /^(?:open(?: up)?|go(?: over)? to|navigate to|visit|browse to|head to|load)\s+(.+)$/i;
const RELOAD = /^(?:reload|refresh)(?:\s+(?:the\s+)?(?:page|tab|site))?$/i;
const ADDRESS = /^(?:the\s+)?(?:(?:page|site|website|web page|url|address|app)\s+(?:at\s+)?)?(\S+)$/i;
const IN_NEW_TAB = /(?:^|\s)(?:a\s+)?new\s+(?:tab|window)$/i;

/** Parses "open https://…"; "open the Trail Shoe" is a click. */
export const open: VerbGroup = {
  starts:
    /^(?:open|go to|go over to|navigate to|visit|browse to|head to|load)\s+\S|^(?:reload|refresh)(?:$|\s+(?:the\s+)?(?:page|tab|site)$)/i,
  parse(text, spans) {
    if (RELOAD.test(text)) return { kind: 'reload' };
    const what = OPEN.exec(text)?.[1];
    if (what === undefined || IN_NEW_TAB.test(what)) return undefined;
    const address = ADDRESS.exec(what)?.[1];
    const url = address === undefined ? undefined : toUrl(unquote(address, spans));
    if (url !== undefined) return { kind: 'open', url };
    return address !== undefined && OTHER_SCHEME.test(unquote(address, spans))
      ? undefined
      : { kind: 'click', target: parseDescription(what, spans) };
  },
};

const OTHER_SCHEME = /^[a-z][a-z\d+.-]*:(?:\/\/|(?=\S))/i;
const LOCAL = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|[a-z][\w-]*(?=:\d))(?::\d{1,5})?(?:[/?#]\S*)?$/i;
const DOMAIN = /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/u;
const FILE = /^[^/]+\.(?:pdf|txt|html?|js|ts|csv|png|jpe?g|gif|zip|docx?|xlsx?|json|xml|md)$/i;

/** Converts a word to an address; a path stays a path of the current site. Undefined for other words. */
function toUrl(word: string): string | undefined {
  if (/^\$\{[^{}]+\}\S*$/.test(word) || word === 'about:blank' || /^\/(?!\/)\S*$/.test(word)) return word;
  if (/^https?:/i.test(word)) return isHttpUrl(word) || word.includes('${') ? word : undefined;
  const url = LOCAL.test(word)
    ? `http://${word}`
    : DOMAIN.test(word) && !FILE.test(word)
      ? `https://${word}`
      : undefined;
  return url !== undefined && isHttpUrl(url) ? url : undefined;
}
