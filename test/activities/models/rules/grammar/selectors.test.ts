/** An element may be said by its selector or by an attribute: it is found by its id, its name or the label beside it. */
import { control, deedsOn, type Node } from '../../../../support/rules-on-page';

const field = (name: string, attributes: Record<string, string>, role = 'textbox'): Node =>
  control(role, name, name, { attributes });
const FORM: Node[] = [
  field('Due date', { name: 'due', id: 'f-due' }),
  field('Estimated hours', { name: 'hours' }, 'spinbutton'),
  field('Active only', { id: 'act' }, 'checkbox'),
  field('Store', { id: 'save' }, 'button'),
  control('button', 'Save', 'Save'),
  control('heading', 'Bees', 'Bees', { cursor: 'pointer' }),
];

test.each([
  ['Fill input[name="due"] with 2026-03-09', ['Due date']],
  ['set name="hours" to 2', ['Estimated hours']],
  ['Type "5" into input#hours', ['Estimated hours']],
  ['Check the checkbox #act ("Active only")', ['Active only']],
  ['Click button#save', ['Store']],
  ['click "Save"', ['Save']],
  ['Click the <h2 data-g="Bees"> heading to collapse the group', ['Bees']],
])('%s', (step, refs) => {
  expect(deedsOn(FORM, step)).toEqual(refs.map((ref) => `ref=${ref}`));
});

test.each(['Fill input[name="until"] with 2026-03-09', 'Click button#send', 'Check the checkbox #passive'])(
  'nothing is done where nothing is called so: %s',
  (step) => {
    expect(deedsOn(FORM, step)).toEqual([]);
  },
);

test('a colour and a hashtag are no selectors', () => {
  const page = [
    control('button', '#ff0000', 'red'),
    control('link', '#Berlin', 'city'),
    control('button', 'ff0000', 'other'),
  ];
  expect(deedsOn(page, 'click #ff0000')).toEqual(['ref=red']);
  expect(deedsOn(page, 'click #Berlin')).toEqual(['ref=city']);
});
