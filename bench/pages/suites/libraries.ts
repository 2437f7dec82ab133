import type { Scenario, Suite, Truth } from '../scenario';
import { demoSuite } from './demos';
import { scenario } from './plain';

/** Name, step (several are separated by " / "), and what the page says once it was carried out. */
type Row = readonly [name: string, steps: string, expected: Truth];

const LIBRARIES: Record<string, readonly Row[]> = {
  mui: [
    ['text', 'Type "Ada" into Name', { name: 'Ada' }],
    ['select', 'Choose Twenty as Age', { age: '20' }],
    ['autocomplete', 'Choose Solaris as Film', { film: 'Solaris' }],
    ['checkbox', 'Check "I accept the terms"', { isAccepted: true }],
    ['radio', 'Choose Express', { delivery: 'express' }],
    ['switch', 'Turn on Notifications', { isNotified: true }],
    ['slider', 'Set Volume to 70', { volume: 70 }],
    ['tab', 'Click the tab Orders', { tab: 1 }],
    ['accordion', 'Expand Shipping', { isExpanded: true }],
    ['icon', 'Click the remove button', { removed: 1 }],
    ['menu', 'Open the Account menu and choose Logout', { chosen: 'logout' }],
    ['dialog', 'Click "Delete account" / Click Agree', { answer: 'yes' }],
    ['rating', 'Choose 4 Stars', { rating: 4 }],
  ],
  antd: [
    ['text', 'Type "Ada" into Name', { name: 'Ada' }],
    ['select', 'Choose Oslo as City', { city: 'Oslo' }],
    ['multi-select', 'Select Amber and Coral in Colours', { colours: ['Amber', 'Coral'] }],
    ['checkboxes', 'Check Apple and Orange', { fruits: ['Apple', 'Orange'] }],
    ['radio', 'Choose Large', { size: 'Large' }],
    ['number', 'Set Amount to 12', { amount: 12 }],
    ['switch', 'Turn on Night mode', { isOn: true }],
    ['slider', 'Set Volume to 60', { volume: 60 }],
    ['date', 'Set Day to 2026-12-24', { day: '2026-12-24' }],
    ['cascade', 'Click Place, then click Norway, then click Bergen', { place: ['Norway', 'Bergen'] }],
    ['segmented', 'Choose Kanban', { view: 'Kanban' }],
    ['tab', 'Click the tab Invoices', { tab: 'two' }],
    ['tree', 'Expand Pictures', { expanded: ['pictures'] }],
    ['dropdown', 'Click Actions and then Move', { chosen: 'move' }],
    ['confirm', 'Click Delete, then click Yes', { isDeleted: true }],
    ['modal', 'Click Publish / Click OK', { isPublished: true }],
  ],
  radix: [
    ['select', 'Choose Banana as Fruit', { fruit: 'Banana' }],
    ['checkbox', 'Check "Accept terms"', { isAccepted: true }],
    ['radio', 'Choose Compact', { density: 'compact' }],
    ['switch', 'Turn on Airplane mode', { isOn: true }],
    ['slider', 'Set Volume to 50', { volume: [50] }],
    ['tab', 'Click the Password tab', { tab: 'password' }],
    ['accordion', 'Click "Is it animated?"', { open: 'Is it animated?' }],
    ['toggle', 'Click "Right aligned"', { aligned: 'right' }],
    ['dropdown', 'Click "Customise options" and choose "New Window"', { chosen: 'New Window' }],
    ['popover', 'Click Dimensions / Type "250" into Width', { width: '250' }],
    ['context-menu', 'Right-click "Right-click area" / Click Reload', { context: 'Reload' }],
    ['dialog', 'Click "Edit profile" / Type "Ada" into Name / Click "Save changes"', { name: 'Ada' }],
  ],
  headless: [
    ['listbox', 'Choose "Grace Hopper" as Assignee', { assignee: 'Grace Hopper' }],
    ['combobox', 'Choose "Alan Turing" as Person', { person: 'Alan Turing' }],
    ['switch', 'Turn on "Enable beta"', { isOn: true }],
    ['radio', 'Choose the Business plan', { plan: 'Business' }],
    ['tab', 'Click Popular', { tab: 1 }],
    ['disclosure', 'Click "What is the refund policy?"', { isDisclosed: true }],
    ['menu', 'Open the Options menu and choose Archive', { chosen: 'Archive' }],
    ['dialog', 'Press Pay, then press Confirm', { isPaid: true }],
  ],
  'angular-material': [
    ['text', 'Type "Ada" into Name', { name: 'Ada' }],
    ['select', 'Choose Pizza as Favourite food', { food: 'pizza' }],
    ['multi-select', 'Select Mushroom and Tomato in Toppings', { toppings: ['Mushroom', 'Tomato'] }],
    ['autocomplete', 'Choose Oslo as City', { city: 'Oslo' }],
    ['date', 'Type "12/24/2026" into "Choose a date" and press Tab', { day: '2026-12-24' }],
    ['checkbox', 'Tick "Check me"', { isChecked: true }],
    ['radio', 'Choose Summer', { season: 'summer' }],
    ['switch', 'Turn on "Slide me"', { isOn: true }],
    ['button-toggle', 'Choose Italic as Font style', { font: 'italic' }],
    ['chips', 'Choose Guppy', { chip: 'guppy' }],
    ['tab', 'Switch to the tab Second', { tab: 1 }],
    ['expansion', 'Expand "Personal data"', { isOpen: true }],
    ['menu', 'Click Menu, then click "Item 2"', { chosen: 'two' }],
  ],
  fields: [
    ['select2', 'Choose Nevada as State', { state: 'Nevada' }],
    ['select2-multiple', 'Select Red and Blue in Tags', { tags: ['Red', 'Blue'] }],
    ['flatpickr-date', 'Set Day to 2026-12-24', { day: '2026-12-24' }],
    ['flatpickr-time', 'Set Start to 2026-12-24 14:30', { start: '2026-12-24 14:30' }],
    ['delegated', 'In the row Bread click remove', { list: ['Milk'] }],
    ['text-before', 'Type "3" into Weeks', { weeks: '3' }],
  ],
  quill: [
    ['type', 'Type "Once upon a time" into the editor', { text: 'Once upon a time' }],
    ['bold', 'Click the bold button / Type "Loud" into the editor', { text: 'Loud', bold: 'Loud' }],
    ['type-send', 'Type "Hello" into the Story editor and click Send', { text: 'Hello', said: 'Sent' }],
  ],
  prosemirror: [['type', 'Type "Dear Ada" into the editor', { text: 'Dear Ada' }]],
  codemirror: [
    ['replace', 'Type "let answer = 42;" into the code editor', { text: 'let answer = 42;' }],
    ['named', 'Replace the text of the editor with "done()"', { text: 'done()' }],
  ],
  lexical: [
    ['type', 'Type "Once upon a time" into the Post editor', { text: 'Once upon a time' }],
    ['replace', 'Replace the text of the editor with "Done" and check that the editor shows "Done"', { text: 'Done' }],
    ['clear', 'Clear Post', { text: '' }],
  ],
  tinymce: [
    ['type', 'Type "Once upon a time" into the Article editor', { article: 'Once upon a time', teaser: 'Read more' }],
    ['bold', 'Click the Bold button in the Article editor / Type "Loud" into the Article editor', { article: 'Loud' }],
    [
      'inline',
      'Replace the text of Teaser with "Read on" and check that Teaser shows "Read on"',
      { teaser: 'Read on' },
    ],
  ],
  monaco: [
    ['type', 'Type "let answer = [42];" into the Script editor', { text: 'let answer = [42];' }],
    ['replace', 'Replace the text of the editor with "done()" and expect "done()"', { text: 'done()' }],
    ['check', 'Check that the editor shows "let other = 2;"', {}],
  ],
  leaflet: [
    ['zoom', 'Click "Zoom in"', { zoom: 7 }],
    ['zoom-out', 'Zoom out', { zoom: 5 }],
    ['marker', 'Click Munich', { done: ['Munich'] }],
    ['layers', 'Hover over Layers / Choose Satellite', { done: ['layer Satellite'] }],
  ],
};

const SCENARIOS: Scenario[] = Object.entries(LIBRARIES).flatMap(([library, rows]) =>
  rows.map(([name, steps, expected]) =>
    scenario(`${library}-${name}`, `${library}.html`, steps.split(' / '), expected),
  ),
);

/** Editors that keep 8 characters: no session may say that more was typed. */
const CUT = ['lexical', 'tinymce', 'monaco'].map((library): Scenario => ({
  ...scenario(
    `${library}-cut`,
    `${library}.html?most=8`,
    [library === 'tinymce' ? 'Type "Once upon a time" into Teaser' : 'Type "Once upon a time" into the editor'],
    { isWhole: true },
  ),
  isHarmless: () => true,
}));

/** Demo pages of component libraries, maps and editors. */
export function libraries(): Suite {
  return demoSuite('libraries', [...SCENARIOS, ...CUT]);
}
