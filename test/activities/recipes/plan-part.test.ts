/** A part of a step that depends on the page is planned by the page as it is now; what is not certain is left to a model. */
import { differenceAfter } from '../../../activities/engine/recipes/difference-after';
import { targetOfRef } from '../../../activities/engine/recipes/marks';
import { planPart } from '../../../activities/engine/recipes/plan-part';
import type { RecipeCondition } from '../../../contracts/recipes/condition';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { RecipeCommand, RecipeRound } from '../../../contracts/recipes/recipe';
import { anObservedCommand } from '../../support/evidence';

const URL = 'https://shop.test/';
const PLACE = { sessionId: 's', stepIndex: 0, turn: 0, step: { instruction: 'Go on' }, namesUsed: new Set<string>() };
const NO_VALUES = new Map<string, string>();

function aPage(...nodes: PageNode[]): PageSnapshot {
  return { snapshotId: 's', url: URL, title: '', tabs: [], nodes: [{ role: 'main', children: nodes }] };
}
const button = (name: string, ref = 'e1'): PageNode => ({ role: 'button', name, ref });
const text = (said: string): PageNode => ({ role: 'paragraph', text: said });

function clickOn(page: PageSnapshot, ref = 'e1'): RecipeCommand {
  const { target } = targetOfRef(page, ref)!;
  return { action: 'CLICK_ELEMENT', parameters: { selector: target.selector }, target };
}

function aRound(commands: RecipeCommand[], more: Partial<RecipeRound>): RecipeRound {
  const page = 'https://shop.test';
  return { page, commands, after: { page, texts: [], requests: [] }, ...more };
}

const planned = (page: PageSnapshot, round: RecipeRound, mayWait = false) =>
  planPart(page, PLACE, round, { values: NO_VALUES, mayWait }).kind;

const ACCEPT: RecipeCondition = { text: 'Accept', isControl: true };
const accepting = aRound([clickOn(aPage(button('Accept')))], { when: ACCEPT });

describe('a command that is given only where its own element is shown', () => {
  test('is given where it is there, and left out where nothing has its name once it had time to come', () => {
    expect(planned(aPage(button('Accept', 'e7')), accepting)).toBe('do');
    const without = aPage(text('Please accept our best wishes'), button('Send'));
    expect(planned(without, accepting, true)).toBe('wait');
    expect(planned(without, accepting)).toBe('skip');
  });

  test.each<[string, PageSnapshot]>([
    ['it is there twice', aPage(button('Accept'), button('Accept', 'e2'))],
    ['a button has its name among other words', aPage(button('Accept all'))],
    ['another kind of element is called so', aPage({ role: 'link', name: 'Accept', ref: 'e1' })],
  ])('is left to a model where %s', (_, page) => {
    expect(planned(page, accepting)).toBe('unclear');
  });

  test('is left to a model where nobody has needed it yet, and it is there now', () => {
    const unknown = aRound([], { when: ACCEPT });
    expect(planned(aPage(button('Accept')), unknown)).toBe('unclear');
    expect(planned(aPage(button('Send')), unknown)).toBe('skip');
  });

  test('is decided by the first element alone: another one that is not there is no reason to leave it out', () => {
    const both = aPage(button('Accept'), button('Go on', 'e2'));
    const round = aRound([clickOn(both), clickOn(both, 'e2')], { when: ACCEPT });
    expect(planned(aPage(button('Accept')), round)).toBe('unclear');
  });
});

test('what depends on a text of the page waits for it, and what depends on its absence waits too', () => {
  const target = clickOn(aPage(button('Sign in')));
  const unless = aRound([target], { when: { text: 'Welcome', absent: true } });
  const where = aRound([target], { when: { text: 'Welcome' } });
  const [stranger, known] = [aPage(button('Sign in')), aPage(text('Welcome back'), button('Sign in'))];
  expect([planned(stranger, unless, true), planned(stranger, unless), planned(known, unless, true)]).toEqual([
    'wait',
    'do',
    'skip',
  ]);
  expect([planned(stranger, where, true), planned(stranger, where), planned(known, where)]).toEqual([
    'wait',
    'skip',
    'do',
  ]);
});

test('a condition with a value that is not known here is left to a model', () => {
  const round = aRound([clickOn(aPage(button('Go on')))], { when: { text: '${token}' } });
  expect(planned(aPage(button('Go on')), round)).toBe('unclear');
  const values = new Map([['token', 'Tuesday']]);
  const page = aPage(text('It is Tuesday'), button('Go on'));
  expect(planPart(page, PLACE, round, { values, mayWait: false }).kind).toBe('do');
});

describe('a repetition', () => {
  const next = clickOn(aPage(button('Next')));
  const untilEnd = aRound([next], { until: { text: 'End' }, most: 20 });
  const after = (page: PageSnapshot, round: RecipeRound, hasChanged = true) =>
    differenceAfter(page, PLACE, round, { evidence: [anObservedCommand()], values: NO_VALUES, hasChanged });

  test('begins where its end is not shown, and has nothing to do where it is', () => {
    expect(planned(aPage(text('Part 1'), button('Next')), untilEnd, true)).toBe('do');
    expect(planned(aPage(text('End'), button('Next')), untilEnd)).toBe('skip');
  });

  test('goes on after each time as long as the page does not show its end', () => {
    expect(after(aPage(text('Part 2'), button('Next')), untilEnd)).toBe('again');
    expect(after(aPage(text('End')), untilEnd)).toBeUndefined();
  });

  test('does not go on where a time has changed nothing, or has led somewhere else', () => {
    expect(after(aPage(text('Part 1'), button('Next')), untilEnd, false)).toMatchObject({
      why: 'it has changed nothing on the page',
    });
    const elsewhere = { ...aPage(button('Next')), url: 'https://shop.test/other' };
    expect(after(elsewhere, untilEnd)).toMatchObject({ why: expect.stringContaining('https://shop.test/other') });
  });

  test('until its element is gone waits for the element first, as a page may be late', () => {
    const untilGone = aRound([clickOn(aPage(button('More')))], {
      until: { text: 'More', isControl: true, absent: true },
    });
    expect(planned(aPage(text('Loading')), untilGone, true)).toBe('wait');
    expect(planned(aPage(text('All of it')), untilGone)).toBe('skip');
    expect(planned(aPage(button('More')), untilGone)).toBe('do');
    expect(after(aPage(button('More')), untilGone)).toBe('again');
  });
});

test('an optional command has not done its work as long as what it was given for is still there', () => {
  const page = 'https://shop.test';
  const round = { ...accepting, after: { page, texts: [], requests: [], isOver: true as const } };
  const seen = { evidence: [anObservedCommand()], values: NO_VALUES, hasChanged: true };
  expect(differenceAfter(aPage(button('Accept')), PLACE, round, seen)).toEqual({ why: '“Accept” is shown still' });
  expect(differenceAfter(aPage(button('Send')), PLACE, round, seen)).toBeUndefined();
});
