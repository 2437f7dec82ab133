/** What is learnt of a step with parts that depend on the page: only what its words and what was seen agree on. */
import { withKnownParts } from '../../../activities/engine/recipes/known-parts';
import { recipeRoundsOf } from '../../../activities/engine/recipes/learn-step';
import { sightingOf } from '../../../activities/engine/recipes/sighting';
import { stepParts } from '../../../activities/engine/recipes/step-parts';
import { selectorText, durableTarget } from '../../../rules/page-text/durable-target';
import { fingerprintOf } from '../../../activities/recorded/fingerprint';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { AIResponseSchema, DecisionAction } from '../../../contracts/models/ai-response';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import { anObservedCommand } from '../../support/evidence';

const URL = 'https://shop.test/';

function aPage(...nodes: PageNode[]): PageSnapshot {
  return { snapshotId: 's', url: URL, title: '', tabs: [], nodes: [{ role: 'main', children: nodes }] };
}
const button = (name: string, ref = 'e1'): PageNode => ({ role: 'button', name, ref });
const text = (said: string): PageNode => ({ role: 'paragraph', text: said });

/** One look at a page, and the refs of what was clicked then; the last look of a step has none. */
type Look = [PageSnapshot, ...string[]];

function learnt(instruction: string, ...looks: Look[]): RecipeRound[] | undefined {
  const replies = looks.map(([page, ...refs], turn): ReplyRow => {
    const commands = refs.map((ref, position): PlannedCommand => {
      const target = durableTarget(page, ref)!;
      return {
        commandId: `${turn}.${position}`,
        action: 'CLICK_ELEMENT',
        parameters: { selector: selectorText(target) },
        target,
      };
    });
    const clicks = refs.map((ref) => ({ action: 'CLICK_ELEMENT' as const, parameters: { selector: `ref=${ref}` } }));
    const reply = AIResponseSchema.parse({
      decision: { action: refs.length === 0 ? DecisionAction.PROCEED : DecisionAction.RETRY, message: '' },
      reasoning: { analysis: '', rationale: '', expectedOutcome: '', confidence: 1 },
      commands: clicks,
    });
    return {
      turn,
      reply,
      model: 'a model',
      usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
      commands,
      snapshotDigest: fingerprintOf(page),
      sighting: sightingOf(page, instruction, clicks),
    };
  });
  const journal = replies.flatMap(({ commands, turn }) =>
    commands.map(
      (command) =>
        ({
          ...command,
          turn,
          status: 'done',
          evidence: anObservedCommand({ urlBefore: URL, urlAfter: URL }),
        }) as JournalEntry,
    ),
  );
  const none = new Map<string, string>();
  return recipeRoundsOf({
    instruction,
    replies,
    journal,
    acts: [],
    seenAfter: undefined,
    values: none,
    unspoken: none,
  });
}

const shown = aPage(text('Hello'), button('Accept'));
const hidden = aPage(text('Hello'));

describe('If "Accept" is shown, click it', () => {
  const step = 'If "Accept" is shown, click it';

  test('is learnt with its element where it was shown, and that it was gone with that', () => {
    expect(learnt(step, [shown, 'e1'], [hidden])).toMatchObject([
      {
        when: { text: 'Accept', isControl: true },
        commands: [{ target: { name: 'Accept' } }],
        after: { isOver: true },
      },
    ]);
  });

  test('is learnt without one where it was not', () => {
    expect(learnt(step, [hidden])).toMatchObject([{ when: { text: 'Accept' }, commands: [] }]);
  });

  test('is not learnt where it was shown and not clicked, or something else was', () => {
    expect(learnt(step, [shown])).toBeUndefined();
    const other = aPage(button('Accept'), button('Refuse', 'e2'));
    expect(learnt(step, [other, 'e2'], [hidden])).toBeUndefined();
  });
});

describe('Click "Next" until "End" is shown', () => {
  const step = 'Click "Next" until "End" is shown';
  const part = (number: string) => aPage(text(`Part ${number}`), button('Next'));
  const end = aPage(text('End'), button('Next'));

  test('is learnt once, however often it was done, with its end and its bound', () => {
    expect(learnt(step, [part('one'), 'e1'], [part('two'), 'e1'], [end])).toMatchObject([
      { until: { text: 'End' }, most: 20, commands: [{ target: { name: 'Next' } }], after: { texts: [] } },
    ]);
  });

  test.each<[string, Look[]]>([
    ['it was done without a look in between', [[aPage(button('Next')), 'e1', 'e1'], [end]]],
    ['a time has changed nothing', [[part('one'), 'e1'], [part('one'), 'e1'], [end]]],
    ['its end was never seen', [[part('one'), 'e1'], [part('two')]]],
    ['it went on behind its end', [[part('one'), 'e1'], [end, 'e1'], [end]]],
  ])('is not learnt where %s', (_, looks) => {
    expect(learnt(step, ...looks)).toBeUndefined();
  });
});

test('parts around one that depends on the page are rounds of their own, in the order of the words', () => {
  const step = 'Click "Add". If "Accept" is shown, click it and click "Go on". Then click "Send"';
  const looks: Look[] = [
    [aPage(button('Add')), 'e1'],
    [aPage(text('Added'), button('Accept'), button('Send', 'e2')), 'e1'],
    [aPage(button('Go on'), button('Send', 'e2')), 'e1'],
    [aPage(text('One thing'), button('Send', 'e2')), 'e2'],
    [aPage(text('Sent it'))],
  ].map(([page, ...refs]) => [{ ...(page as PageSnapshot) }, ...refs] as Look);
  for (const [page] of looks) for (const node of page.nodes) if (typeof node !== 'string') markNew(node);
  const rounds = learnt(step, ...looks);
  expect(rounds?.map(({ commands, when, isJoined }) => [commands[0]?.target?.name, when?.text, isJoined])).toEqual([
    ['Add', undefined, undefined],
    ['Accept', 'Accept', undefined],
    ['Go on', undefined, true],
    ['Send', undefined, undefined],
  ]);
});

function markNew(node: PageNode): void {
  for (const child of node.children ?? [])
    if (typeof child !== 'string' && child.role === 'paragraph') child.since = 'new';
}

test.each([
  ['While "More" is shown, click it', 'unclear'],
  ['Click "Next"; otherwise click "Back"', 'unclear'],
  ['If "Terms" is unchecked, check it', 'unclear'],
  ['Click "if you must"', 'plain'],
  ['Wait until "Done" is shown, then click "Next"', 'plain'],
  ['Type "x" into Name and click "Send"', 'plain'],
])('of the words %s it is %s whether they depend on the page', (words, kind) => {
  expect(stepParts(words).kind).toBe(kind);
});

test('a part that had not to be done this time keeps what an earlier version knows of it', () => {
  const step = 'If "Accept" is shown, click it';
  const [known, unknown] = [learnt(step, [shown, 'e1'], [hidden])!, learnt(step, [hidden])!];
  expect(withKnownParts(unknown, known)).toEqual(known);
  expect(withKnownParts(known, unknown)).toEqual(known);
});
