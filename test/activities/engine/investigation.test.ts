/** Judging a phase, learning, and refusing to repeat: the engine's activities on a real store, led by `rules`. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import postgres from 'postgres';
import type { CommandEvidence } from '../../../contracts/commands/evidence';
import { anObservedCommand } from '../../support/evidence';
import { createEngineActivities } from '../../../activities/engine-worker';
import type {
  AssessInput,
  AssessOutput,
  DecideInput,
  EngineActivities,
} from '../../../activities/signatures/engine-activities';
import type { Model, DecisionRequest } from '../../../contracts/model-port/port';
import { createPricing } from '../../../activities/engine/models/calls/prices';
import { createRulesModel } from '../../../rules/rules-model';
import { EFFECT_CLASS, type AIGeneratedCommand } from '../../../contracts/commands/commands';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { ToolFinding } from '../../../contracts/steps/investigation';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { MEMORY_LIMITS, type MemoryEntry } from '../../../contracts/steps/working-memory';
import type { JournalStatus } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import { aCommand, aReply, aSession, aStepFor } from '../../support/builders';
import { aToolRegistry } from '../../support/engine-tools';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(async () => {
  await stack.stop();
});

const runId = 'run-1';
const nothing = { records: [], patch: {}, stepResults: [] };

function aSnapshot(...buttons: [name: string, beside: string][]): PageSnapshot {
  const nodes = buttons.map(([name, beside], index) => ({
    role: 'listitem',
    ref: `e${index * 10 + 1}`,
    children: [beside, { role: 'button', name, ref: `e${index * 10 + 2}` }],
  }));
  return { snapshotId: 'l', url: 'https://shop.test/tents?page=1', title: 'Tents', tabs: [], nodes };
}

function activitiesOf(model: Model): EngineActivities {
  return createEngineActivities({
    store,
    ...aToolRegistry(store),
    resolveModel: () => model,
    pricing: createPricing(undefined),
    defaultModel: 'rules',
    hasSearchAttributes: false,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
  });
}

async function run<O>(sessionId: string, work: () => Promise<O>): Promise<O> {
  const workflowExecution = { workflowId: sessionId, runId };
  return await new MockActivityEnvironment({ workflowExecution }, { logger: new DefaultLogger('ERROR') }).run(work);
}

function decideInput(sessionId: string, change: Partial<DecideInput> = {}): DecideInput {
  return {
    sessionId,
    stepIndex: 0,
    turn: 0,
    step: aStepFor('fake', 'Buy a tent'),
    mayAct: true,
    outbox: nothing,
    ...change,
  };
}

/** A model that always gives this reply, and what it was asked. */
function alwaysSays(commands: AIGeneratedCommand[]): { model: Model; asked: DecisionRequest[] } {
  const asked: DecisionRequest[] = [];
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return {
    asked,
    model: {
      decide: async (question) => {
        asked.push(question);
        return { reply: aReply({ decision: 'RETRY', commands }), usage, model: 'fake' };
      },
      assess: async () => ({ judgement: undefined, usage, model: 'fake' }),
      turn: () => Promise.reject(new Error('This model is asked for no task.')),
    },
  };
}

/** Journals the command of a reply with this outcome, as the browser worker does. */
async function ended(
  sessionId: string,
  turn: number,
  { action, parameters }: AIGeneratedCommand,
  status: Exclude<JournalStatus, 'intended'>,
  more: { code?: 'EX002' | 'EX004'; evidence?: CommandEvidence; stepIndex?: number } = {},
): Promise<void> {
  const { code = 'EX002', evidence, stepIndex = 0 } = more;
  const commandId = `${sessionId}.${stepIndex}.${turn}.0`;
  const target = { role: 'button', name: 'Buy' };
  const intent = { commandId, stepIndex, turn, position: 0, action, parameters, effect: EFFECT_CLASS[action] };
  await store.journal.intend(
    sessionId,
    { runId },
    { ...intent, target, pageUrl: 'https://shop.test/tents?page=1' },
    [],
  );
  const response = { success: status === 'done', commandId, screenshotId: '', duration: 1 };
  const error = { id: 'x', code, message: 'There is no such button.' } as never;
  const failed = status === 'failed' ? { error } : {};
  await store.journal.finish(sessionId, { runId }, { commandId, status, response, evidence, ...failed }, []);
}

