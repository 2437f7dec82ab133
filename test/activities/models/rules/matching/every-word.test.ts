import { chromium, type Browser } from 'playwright';
import type { AIGeneratedCommand } from '../../../../../contracts/commands/commands';
import type { PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import { followStep, stillStage } from '../../../../../bench/harness/follow-step';

/** Numbers in [0, 1), the same ones for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const NAMES = ['Anna Berg', 'Otto Fischer', 'Smith & Sons', 'Tanaka Trading', 'Maria Lopez', 'Huber', 'Delacroix'];
const CITIES = ['Graz', 'Linz', 'Wien', 'Kiel', 'Lyon', 'Oslo', 'Turin'];
const BUTTONS = ['Delete', 'Edit', 'Archive', 'Approve', 'Download'];
const FIELDS = ['Reference', 'Member number', 'Passphrase', 'Phone', 'Nickname'];
const BOXES = ['I accept the terms', 'Send the newsletter', 'Ship as a gift'];
/** No word of any page. */
const ABSENT = ['quixotic', 'Zanzibar', 'heliotrope', 'Timbuktu', 'Nebuchadnezzar'];
const MOST_ITERATIONS = 8;
const PAGES = 10;

interface Variant {
  step: string;
  /** Words of which one is changed. */
  names: string[];
}

function pageOf(next: () => number): { html: string; variants: Variant[] } {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(next() * values.length)]!;
  const shuffled = <Value>(values: readonly Value[]): Value[] =>
    values
      .map((value) => ({ value, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  const [names, cities, fields] = [shuffled(NAMES).slice(0, 4), shuffled(CITIES), shuffled(FIELDS).slice(0, 3)];
  const verbs = shuffled(BUTTONS).slice(0, 2);
  const buttons = verbs.map((verb) => `<button>${verb}</button>`).join(' ');
  const entry = pick([
    (name: string, city: string) => `<tr><td>${name}</td><td>${city}</td><td>${buttons}</td></tr>`,
    (name: string, city: string) => `<li>${name}, ${city} ${buttons}</li>`,
    (name: string, city: string) => `<div><b>${name}</b> <i>${city}</i> ${buttons}</div>`,
    (name: string, city: string) => `<span>${name} ${city}</span> ${buttons}<br>`,
  ]);
  const entries = names.map((name, at) => entry(name, cities[at]!)).join('');
  const list = entries.startsWith('<tr')
    ? `<table>${entries}</table>`
    : entries.startsWith('<li')
      ? `<ul>${entries}</ul>`
      : `<div>${entries}</div>`;
  const form = fields.map((field) => `<label>${field} <input></label>`).join('');
  const boxes = BOXES.map((box) => `<label><input type="checkbox"> ${box}</label>`).join('');
  const html = `<title>Office</title><h1>Office</h1><h2>Customers</h2>${list}<h2>Order</h2>${form}${boxes}<button>Place order</button>`;
  const variants = names.flatMap((name, at): Variant[] => {
    const [verb = '', other = ''] = verbs;
    return [
      { step: `${verb.toLowerCase()} ${name}`, names: name.split(' ') },
      { step: `Please ${other.toLowerCase()} the customer ${name}`, names: name.split(' ') },
      { step: `click ${verb} in the row of ${name}`, names: [verb, ...name.split(' ')] },
      { step: `click the "${other}" button for "${name}" in ${cities[at]}`, names: [other, cities[at]!] },
      { step: `Could you ${verb.toLowerCase()} ${name} in ${cities[at]}?`, names: [...name.split(' '), cities[at]!] },
    ];
  });
  const words = fields.map((field): Variant => ({ step: `type "A-17" into ${field}`, names: field.split(' ') }));
  const values = fields.flatMap((field): Variant[] => [
    { step: `set ${field} to 4711`, names: field.split(' ') },
    { step: `${field}: 4711`, names: field.split(' ') },
    { step: `Please change the ${field.toLowerCase()} to 4711`, names: field.split(' ') },
  ]);
  // Where the second deed cannot be done, the first is not done either.
  const both = names.map((name, at): Variant => {
    const [verb = ''] = verbs;
    return { step: `tick "${BOXES[at % BOXES.length]}" and ${verb.toLowerCase()} ${name}`, names: name.split(' ') };
  });
  const ticks = BOXES.map((box): Variant => ({ step: `tick "${box}"`, names: box.split(' ') }));
  return { html, variants: [...variants, ...words, ...values, ...both, ...ticks] };
}

/** What a step comes to on a page that nothing changes: its commands, and whether it says that it is done. */
async function comesTo(
  snapshot: PageSnapshot,
  instruction: string,
): Promise<{ isDone: boolean; deeds: AIGeneratedCommand[] }> {
  const { isDone, pastIterations } = await followStep(instruction, MOST_ITERATIONS, stillStage(snapshot));
  const commands = pastIterations.flatMap((iteration) => iteration.commands);
  return { isDone, deeds: commands.filter(({ action }) => action !== 'WAIT_FOR' && action !== 'GET_DOM') };
}

describe('every word of a step counts', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
  });
  afterAll(() => browser.close());

  test('a step with one word that the page does not have does nothing and is never done', async () => {
    const next = random(35);
    const tab = await browser.newPage();
    const wrong: string[] = [];
    let changed = 0;
    let right = 0;
    let whole = 0;
    for (let number = 0; number < PAGES; number += 1) {
      const { html, variants } = pageOf(next);
      await tab.setContent(html);
      const nodes = (await tab.ariaSnapshotJSON({ mode: 'ai' })) as PageSnapshot['nodes'];
      const snapshot = { snapshotId: `${number}`, url: 'https://office.test/', title: 'Office', tabs: [], nodes };
      for (const { step, names } of variants) {
        whole += 1;
        if ((await comesTo(snapshot, step)).isDone) right += 1;
        const name = names[Math.floor(next() * names.length)]!;
        const absent = ABSENT[Math.floor(next() * ABSENT.length)]!;
        if (!/\p{L}/u.test(name)) continue;
        const other = step.replace(new RegExp(`(?<![\\p{L}])${name}(?![\\p{L}])`, 'iu'), absent);
        const { isDone, deeds } = await comesTo(snapshot, other);
        changed += 1;
        if (isDone || deeds.length > 0) wrong.push(`${other} on ${html}: ${JSON.stringify(deeds)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(changed).toBeGreaterThan(200);
    // As they were, most of these steps can be done: it is the word that stops them.
    expect(right / whole).toBeGreaterThan(0.9);
  });

  const LISTS = `<title>Address</title><form><label>Country <select><option>Austria<option>Germany</select></label>
    <label>State <select><option>Tyrol<option>Bavaria</select></label><button>Save</button></form>`;

  async function onPage(html: string, title: string, step: string): ReturnType<typeof comesTo> {
    const tab = await browser.newPage();
    await tab.setContent(html);
    const nodes = (await tab.ariaSnapshotJSON({ mode: 'ai' })) as PageSnapshot['nodes'];
    await tab.close();
    return await comesTo({ snapshotId: 's', url: 'https://office.test/', title, tabs: [], nodes }, step);
  }
  const onLists = async (step: string): ReturnType<typeof comesTo> => await onPage(LISTS, 'Address', step);

  test.each([
    'Select Germany in Country and Bavaria in State, then click Save',
    'Select Germany from Country and Bavaria from State and click Save',
    'Choose Germany as the Country and Bavaria as the State, then click Save',
    'Choose Germany in the Country dropdown, Bavaria in the State dropdown, then click Save',
  ])('both lists are set before the form is sent: %s', async (step) => {
    const { deeds, isDone } = await onLists(step);
    expect(deeds.map(({ parameters }) => parameters.option)).toEqual(['Germany', 'Bavaria', undefined]);
    expect(isDone).toBe(true);
  });

  test.each([
    'Select Germany in Country near Bavaria in State, then click Save',
    'Select Germany in Country beside Bavaria, then click Save',
    'Set Country to Germany for Bavaria',
  ])('an option of another list does not account for a word: %s', async (step) => {
    expect(await onLists(step)).toEqual({ isDone: false, deeds: [] });
  });

  const COUNTER = `<title>A counter</title><h1>A counter</h1><p>Count: <output>0</output></p><button>Add one</button>`;

  test.each(['add it by 7', 'add one by 7', 'add it go up by 7', 'add go up', 'add up', 'create it go up by 7'])(
    'what a verb has behind it, and how much is meant, are words that count: %s',
    async (step) => {
      expect(await onPage(COUNTER, 'A counter', step)).toEqual({ isDone: false, deeds: [] });
    },
  );

  test.each(['add one', 'add it', 'please add one now'])('what is left out of these is nothing: %s', async (step) => {
    expect(await onPage(COUNTER, 'A counter', step)).toMatchObject({ deeds: [{ action: 'CLICK_ELEMENT' }] });
  });

  const rooms = (...names: string[]): string =>
    `<title>Rooms</title><table>${names.map((name) => `<tr><td>${name}<td><button id="${name}">Lock</button>`).join('')}</table>`;

  test('a code is one word: A-100 is not B-100, and may be written apart', async () => {
    expect(await onPage(rooms('B-100', 'B-101'), 'Rooms', 'lock A-100')).toEqual({ isDone: false, deeds: [] });
    for (const said of ['lock A-100', 'lock a100'])
      expect(await onPage(rooms('A-100', 'B-100'), 'Rooms', said)).toMatchObject({
        deeds: [{ action: 'CLICK_ELEMENT' }],
      });
    expect(await onPage(rooms('B 100', 'A 100'), 'Rooms', 'lock A-100')).toMatchObject({
      deeds: [{ action: 'CLICK_ELEMENT' }],
    });
  });
});
