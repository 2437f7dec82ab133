/**
 * Investigated sessions on the whole product: each finds the right element on a page with one difficulty, led by the
 * model without a network, and one by a vendor's model. The log has the phases, the tools and the elements that prove it.
 */
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { payloadProblems } from '../../bench/log-checks/payloads';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { orderProblems } from '../support/event-order';
import { investigates } from '../support/model-server/investigator';
import { startModelServer, type ModelServer } from '../support/model-server/server';
import { startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  const env = {
    VERTEX_PROJECT: 'acme',
    VERTEX_API_ENDPOINT: server.host,
    VERTEX_ACCESS_TOKEN: 'ya29.not-for-any-log',
    NODE_EXTRA_CA_CERTS: server.caFile,
  };
  stack = await startWholeStack(env, { wants: (name) => /^(engine-1|keeper|browser-1|shop)$/.test(name) });
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await server.stop();
}, 60_000);

const ofType = (log: readonly LogRecord[], type: StreamEventType): LogRecord[] =>
  log.filter((record) => record.type === type);

async function investigated(request: StartRequest): Promise<LogRecord[]> {
  const { sessionId } = await stack.client.start(request);
  const log = await stack.logOf(sessionId, 270_000);
  const { session, error } = await stack.client.get(sessionId);
  expect({ status: session.status, error }).toEqual({ status: 'COMPLETED', error: null });
  expect(orderProblems(log)).toEqual([]);
  expect(payloadProblems(log)).toEqual([]);
  return log;
}

/** Selectors that an investigation vouches for, and those that were clicked. */
function selectorsIn(log: readonly LogRecord[]): { reliable: string[]; clicked: string[] } {
  const found = ofType(log, StreamEventType.ELEMENT_DISCOVERED).map(({ data }) => data.elementDiscovery!);
  const commands = ofType(log, StreamEventType.COMMAND_COMPLETED).map(({ data }) => data.command!);
  return {
    reliable: found.filter(({ isReliable }) => isReliable).map(({ selector }) => selector),
    clicked: commands.flatMap(({ action, parameters }) =>
      action === 'CLICK_ELEMENT' ? [parameters.selector ?? ''] : [],
    ),
  };
}

test.each<[what: string, part: string, steps: string[], selector: RegExp]>([
  ['that comes late', 'late?ms=2500', ['Click "Late button"', 'Expect "Late button pressed"'], /Late button/],
  ['in a frame', 'iframe', ['Click "Press inside"', 'Expect "Pressed inside"'], /enter-frame >> role=button/],
  [
    'in an open shadow tree',
    'shadow',
    ['Type "Ada" into "Nickname", then click "Greet"', 'Expect "Hello, Ada"'],
    /role=button\[name="Greet"s\]/,
  ],
  [
    'of a table of a thousand rows',
    'table',
    ['Click the Edit button in the row "Item 617"', 'Expect "Editing Item 617"'],
    /has-text="Item 617 .*role=button\[name="Edit"s\]$/,
  ],
])(
  '[S1.A35, S1.A40] an investigated session finds an element %s',
  async (_, part, steps, selector) => {
    const config = { investigation: 'always', timeouts: { stepTimeoutMs: 240_000 } } as const;
    const log = await investigated({ steps: [`Open ${stack.shop}/parts/${part}`, ...steps], config });
    const own = log.filter(({ stepIndex }) => stepIndex === 1);
    const phases = ofType(own, StreamEventType.INVESTIGATION_PHASE_COMPLETED).map(({ data }) => data.investigation!);
    expect(phases.slice(0, 3)).toMatchObject([
      { phase: 'initial_assessment', toolsUsed: ['screenshot_analysis'] },
      { phase: 'focused_exploration', toolsUsed: ['text_extraction', 'sub_dom_extraction'] },
      { phase: 'selector_determination', toolsUsed: ['sub_dom_extraction'] },
    ]);
    expect(ofType(own, StreamEventType.INVESTIGATION_COMPLETED)[0]!.data.investigation).toMatchObject({
      readyForAction: true,
      phase: 'selector_determination',
    });
    const { reliable, clicked } = selectorsIn(own);
    expect(clicked).toEqual([expect.stringMatching(selector)]);
    expect(reliable).toContain(clicked[0]);
    expect(
      ofType(own, StreamEventType.WORKING_MEMORY_UPDATED).map(({ data }) => data.workingMemory!.updateType),
    ).toEqual(expect.arrayContaining(['element_discovery', 'page_insight', 'investigation_preference']));
  },
  290_000,
);

test('[S1.A35] of equally named elements the one that the step speaks of is found, if the model asks', async () => {
  const steps = [
    `Open ${stack.shop}/parts/equal-names`,
    'Expect "Red tent", then click "Delete"',
    'Expect "Deleted Red tent"',
  ];
  const log = await investigated({ steps, config: { timeouts: { stepTimeoutMs: 240_000 } } });
  const [begun] = ofType(log, StreamEventType.INVESTIGATION_STARTED);
  expect(begun!.data.message).toContain('the model asked for it');
  expect(ofType(log, StreamEventType.INVESTIGATION_PHASE_COMPLETED)).toHaveLength(3);
  const { reliable, clicked } = selectorsIn(log);
  expect(clicked).toEqual(['role=button[name="Delete"s] >> nth=1']);
  expect(reliable).toEqual(clicked);
}, 290_000);

test("a vendor's model asks for an investigation, judges its phases and acts on what was found", async () => {
  server.play(investigates);
  const log = await investigated({
    steps: [`Open ${stack.shop}/parts/equal-names`, 'Remove the red tent'],
    config: { aiConfig: { model: 'vertexai/gemini-2.5-flash' }, timeouts: { stepTimeoutMs: 240_000 } },
  });
  expect(ofType(log, StreamEventType.INVESTIGATION_COMPLETED)).toHaveLength(1);
  const { reliable, clicked } = selectorsIn(log);
  expect(clicked).toEqual(['role=button[name="Delete"s] >> nth=1']);
  expect(reliable).toEqual(clicked);
  // The first phase was shown to it as a picture as well.
  const pictures = server.heard.filter(({ body }) => JSON.stringify(body).includes('"image/png"'));
  expect(pictures.length).toBeGreaterThanOrEqual(1);
  const [usage] = await stack.engineStore.modelCalls.usageOf(log[0]!.sessionId);
  expect(usage).toBeDefined();
  const billed = (await stack.engineStore.modelCalls.usageOf(log[0]!.sessionId)).find(
    ({ stepIndex }) => stepIndex === 1,
  );
  // Three decisions at the least, and three judgements.
  expect(billed!.calls).toBeGreaterThanOrEqual(6);
}, 290_000);