describe('a command that would only repeat an earlier one', () => {
  const buy = aCommand('CLICK_ELEMENT', { selector: '#buy' });
  const look = aSnapshot(['Buy', 'Red tent']);
  const changed = aSnapshot(['Buy', 'Red tent'], ['Buy', 'Blue tent']);

  async function secondReply(
    first: Exclude<JournalStatus, 'intended'>,
    now: PageSnapshot,
    command = buy,
    more: Parameters<typeof ended>[4] = {},
  ) {
    const sessionId = await aSession(store, { runId, isActive: true });
    await store.memory.saveSnapshot(sessionId, {}, look);
    const { model, asked } = alwaysSays([command]);
    const { decide } = activitiesOf(model);
    await run(sessionId, () => decide(decideInput(sessionId)));
    await ended(sessionId, 0, command, first, more);
    await store.memory.saveSnapshot(sessionId, {}, now);
    const second = await run(sessionId, () => decide(decideInput(sessionId, { turn: 1 })));
    return { sessionId, decide, second, asked };
  }

  test.each(['failed', 'done'] as const)('is left out when it %s on a page that reads the same', async (status) => {
    const { sessionId, decide, second, asked } = await secondReply(status, look);
    expect(second).toMatchObject({ commands: [], hasRepeats: true });
    await run(sessionId, () => decide(decideInput(sessionId, { turn: 2 })));
    expect(asked[2]!.pastIterations[1]!.outcomes).toEqual([
      { action: 'CLICK_ELEMENT', parameters: { selector: '#buy' }, status: 'skipped', isRepeat: true },
    ]);
  });

  test.each<[why: string, result: ReturnType<typeof secondReply> | (() => ReturnType<typeof secondReply>)]>([
    ['the page has changed since', () => secondReply('done', changed)],
    ['nobody knows whether it happened', () => secondReply('unknown', look)],
    [
      'its browser was lost',
      () => secondReply('done', look, buy, { evidence: anObservedCommand({ lostWith: 'browser' }) }),
    ],
    ['it was the network that failed', () => secondReply('failed', look, buy, { code: 'EX004' })],
    ['it only looks', () => secondReply('failed', look, aCommand('EXPECT', { text: 'a tent' }))],
  ])('is run when %s', async (_, result) => {
    const { second } = await (typeof result === 'function' ? result() : result);
    expect(second.commands).toHaveLength(1);
    expect(second.hasRepeats).toBeUndefined();
  });
});

