/** Pages of strangers on which the record, the place or the message was nearly the one that was meant. */
import type { DecisionRequest } from '../../../../../contracts/model-port/port';
import type { PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import { parseInstruction } from '../../../../../rules/language/parse-instruction';
import { indexPage } from '../../../../../rules/matching/page-index';
import { deniedDeed } from '../../../../../rules/planning/denied-deed';
import { openQuestion } from '../../../../../rules/planning/open-question';
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

const part = (ref: string, children: unknown[], more: object = {}): Node =>
  ({ role: 'generic', ref, children, ...more }) as unknown as Node;
const heading = (name: string, level: number): Node => control('heading', name, `head ${name}`, { level });

const recipe = (name: string, isFavourite: boolean): Node =>
  part(`card ${name}`, [
    control('button', '⋯', `more ${name}`, { description: 'More' }),
    heading(name, 3),
    part(`tag ${name}`, ['Vegetarian']),
    control('button', isFavourite ? '♥' : '♡', `heart ${name}`, {
      description: isFavourite ? 'Remove from favourites' : 'Add to favourites',
    }),
    part(`servings ${name}`, ['4 servings']),
  ]);
const RECIPES: Node[] = [
  control('textbox', 'Search recipes…', 'search'),
  control('button', 'All', 'all'),
  control('button', 'Vegetarian', 'vegetarian'),
  part('grid', [recipe('Lentil soup', false), recipe('Red lentil curry', true), recipe('Mushroom risotto', false)]),
];

test('the heading of the card before is no heading of this one', () => {
  expect(deedsOn(RECIPES, "Delete 'Lentil soup'")).not.toContain('heart Red lentil curry');
  expect(deedsOn(RECIPES, "Delete 'Lentil soup'").join()).not.toContain('Red lentil curry');
});

test('what removes from the favourites does not delete', () => {
  const deeds = (step: string, title?: string) =>
    commandsOn([recipe('Red lentil curry', true)], step, title).map(({ parameters }) => parameters.selector);
  expect(deeds('Delete the Red lentil curry')).not.toContain('ref=heart Red lentil curry');
  expect(deeds('Remove the Red lentil curry from the favourites')).toEqual(['ref=heart Red lentil curry']);
  expect(deeds('Remove the Red lentil curry', 'My favourites')).toEqual(['ref=heart Red lentil curry']);
});

test('one more of something is no button that shows more', () => {
  expect(deedsOn(RECIPES, 'one more serving for the risotto')).toEqual([]);
});

test('a filter that has a name is pressed, and a search is typed', () => {
  expect(deedsOn(RECIPES, 'Filter vegetarian')).toEqual(['ref=vegetarian']);
  expect(commandsOn(RECIPES, 'Filter "vegetarian"')).toMatchObject([{ action: 'INPUT_TEXT' }]);
  expect(commandsOn(RECIPES, 'Search for vegetarian')).toMatchObject([
    { action: 'INPUT_TEXT' },
    { action: 'PRESS_KEY' },
  ]);
});

test('what is to be shown alone opens no menu of one that is shown', () => {
  const card = part('card', [part('owner', ['Ben Tran']), control('button', 'Card actions', 'actions')]);
  expect(deedsOn([card, part('other', [part('owner 2', ['Ida Holm'])])], 'Show only the cards of Ben Tran')).toEqual(
    [],
  );
});

const pupil = (name: string): Node =>
  control('article', name, `pupil ${name}`, {
    children: [
      heading(name, 3),
      control('combobox', 'Attendance', `list of ${name}`, {
        children: [control('option', 'Present', `p ${name}`), control('option', 'Absent', `a ${name}`)],
      }),
    ],
  });

test.each([
  ['Make Amelia Brooks absent', []],
  ['Make Amelia Brook absent', ['ref=list of Amelia Brook']],
  ["Set Amelia Brook's attendance to Absent", ['ref=list of Amelia Brook']],
])('a name that ends in s is no plural: %s', (step, lists) => {
  expect(deedsOn([pupil('Amelia Brookes'), pupil('Amelia Brook'), pupil('Noah Singh')], step)).toEqual(lists);
});

test('of a name and its plural each is meant by itself', () => {
  const both = [pupil('Amelia Brooks'), pupil('Amelia Brook')];
  expect(deedsOn(both, 'Make Amelia Brooks absent')).toEqual(['ref=list of Amelia Brooks']);
  expect(deedsOn(both, 'Make Amelia Brook absent')).toEqual(['ref=list of Amelia Brook']);
  expect(deedsOn([pupil('Amelia Brooks'), pupil('Noah Singh')], 'Make Amelia Brook absent')).toEqual([]);
});

test('a value does not go on behind “not”', () => {
  const people = ['Owner', 'Skipper'].map((name) =>
    control('group', name, `group ${name}`, { children: [control('textbox', 'Telephone', `phone ${name}`)] }),
  );
  const step = 'Enter the telephone number 01326 555 014 for the skipper, not for the owner.';
  expect(commandsOn(people, step).flatMap(({ parameters }) => parameters.text ?? [])).not.toContain(
    '01326 555 014 for the skipper, not',
  );
  expect(deedsOn(people, step)).not.toContain('ref=phone Owner');
});

test('the cell of a row that is counted is that in the column that is named', () => {
  const row = (sku: string, name: string): Node =>
    control('row', `${sku} ${name}`, `row ${sku}`, {
      children: [control('cell', sku, `sku ${sku}`), control('cell', name, `name ${sku}`)],
    });
  const heads = ['SKU', 'Item'].map((name) => control('columnheader', name, `head ${name}`));
  const stock = control('table', 'Stock', 'stock', {
    children: [control('row', 'SKU Item', 'heads', { children: heads }), row('PT-401', 'Pot'), row('TL-302', 'Trowel')],
  });
  expect(deedsOn([stock], 'Save the SKU of the last item in the list as lastSku')).toEqual(['ref=sku TL-302']);
  expect(deedsOn([stock], 'Save the SKU of the first row as firstSku')).toEqual(['ref=sku PT-401']);
  expect(deedsOn([stock], 'Save the SKU of the third row as thirdSku')).toEqual([]);
});

const snapshotOf = (nodes: unknown[]): PageSnapshot =>
  ({ snapshotId: 's', url: 'https://office.test/', title: 'Office', tabs: [], nodes }) as PageSnapshot;

test.each([
  ['No e-mail address: the job was not delivered.', 'Deliver job', true],
  ['Nothing was saved.', 'Save it', true],
  ['The order could not be cancelled', 'Cancel the order', true],
  ['The order was not cancelled in time', 'Deliver the order', false],
  ['Not delivered yet', 'Deliver job', false],
  ['The application could not be submitted', 'Submit the application', true],
  ['The reminder was not sent', 'Open the mail', false],
])('“%s” after “%s” says that it was not done: %s', (text, deed, isDenied) => {
  const came = snapshotOf([{ role: 'generic', ref: 'm', text, since: 'new' }]);
  expect(deniedDeed(came, [deed])).toBe(isDenied ? text : undefined);
  expect(deniedDeed(snapshotOf([{ role: 'generic', ref: 'm', text }]), [deed])).toBeUndefined();
});

test('what was pressed and is still there is not pressed again', () => {
  const dialog = control('dialog', 'New member', 'dialog', {
    since: 'new',
    children: [
      control('textbox', 'Name', 'name'),
      control('button', 'Save', 'save'),
      control('button', 'Cancel', 'out'),
    ],
  });
  const asked = (pressed: string) => {
    const click = { action: 'CLICK_ELEMENT', parameters: { selector: `ref=${pressed}` }, status: 'done' };
    const request = { pastIterations: [{ outcomes: [click] }], snapshot: snapshotOf([dialog]) };
    const parsed = parseInstruction('save');
    const actions = parsed.kind === 'actions' ? parsed.actions : [];
    return openQuestion(request as unknown as DecisionRequest, indexPage(snapshotOf([dialog])), actions);
  };
  expect(asked('row')?.same?.label).toBe('Save');
  expect(asked('save')).toEqual({ message: expect.stringContaining('the page asks first') });
});
