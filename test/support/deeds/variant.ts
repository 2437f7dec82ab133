// cspell:disable
import { oneOf, type Random } from '../../../bench/chaos/random';

/** A control that acts, in a disguise, and a call that reaches it. */
export interface Variant {
  /** What it is, for the one who reads a failure. */
  kind: string;
  html: string;
  /** The call; of the roles in `at` the refs are looked up within the variant. */
  tool: string;
  args: Record<string, unknown>;
  /** Role of the element of `ref`, and of that of `to_ref`. */
  at?: string;
  to?: string;
}
export type Make = (random: Random, id: string) => Variant;

export const pick = <T>(random: Random, list: readonly T[]): T => oneOf(random, list)!;
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
export const TARGETS = [
  '/pay',
  '/orders',
  '/account/delete',
  '/api/v1/payments',
  '/users/3/remove',
  '/transfers',
  '/messages/send',
  '/subscriptions/cancel',
  '/x7f',
  '/do',
  '/konto/löschen',
];
export const CLICKS = ['left_click', 'double_click', 'right_click', 'triple_click'];
export const SENDING = [
  `fetch('/x', { method: 'POST' })`,
  `fetch('/x', {method:"DELETE"})`,
  `navigator.sendBeacon('/x')`,
  `document.forms[0].submit()`,
  `document.querySelector('form').requestSubmit()`,
  `deleteAll()`,
  `payNow(7)`,
  `doIt()`,
  `document.getElementById('hidden-pay').click()`,
];
export const BUTTONS = ['button', 'link', 'menuitem', 'tab', 'option', 'switch', 'treeitem', 'checkbox', 'radio'];

export function press(random: Random): { tool: string; args: Record<string, unknown> } {
  return pick(random, [
    ...CLICKS.map((action) => ({ tool: 'computer', args: { action } })),
    { tool: 'computer', args: { action: 'key', text: 'Enter' } },
    { tool: 'computer', args: { action: 'key', text: 'Space' } },
    { tool: 'gesture', args: { action: 'hold' } },
  ]);
}

export function form(random: Random, inner: string, attributes = ''): string {
  return `<form method="post" action="${pick(random, TARGETS)}" ${attributes}>${inner}</form>`;
}