describe('working memory', () => {
  const memoryEvents = async (sessionId: string) =>
    (await store.log.read(sessionId, 0, 500)).filter(({ type }) => type === StreamEventType.WORKING_MEMORY_UPDATED);

  test('learns variables that were saved and what happened three times, once, for the steps that follow', async () => {
    const sessionId = await aSession(store, { runId, isActive: true });
    const buy = aCommand('CLICK_ELEMENT', { selector: '#buy' });
    for (const turn of [0, 1, 2]) await ended(sessionId, turn, buy, 'done');
    const saved = { name: 'price', value: '12 EUR', source: 'extracted', stepIndex: 0 } as const;
    const commandId = `${sessionId}.0.3.0`;
    const save = { commandId, stepIndex: 0, turn: 3, position: 0, action: 'SAVE_VARIABLE', parameters: {} } as const;
    await store.journal.intend(sessionId, { runId }, { ...save, effect: 'pure', pageUrl: 'https://shop.test/' }, []);
    const response = { success: true, commandId, screenshotId: '', duration: 1 };
    await store.journal.finish(sessionId, { runId }, { commandId, status: 'done', response }, [], saved);

    const { model, asked } = alwaysSays([aCommand('GET_DOM', {})]);
    const { decide } = activitiesOf(model);
    await run(sessionId, () => decide(decideInput(sessionId, { stepIndex: 1 })));
    // Its attempt, and the next step, know it already.
    await run(sessionId, () => decide(decideInput(sessionId, { stepIndex: 1 })));
    await run(sessionId, () => decide(decideInput(sessionId, { stepIndex: 2 })));
    const updates = (await memoryEvents(sessionId)).map(({ data }) => data.workingMemory!);
    expect(updates).toEqual([
      { updateType: 'variable_extraction', elementsKnown: 0, patternsLearned: 1, confidence: 1, source: 'commands' },
      { updateType: 'pattern_learning', elementsKnown: 0, patternsLearned: 1, confidence: 0.75, source: 'commands' },
    ]);
    const { memory } = asked.at(-1)!;
    expect(memory).toMatchObject([
      {
        kind: 'pattern_learning',
        occurrences: 3,
        text: expect.stringContaining('CLICK_ELEMENT on the button “Buy” works'),
      },
      { kind: 'variable_extraction', name: 'price' },
    ]);
    expect(JSON.stringify(memory)).not.toContain('12 EUR');
  });

  const anElement = (index: number, confidence = 0.8): MemoryEntry => ({
    kind: 'element_discovery',
    page: 'https://shop.test/tents',
    selector: `#e${index}`,
    elementType: 'button',
    name: `Button ${index}`,
    confidence,
    isReliable: true,
  });

  test('keeps at most five hundred elements, the surest ones', async () => {
    const sessionId = await aSession(store);
    const cap = MEMORY_LIMITS.element_discovery;
    const elements = Array.from({ length: cap + 20 }, (_, index) => anElement(index, index < 20 ? 0.1 : 0.8));
    await store.workingMemory.remember(sessionId, elements);
    const { elementsKnown, entries } = await store.workingMemory.recall(sessionId, 'https://shop.test/tents', cap);
    expect(elementsKnown).toBe(cap);
    expect(entries.some(({ confidence }) => confidence < 0.5)).toBe(false);
  });

  test('gives for a page only the memory of that page, and skips what it can not read any more', async () => {
    const sessionId = await aSession(store);
    await store.workingMemory.remember(sessionId, [
      anElement(1),
      { ...anElement(2), page: 'https://other.test/' } as MemoryEntry,
    ]);
    const sql = postgres(stack.databaseUrl, { max: 1 });
    await sql`insert into working_memory (session_id, kind, key, page, entry, confidence)
      values (${sessionId}, 'page_insight', 'x', 'https://shop.test/tents', '{"kind": "rot"}', 1)`;
    await sql.end();
    const { entries } = await store.workingMemory.recall(sessionId, 'https://shop.test/tents', 10);
    expect(entries).toEqual([anElement(1)]);
  });
});

