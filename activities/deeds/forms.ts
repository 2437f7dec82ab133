import type { FormActs } from '../../contracts/browsers/control-acts';
import { deedInAddress, judgeOpening } from './addresses';
import { deed, HARMLESS, unknown, type Judgement } from './judgement';
import { saysWrite } from './names/writing-words';
import { deedsNamed, whyNamed } from './names/name-deed';

const CARD = /card|cvc|cvv|\biban\b|\bcc-|amount|account.?n(?:o|um)/i;

/** What sending a form does. `name`: of what is pressed for it. */
export function judgeForm(form: FormActs, pageUrl: string, name = form.button ?? ''): Judgement {
  const { method, address, fields, isScripted, scripts = [] } = form;
  if (method === 'DIALOG') return HARMLESS;
  const where = `${method} ${address.split('#')[0]!.slice(0, 200)}`;
  const sends = `It sends the form to ${where}.`;
  const named = whyNamed(name);
  if (named !== undefined) return deed(`${sends} ${named}`);
  if (scripts.includes('deletes')) return deed('Sending its form calls a function that deletes.');
  if (scripts.includes('pays')) return deed('Sending its form calls a function that pays or orders.');
  const overridden = fields.find((field) => fieldDeed(field) !== undefined);
  if (overridden !== undefined) return deed(`${sends} Among what it sends is “${overridden}”.`);
  // A script that takes the form over sends it in a way of its own.
  if (method === 'GET' && isScripted !== true) return judgeOpening(address);
  const word = deedInAddress(address);
  if (word !== undefined) return deed(`${sends} The address says “${word}”.`);
  const card = fields.find((field) => CARD.test(field));
  if (card !== undefined && !/quantity|search/i.test(name)) return deed(`${sends} Among what it sends is “${card}”.`);
  if (isOtherOrigin(address, pageUrl)) return deed(`${sends} That is another site.`);
  const isTaken = isScripted === true && method === 'GET';
  if (saysWrite(name) || saysWrite(URL.parse(address)?.pathname ?? '') || isLogin(fields)) return HARMLESS;
  if (isTaken && (form.button === undefined || !scripts.includes('sends'))) return HARMLESS;
  return unknown(
    isTaken
      ? 'A script of the page sends its form, and nothing says what that does.'
      : `${sends} Nothing says what that does.`,
  );
}

/** Frameworks send a verb, or the command of a form, in a hidden field or in that of the button. */
function fieldDeed(field: string): string | undefined {
  const [name = '', value = ''] = field.split('=');
  if (value === '') return undefined;
  if (/^_?method$/i.test(name)) return /^(?:delete)$/i.test(value) ? value : undefined;
  return deedsNamed(value).find(({ deed: named }) => named !== 'bin')?.word;
}

function isLogin(fields: readonly string[]): boolean {
  return (
    fields.some((field) => /password|passwd|pwd/i.test(field)) &&
    fields.length <= 5 &&
    fields.some((field) => /user|mail|login|name/i.test(field))
  );
}

function isOtherOrigin(address: string, pageUrl: string): boolean {
  const [to, from] = [URL.parse(address), URL.parse(pageUrl)];
  if (to === null || from === null || !/^https?:$/.test(from.protocol)) return false;
  return to.hostname.split('.').slice(-2).join('.') !== from.hostname.split('.').slice(-2).join('.');
}
