import { decodeHTML } from 'entities';

/** What a reader of a mail sees, line by line, and the addresses that its links open. */
export interface MailText {
  lines: string[];
  links: string[];
}

const UNSEEN = ['script', 'style', 'title', 'head'];
const INLINE = /^(?:a|abbr|b|bdi|bdo|code|em|font|i|mark|s|small|span|strong|sub|sup|tt|u|wbr)$/;
/** Cells of a row stand side by side. */
const CELL = /^(?:td|th)$/;
const TAG_NAME = /^\/?([a-z][a-z\d]*)/i;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const ADDRESS = /https?:\/\/[^\s<>"']+/g;

/** Reads the markup of a mail in one pass, since it may be anything: what is not closed hides the rest. */
export function readMarkup(html: string): MailText {
  const lower = html.toLowerCase();
  const links: string[] = [];
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    text += inOneLine(html.slice(at, open < 0 ? undefined : open));
    if (open < 0) break;
    const isComment = html.startsWith('<!--', open);
    const close = html.indexOf(isComment ? '-->' : '>', open);
    if (close < 0) break;
    at = close + (isComment ? 3 : 1);
    if (isComment) continue;
    const tag = html.slice(open + 1, close);
    const name = TAG_NAME.exec(tag)?.[1]?.toLowerCase() ?? '';
    if (UNSEEN.includes(name) && !tag.startsWith('/')) {
      const end = lower.indexOf(`</${name}`, at);
      if (end < 0) break;
      at = end;
    }
    const [, quoted, single, bare] = (name === 'a' ? HREF.exec(tag) : null) ?? [];
    const href = quoted ?? single ?? bare;
    if (href !== undefined) links.push(decodeHTML(href).trim());
    text += CELL.test(name) ? ' ' : INLINE.test(name) ? '' : '\n';
  }
  return { lines: linesOf(decodeHTML(text)), links };
}

export function readPlainText(text: string): MailText {
  const links = (text.match(ADDRESS) ?? []).map((address) => address.replace(/[.,;:!?)\]]+$/, ''));
  return { lines: linesOf(text), links };
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/[\s\u{200B}\u{200C}\u{FEFF}\u{AD}]+/gu, ' ').trim())
    .filter((line) => line !== '');
}