describe('judging a phase', () => {
  const look = aSnapshot(['Delete', 'Blue tent'], ['Delete', 'Red tent']);
  const selectorOf = (nth: number) => `role=button[name="Delete"s] >> nth=${nth}`;
  const candidate = (nth: number, beside: string) => ({
    selector: selectorOf(nth),
    matches: 1,
    isVisible: true,
    isEnabled: true,
    markup: '<button class="plain">',
    around: `${beside} Delete`,
  });
  const finding = (change: Partial<ToolFinding>): ToolFinding => ({
    phase: 'focused_exploration',
    tool: 'sub_dom_extraction',
    success: true,
    confidence: 0.9,
    durationMs: 1,
    summary: 'seen',
    text: '',
    elementsFound: 2,
    ...change,
  });
  const assessInput = (sessionId: string, phase: AssessInput['phase']): AssessInput => {
    const { mayAct: _mayAct, ...rest } = decideInput(sessionId, { turn: 1 });
    return { ...rest, step: aStepFor('fake', 'Expect "Red tent", then click "Delete"'), phase };
  };

  test('proposes what fits, settles by what stands beside it, and remembers; a repetition changes nothing', async () => {
    const sessionId = await aSession(store, { runId, isActive: true });
    await store.memory.saveSnapshot(sessionId, {}, look);
    const place = { sessionId, stepIndex: 0, turn: 1 };
    const { assess, decide } = activitiesOf(createRulesModel());
    const first = await run(sessionId, () => assess(assessInput(sessionId, 'initial_assessment')));
    expect(first).toMatchObject({ focus: ['Delete'], elementsDiscovered: 0, readyForAction: false });
    await store.investigations.addFinding({ ...place, phase: 'focused_exploration' }, finding({}));
    const second = await run(sessionId, () => assess(assessInput(sessionId, 'focused_exploration')));
    expect(second).toMatchObject({ elementsDiscovered: 2, confidence: 0.5, readyForAction: false, learnt: [] });
    await store.investigations.addFinding(
      { ...place, phase: 'selector_determination' },
      finding({ phase: 'selector_determination', candidates: [candidate(0, 'Blue tent'), candidate(1, 'Red tent')] }),
    );
    const third = await run(sessionId, () => assess(assessInput(sessionId, 'selector_determination')));
    expect(await run(sessionId, () => assess(assessInput(sessionId, 'selector_determination')))).toEqual(third);
    expect(third).toMatchObject({ elementsDiscovered: 2, confidence: 0.9, readyForAction: true });
    expect(third.learnt.map(({ updateType }) => updateType)).toEqual([
      'element_discovery',
      'page_insight',
      'investigation_preference',
    ]);
    expect(third.learnt[0]).toMatchObject({ elementsKnown: 2, source: 'investigation' });

    const log = await store.log.read(sessionId, 0, 100);
    const found = log.flatMap(({ data }) => data.elementDiscovery ?? []);
    expect(found.map(({ selector, isReliable, confidence }) => [selector, isReliable, confidence])).toEqual([
      [selectorOf(0), false, 0.5],
      [selectorOf(1), false, 0.5],
      [selectorOf(0), false, 0.2],
      [selectorOf(1), true, 0.9],
    ]);

    const step = aStepFor('fake', 'Expect "Red tent", then click "Delete"');
    const answer = await run(sessionId, () => decide(decideInput(sessionId, { turn: 1, step })));
    expect(answer.commands.map(({ parameters }) => parameters.selector ?? parameters.text)).toEqual([
      'Red tent',
      selectorOf(1),
    ]);
  });

  test('of two attempts that do not know of each other the first judgement counts, for both and in the log', async () => {
    const sessionId = await aSession(store, { runId, isActive: true });
    await store.memory.saveSnapshot(sessionId, {}, look);
    const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    const { model } = alwaysSays([]);
    const input = assessInput(sessionId, 'focused_exploration');
    const judging = (focus: string, ref: string, before: () => Promise<void> = async () => {}) =>
      activitiesOf({
        ...model,
        assess: async () => {
          await before();
          const elements = [{ selector: `ref=${ref}`, elementType: 'button', confidence: 1 }];
          return { judgement: { summary: 'One.', focus: [focus], elements, confidence: 1 }, usage, model: 'fake' };
        },
      });
    const overtaking = Promise.withResolvers<AssessOutput>();
    const late = judging('late', 'e13', async () =>
      overtaking.resolve(await run(sessionId, () => judging('first', 'e12').assess(input))),
    );
    const output = await run(sessionId, () => late.assess(input));
    expect(output).toEqual(await overtaking.promise);
    expect(output).toMatchObject({ focus: ['first'], elementsDiscovered: 1 });
    const found = (await store.log.read(sessionId, 0, 100)).flatMap(({ data }) => data.elementDiscovery ?? []);
    expect(found).toHaveLength(1);
  });

  test('a judgement that does not fit its schema is TL003; a ref that the page lacks is left out', async () => {
    const sessionId = await aSession(store, { runId, isActive: true });
    await store.memory.saveSnapshot(sessionId, {}, look);
    const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    const { model } = alwaysSays([]);
    const judging = (judgement: unknown) =>
      activitiesOf({ ...model, assess: async () => ({ judgement, usage, model: 'fake' }) });
    const input = assessInput(sessionId, 'focused_exploration');
    await expect(run(sessionId, () => judging({ summary: 1 }).assess(input))).rejects.toMatchObject({ type: 'TL003' });
    const elements = [
      { selector: 'ref=e99', elementType: 'button', confidence: 1 },
      { selector: 'ref=e12', elementType: 'button', confidence: 1 },
    ];
    const judgement = { summary: 'Two.', focus: ['', ' '], elements, confidence: 1 };
    expect(await run(sessionId, () => judging(judgement).assess(input))).toMatchObject({
      elementsDiscovered: 1,
      focus: [],
      // Nothing of the page has vouched for it.
      readyForAction: false,
    });
  });
});
