/** A person has approved what they saw: wherever an amount stands, and however it changes, the yes is not for the other one. */
import { asApproved, captureView } from '../../../../activities/browser/approval-view/capture-view';
import { createSessionValues } from '../../../../activities/secrets/session-values';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import { openBrowserStage, type BrowserStage } from '../../../support/browser-harness';
import type { StagedSession } from '../../../support/browser-session';
import { eventually } from '../../../support/eventually';
import { FRAMED_SUM, PAYMENT_PAGES, paymentPage, type PaymentPage } from '../../../support/payment-pages';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
  await session.acquire();
}, 60_000);
afterAll(() => stage.stop());

const PAY: PlannedCommand = { commandId: 'pay', action: 'CLICK_ELEMENT', parameters: { selector: 'form button' } };

const contextOf = () => ({
  store: stage.store,
  sessionId: session.sessionId,
  attachment: session.attachment(),
  values: createSessionValues([], {}),
});

async function digestNow(): Promise<string> {
  const view = await captureView(contextOf(), PAY);
  if (view === undefined || view === 'missing') throw new Error(`Expected a view, got ${view}.`);
  return view.digest;
}

const amounts = ['900', '11', '100', '1000', '10000'];
/** Of one page; the first has its form or its button in a way of its own. */
const groups = PAYMENT_PAGES.reduce<PaymentPage[][]>(
  (made, page) => {
    const isAlone = page.form !== undefined || page.button !== undefined;
    if (isAlone) return [[page], ...made];
    return made.at(-1)!.length < 7 ? [...made.slice(0, -1), [...made.at(-1)!, page]] : [...made, [page]];
  },
  [[]],
);

test.each(groups.map((group) => [group.map(({ place }) => place).join(', '), group] as const))(
  'what says another amount is another page, and 10 again the one approved: %s',
  async (_places, group) => {
    const framed = stage.page('/framed-sum', FRAMED_SUM).replace('127.0.0.1', 'localhost').replace('/framed-sum', '');
    await session.open(stage.page('/payment', paymentPage(group, framed)));
    const { page } = contextOf().attachment;
    await page.waitForLoadState('load');
    const approved = await digestNow();
    const holds = async () => (await asApproved(contextOf(), PAY, approved)) !== undefined;
    const set = (index: number, amount: string) =>
      page.evaluate(([at, each]) => (globalThis as unknown as Shown).sets[at]!(each), [index, amount] as const);
    const passed: string[] = [];
    for (const [index, { place }] of group.entries()) {
      for (const amount of amounts) {
        await set(index, amount);
        const isNoticed = eventually(`${amount} is noticed`, async () => !(await holds()), 3000);
        await isNoticed.catch(() => passed.push(`${place}: ${amount}`));
      }
      await set(index, '10');
      await eventually(`10 is approved again in ${place}`, holds, 5000);
    }
    expect(passed).toEqual([]);
  },
);

interface Shown {
  sets: ((amount: string) => void)[];
}
