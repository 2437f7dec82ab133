/** The tools of an investigation: what a repeated attempt of a phase does, and what the log has of it. */
import { StreamEventType } from '../../../contracts/events/stream-event';
import { PHASES } from '../../../contracts/steps/investigation';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => {
  stage = await openBrowserStage();
});
afterAll(async () => {
  await stage.stop();
});

const PHASE = 'focused_exploration';
const { tools } = PHASES.find(({ phase }) => phase === PHASE)!;

test('a repeated attempt uses no tool twice, and publishes the end of one whose finding was only stored', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const first = await session.explore(PHASE);
  const whole = await session.log();
  const place = { sessionId: session.sessionId, stepIndex: 0, turn: 0 };
  const [before] = await stage.store.investigations.of(place);

  // The worker of the first attempt dies right after the finding of its first tool.
  const other = await stage.newSession();
  await other.open('/parts/counter');
  const finding = before!.findings[0]!;
  await stage.store.investigations.addFinding(
    { ...place, sessionId: other.sessionId, phase: PHASE },
    { ...finding, summary: 'Found by the first attempt.' },
  );
  const again = await other.explore(PHASE);

  expect(again.toolsUsed).toEqual(first.toolsUsed);
  const endsOf = (log: typeof whole) =>
    log.flatMap(({ type, data }) =>
      type === StreamEventType.INVESTIGATION_TOOL_COMPLETED ? [data.investigationTool!.tool] : [],
    );
  expect(endsOf(whole)).toEqual(tools);
  expect(endsOf(await other.log())).toEqual(tools);
  expect(JSON.stringify(await other.log())).toContain('Found by the first attempt.');

  await other.explore(PHASE);
  expect(endsOf(await other.log())).toEqual(tools);
});
