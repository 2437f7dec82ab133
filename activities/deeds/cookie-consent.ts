import { walkNodes, type PageNode } from '../../contracts/browsers/page-snapshot';
import type { PressedPlace } from './judgement';
import { deedsNamed } from './names/name-deed';

/** The word is the same, or nearly, in most languages of pages. */
const COOKIES = /\bcookies?\b|кук[иі]|クッキー|쿠키|\b(?:ciastecz|evästei|sütik|kolačić|fursur|çerez|küpsis|slapuk)/iu; // cspell:disable-line
const MONEY = /\p{Sc}\s?\d|\d\s?\p{Sc}|\b(?:USD|EUR|GBP|CHF)\b/u;
/** A banner is short; a whole page that mentions cookies somewhere is none. */
const LONGEST_BANNER = 3000;

/** True where pressing it accepts cookies and nothing else: its name says no more than yes, and what is around it asks that alone. */
export function acceptsCookies({ ancestors }: PressedPlace, name: string): boolean {
  const deeds = deedsNamed(name);
  if (deeds.length === 0 || deeds.some(({ deed }) => deed !== 'confirm')) return false;
  const banner = ancestors.findLast((ancestor) => COOKIES.test(textOf(ancestor)));
  const said = banner === undefined ? (COOKIES.test(name) ? name : '') : textOf(banner);
  return said !== '' && said.length <= LONGEST_BANNER && !MONEY.test(said);
}

function textOf(node: PageNode): string {
  const inner = [...walkNodes(node.children ?? [])].map((each) => ownText(each.node));
  return [ownText(node), ...inner].join(' ');
}

function ownText({ name, text, children = [] }: PageNode): string {
  return [name, text, ...children.filter((child) => typeof child === 'string')].filter(Boolean).join(' ');
}
