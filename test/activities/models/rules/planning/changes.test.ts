/** `rules` change an entry by the editor that it has: opened for the entry that is named, and saved, or not yet. */
import { followStep } from '../../../../../bench/harness/follow-step';
import { anObservedCommand } from '../../../../support/evidence';
import type { PageNode, PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import { commandsOn, control, deedsOn, type Node } from '../../../../support/rules-on-page';

const STOCK: Node[] = [
  {
    role: 'table',
    ref: 'table',
    children: ['Trail Shoe', 'Road Shoe', 'Terracotta pot 24 cm'].map((name) => ({
      role: 'row',
      name,
      ref: `row ${name}`,
      children: [
        { role: 'cell', ref: `name ${name}`, children: [name] },
        { role: 'cell', ref: `price ${name}`, children: ['7.75'] },
        {
          role: 'cell',
          ref: `deeds ${name}`,
          children: [control('button', 'Edit', `edit ${name}`), control('button', 'Delete', `delete ${name}`)],
        },
      ],
    })),
  } as Node,
];

const FIELDS: PageNode[] = [
  { role: 'textbox', name: 'Price', ref: 'field' },
  { role: 'textbox', name: 'Name', ref: 'other' },
  { role: 'button', name: 'Cancel', ref: 'cancel' },
  { role: 'button', name: 'Save', ref: 'save' },
];

/** The editor as it has come, or with the value that was typed. */
const editorAt = (iteration: number): PageNode => ({
  role: 'dialog',
  name: 'Edit product',
  ref: 'dialog',
  ...(iteration === 1 && { since: 'new' }),
  children: FIELDS.map((field) => (iteration > 1 && field.ref === 'field' ? { ...field, text: '8.20' } : field)),
});

test.each([
  ['Set the price of the Trail Shoe to 8.20', 'edit Trail Shoe'],
  ['change the name of Road Shoe to "Street Shoe"', 'edit Road Shoe'],
  ['Set the price of the 24 cm terracotta pot to 8.20 and save it', 'edit Terracotta pot 24 cm'],
])('the editor of the entry is opened where no field is there for it: %s', (step, ref) => {
  expect(deedsOn(STOCK, step)).toEqual([`ref=${ref}`]);
});

test.each([
  'Set the price of the Zanzibar Shoe to 8.20',
  'Set the price of the shoe to 8.20',
  'Set the price of the family shoe to 8.20',
  'Set the trail price to 8.20',
  'Set the price of the Trail Shoe in Wien to 8.20',
  'Set the price of the Road Trail Shoe to 8.20',
])('nothing is opened for another one: %s', (step) => {
  expect(deedsOn(STOCK, step)).toEqual([]);
});

const pageAt = (iteration: number): PageSnapshot => ({
  snapshotId: `look ${iteration}`,
  url: 'https://office.test/',
  title: 'Stock',
  tabs: [],
  nodes: [{ role: 'main', ref: 'main', children: iteration === 0 ? STOCK : [...STOCK, editorAt(iteration)] } as Node],
});

/** The commands of a step, one look after the other: the editor comes with the first click, and the value stands in its field. */
async function followed(instruction: string): Promise<string[]> {
  let looks = 0;
  const { pastIterations } = await followStep(instruction, 4, {
    look: () => pageAt(looks++),
    run: (commands) =>
      commands.map(({ action, parameters }) => ({ action, parameters, status: 'done', evidence: anObservedCommand() })),
  });
  return pastIterations.flatMap(({ commands }) =>
    commands.map(({ action, parameters }) => `${action} ${parameters.selector}`),
  );
}

test('a change is saved in the editor that was opened for it', async () => {
  expect((await followed('Set the price of the Trail Shoe to 8.20')).slice(0, 3)).toEqual([
    'CLICK_ELEMENT ref=edit Trail Shoe',
    'INPUT_TEXT ref=field',
    'CLICK_ELEMENT ref=save',
  ]);
});

test('a change that is not to be saved yet is left in its editor', async () => {
  expect(await followed("Set the price of the Trail Shoe to 8.20, don't save yet")).toEqual([
    'CLICK_ELEMENT ref=edit Trail Shoe',
    'INPUT_TEXT ref=field',
  ]);
});

const card = (name: string, button: string): Node =>
  ({
    role: 'generic',
    ref: name,
    children: [
      { role: 'heading', name, ref: `head ${name}`, children: [name] },
      control('spinbutton', 'Copies to keep', `keep ${name}`, { text: '4' }),
      control('button', button, `${button} ${name}`),
    ],
  }) as Node;

test('a field of a card is left, which takes over what was typed, unless the card has a button for it', () => {
  const cards = (button: string): Node[] => ['Nightly mail', 'Weekly offsite'].map((name) => card(name, button));
  const step = 'In the card "Weekly offsite", type "6" into Copies to keep';
  expect(commandsOn(cards('Run now'), step)).toMatchObject([
    { action: 'INPUT_TEXT', parameters: { selector: 'ref=keep Weekly offsite', text: '6' } },
    { action: 'PRESS_KEY', parameters: { selector: 'ref=keep Weekly offsite', key: 'Tab' } },
  ]);
  expect(commandsOn(cards('Save'), step).map(({ action }) => action)).toEqual(['INPUT_TEXT']);
});
