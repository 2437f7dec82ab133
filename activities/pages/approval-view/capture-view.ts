import type { Locator } from 'playwright';
import { MASKED_VALUE, type ApprovalView } from '../../../contracts/approvals/approval-view';
import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { keyCommands } from '../../../contracts/commands/definitions/keys';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { withinMs } from '../../../runtime/time-limit';
import type { Attachment } from '../../browsers/attachment';
import { locateTarget } from '../../commands/find-target';
import type { SessionValues } from '../../secrets/session-values';
import type { Store } from '../../../store/store';
import { exposeClosedShadowRoots } from '../snapshots/aria-tree';
import { truncateMiddle } from '../../tools/truncate-middle';
import { readView, type ReadPlace, type ReadView } from './read-view';

const READ_LIMIT_MS = 5000;
const MOST_FIELDS = 60;
const MOST_AMOUNTS = 20;
const LONGEST = { name: 100, value: 200, text: 1500 };

/** What a person is shown of the page for one command; `missing`: its element is not there. */
export type CapturedView = Omit<ApprovalView, 'screenshotId'> | 'missing' | undefined;

interface ViewContext {
  store: Pick<Store, 'secrets'>;
  sessionId: string;
  attachment: Attachment;
  values: SessionValues;
}

/** Reads what an approval of the command is bound to. Undefined for a command that aims at nothing on the page. */
export async function captureView(context: ViewContext, command: PlannedCommand): Promise<CapturedView> {
  const read = await readAt(context.attachment, command);
  return typeof read === 'object' ? toView(read, context) : read;
}

async function readAt(attachment: Attachment, command: PlannedCommand): Promise<ReadView | 'missing' | undefined> {
  const { action, target, parameters } = command;
  const { selector, x, y } = parameters;
  if (EFFECT_CLASS[action] === 'pure') return undefined;
  const { page } = attachment;
  const read = (element: Locator, place: ReadPlace): Promise<ReadView> =>
    element.evaluate(readView, place, { timeout: READ_LIMIT_MS });
  const root = page.locator(':root');
  const isKey = action in keyCommands;
  if (selector !== undefined) {
    const elements = page.locator(target?.selector ?? selector);
    const count = (): Promise<number> => withinMs(READ_LIMIT_MS, elements.count());
    if ((await count()) === 0) await exposeClosedShadowRoots(attachment);
    if ((await count()) !== (target?.of ?? 1)) return 'missing';
    return await read(locateTarget(page, command, selector), { at: 'element', isKey });
  }
  if (x !== undefined && y !== undefined) return await read(root, { at: 'point', x, y });
  if (isKey) return await read(root, { at: 'focus', isKey });
  // A script may do anything with its page.
  return action === 'RUN_SCRIPT' ? await read(root, { at: 'page' }) : undefined;
}

function toView(
  { submitsTo, fields, text, amounts }: ReadView,
  { store, sessionId, values }: ViewContext,
): Omit<ApprovalView, 'screenshotId'> {
  const bound = fields.filter(({ isNonce }) => !isNonce).map(({ name, value }) => [name, value]);
  const shown = (value: string, limit: number): string => truncateMiddle(values.redact(value), limit);
  return {
    // Keyed: everybody may read it, and a short secret of the form could be guessed from a plain hash.
    digest: store.secrets.digest(sessionId, JSON.stringify([submitsTo ?? '', bound, text, amounts])),
    ...(submitsTo === undefined ? {} : { submitsTo: shown(submitsTo, LONGEST.text) }),
    fields: fields
      .filter(({ isNonce }) => !isNonce)
      .slice(0, MOST_FIELDS)
      .map(({ name, value, isGuarded }) => ({
        name: shown(name, LONGEST.name),
        value: isGuarded && value !== '' ? MASKED_VALUE : shown(value, LONGEST.value),
      })),
    text: shown(text, LONGEST.text),
    amounts: amounts.slice(0, MOST_AMOUNTS).map((amount) => shown(amount, LONGEST.name)),
  };
}
