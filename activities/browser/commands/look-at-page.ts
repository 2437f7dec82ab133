import type { Page } from 'playwright';
import type { SiteFinding } from '../../../contracts/sessions/site-check';
import { readCondition } from '../../../rules/planning/page-wait';
import { asksForPassword, whyUnproven } from '../../../rules/planning/site-check';
import { goalWords } from '../../../rules/page-text/goal-words';
import type { LookAgain } from '../../signatures/browser-activities';
import type { Attachment } from '../attach/attachment';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { ask, open, unsure, valuesIn, withNames, type Found, type LookContext } from './follow-looks';

const NOTHING_OPEN = 'about:blank';
/** A page that a restore has opened so lately is not asked for twice. */
const RESTORED_WITHIN_MS = 15_000;

/**
 * Looks whether what a wait waits for holds on the session's page, which is opened again for every look but the first. A text
 * that is to be gone is gone only from a page that is the one that was opened and reports no failure.
 */
export async function lookAtPage(
  context: LookContext,
  instruction: string,
  { isAgain, address: given }: LookAgain,
): Promise<Found & Pick<SiteFinding, 'asksToSignIn'>> {
  const { attachment, values } = context;
  const known = valuesIn(instruction, values);
  if (typeof known === 'string') return unsure(known);
  const condition = readCondition(instruction, known);
  if (typeof condition === 'string') return unsure(condition);
  await attachment.openTab();
  const { page } = attachment;
  const address = given ?? page.url();
  if (isAgain === true && !takeRestored(attachment, address)) {
    const why = await pastCache(attachment, async () => {
      await leaveSamePage(page, address);
      return await open(context, address);
    });
    if (why !== undefined) return unsure(why);
  }
  if (page.url() === NOTHING_OPEN) return unsure('No page is open.');
  const said = withNames(condition.said, known);
  const answer = await ask(context, condition, [instruction], known);
  const at = `at ${page.url()} (${(await page.title()) || 'without a title'})`;
  if ('why' in answer) return unsure(`“${said}” ${at}: ${answer.why}.`);
  const snapshot = await takeSnapshot(attachment, values, { words: goalWords([said]) });
  const signIn = asksForPassword(snapshot) ? { asksToSignIn: true as const } : {};
  if (!answer.isSo) {
    const why = whyUnproven(snapshot, address);
    const seen = `“${said}” does not hold ${at}${why === undefined ? '' : `: ${why}`}.`;
    return why === undefined ? { finding: 'not-there', seen } : { ...unsure(seen), ...signIn };
  }
  const isGone = condition.intent.absent === true;
  const why = isGone
    ? whyUnproven(snapshot, address)
    : asksForPassword(snapshot)
      ? 'the page asks to sign in'
      : undefined;
  return why === undefined
    ? { finding: 'found', seen: `“${said}” holds ${at}.` }
    : { ...unsure(`“${said}” holds ${at}, but ${why}.`), ...signIn };
}

/** True once for each restore. */
function takeRestored(attachment: Attachment, address: string): boolean {
  const { restored, page } = attachment;
  attachment.restored = undefined;
  return restored?.page === page && page.url() === address && performance.now() - restored.at < RESTORED_WITHIN_MS;
}

/** Goes to an address and not to a place in the document that is there, nor to what the browser has kept of it. */
async function leaveSamePage(page: Page, address: string): Promise<void> {
  if (address.includes('#')) await page.goto(NOTHING_OPEN);
}

async function pastCache<T>(attachment: Attachment, work: () => Promise<T>): Promise<T> {
  if (!attachment.hasDevTools) return await work();
  const session = await attachment.cdp(attachment.page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  try {
    return await work();
  } finally {
    await session.send('Network.disable').catch(() => {});
  }
}
