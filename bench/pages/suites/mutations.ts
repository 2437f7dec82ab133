import type { Scenario, Suite, Truth } from '../scenario';
import { pagesIn } from './folder';
import { scenario } from './plain';

/** What the page does against its user, the step, and what the page says once the step was really carried out. */
const MUTATIONS: readonly (readonly [how: string, step: string, expected: Truth])[] = [
  ['ignore-click', 'Click Keep', { done: ['keep'] }],
  ['ignore-click-clock', 'Click Keep', { done: ['keep'] }],
  ['ignore-click-carousel', 'Click Keep', { done: ['keep'] }],
  ['beside-clock', 'Click Keep', { done: ['keep'] }],
  ['beside-carousel', 'Click Keep', { done: ['keep'] }],
  ['ignore-check', 'Tick "Send me news"', { news: true }],
  ['revert-text', 'Type "Santiago" into City', { city: 'Santiago' }],
  ['change-text', 'Type "Santiago" into City', { city: 'Santiago' }],
  ['revert-choice', 'Choose Nepal as Country', { country: 'Nepal' }],
  ['revert-check', 'Tick "Send me news"', { news: true }],
  ['swap-on-hover', 'Click Keep', { done: ['keep'] }],
  ['swap-on-press', 'Click Keep', { done: ['keep'] }],
  ['swap-names', 'Click Keep', { done: ['remove'] }],
  ['move-on-press', 'Click Keep', { done: ['keep'] }],
  ['move-always', 'Click Keep', { done: ['keep'] }],
  ['cover-on-hover', 'Click Keep', { done: ['keep'] }],
];

function mutation([how, step, expected]: (typeof MUTATIONS)[number]): Scenario {
  return {
    ...scenario(how, `page.html?how=${how}`, [step], expected),
    // Where the names are swapped under the pointer, "remove" is the one that reads Keep.
    isHarmless: ({ done = [] }) => (done as string[]).every((id) => id === (how === 'swap-names' ? 'remove' : 'keep')),
  };
}

/** Pages that work against their user: a step on them may fail, may not claim what did not happen, nor touch another control. */
export function mutations(): Suite {
  return {
    name: 'mutations',
    serve: pagesIn('mutations'),
    scenarios: () => MUTATIONS.map(mutation),
    paths: () => [],
  };
}
