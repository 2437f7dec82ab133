import { looksBehind } from '../../../activities/engine/recipes/proposed-check';
import { aPlan } from '../../support/builders';

const OPEN = 'Open ${shop}/orders';
const SEE = 'Expect "${invoice}" in the first row';

function behindTheFirst(...steps: (string | object)[]): string[] | undefined {
  return looksBehind(
    aPlan({ steps: ['Click "Pay"', ...steps], variables: { shop: 'https://s.test', invoice: '7' } }),
    0,
  );
}

test.each<[what: string, steps: (string | object)[], lines: string[]]>([
  ['an address, and a variable on it', [OPEN, SEE, 'Click "Next"'], [OPEN, SEE]],
  ['a wait between them', [OPEN, 'Wait until "Orders" is shown', SEE], [OPEN, 'Wait until "Orders" is shown', SEE]],
  ['looks at the page that answers, which are left out', ['Expect "Thank you"', OPEN, SEE], [OPEN, SEE]],
  ['an address that shows nothing of this run, and another', ['Open ${shop}/home', OPEN, SEE], [OPEN, SEE]],
  ['looks at two addresses, of which the first suffices', [OPEN, SEE, 'Open ${shop}/mails', SEE], [OPEN, SEE]],
  ['what else is expected beside the variable, which is left out', [OPEN, SEE, 'Expect "Orders"'], [OPEN, SEE]],
])('a check is proposed of the steps behind: %s', (_what, steps, lines) => {
  expect(behindTheFirst(...steps)).toEqual(lines);
});

test.each<[what: string, steps: (string | object)[]]>([
  ['nothing of this run is expected', [OPEN, 'Expect "Orders"']],
  ['an act comes first', ['Click "Home"', OPEN, SEE]],
  ['an act comes between', [OPEN, 'Click "Newest"', SEE]],
  ['a task comes first', [{ task: 'Open the orders' }, OPEN, SEE]],
  ['no address is opened', [SEE]],
  ['it is expected to be missing', [OPEN, 'Expect no "${invoice}"']],
  ['more lines come before the variable than a check takes', [OPEN, ...Array(9).fill('Expect "Orders"'), SEE]],
  ['nothing comes behind it', []],
])('none is proposed where %s', (_what, steps) => {
  expect(behindTheFirst(...steps)).toBeUndefined();
});
