import type { Page } from 'playwright';
import { LONGEST_COPIED, type PersonAct } from '../../../contracts/browsers/takeover';
import { withinMs } from '../../../runtime/time-limit';
import { learnGuardedFields } from '../../secrets/guarded-fields';
import type { SessionValues } from '../../secrets/session-values';

const READ_LIMIT_MS = 2000;
const COPYING_KEY = /^(?:Control|Meta)\+[CX]$/;

/** What is selected, with what stands right before and after it. */
interface Selected {
  text: string;
  before: string;
  after: string;
}

/**
 * The text that the page has selected, where an act copies it; undefined where there is none. Of a secret nothing is copied,
 * also where only a part of it is selected, and of a password field nothing at all.
 */
export async function copiedText(page: Page, values: SessionValues, act: PersonAct): Promise<string | undefined> {
  if (act.kind !== 'key' || !COPYING_KEY.test(act.key)) return undefined;
  const reading = async (): Promise<string | undefined> => {
    if (values.hasSecrets) await learnGuardedFields(page, values);
    for (const frame of page.frames().toReversed()) {
      const selected = await frame.evaluate(readSelected, LONGEST_COPIED).catch((): undefined => undefined);
      if (selected === undefined) continue;
      const { before, text, after } = selected;
      return values.redactTogether([before, text, after])[1];
    }
    return undefined;
  };
  return await withinMs(READ_LIMIT_MS, reading()).catch((): undefined => undefined);
}

/** Runs in the page. */
function readSelected(most: number): Selected | undefined {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const { value, selectionStart: start, selectionEnd: end, type } = element;
    if (type === 'password' || start === null || end === null || start === end) return undefined;
    return {
      before: value.slice(0, start),
      text: value.slice(start, Math.min(end, start + most)),
      after: value.slice(end),
    };
  }
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const [around, rest] = [range.cloneRange(), range.cloneRange()];
  around.selectNodeContents(document.documentElement);
  around.setEnd(range.startContainer, range.startOffset);
  rest.selectNodeContents(document.documentElement);
  rest.setStart(range.endContainer, range.endOffset);
  const context = 2000;
  const text = selection.toString().slice(0, most);
  return { before: around.toString().slice(-context), text, after: rest.toString().slice(0, context) };
}
