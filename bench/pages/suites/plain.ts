import { isDeepStrictEqual } from 'node:util';
import type { Scenario, Suite, Truth } from '../scenario';
import { pagesIn } from './folder';

/** A scenario whose page must say exactly this of itself, besides other things. */
export function scenario(name: string, path: string, steps: readonly string[], expected: Truth): Scenario {
  return {
    name,
    path,
    steps,
    isTrue: (truth) => Object.entries(expected).every(([key, value]) => isDeepStrictEqual(truth[key], value)),
  };
}

const SCENARIOS: readonly Scenario[] = [
  scenario('card-place-first', 'plans.html', ['In the "Team" plan\'s card click Choose'], { done: ['chose Team'] }),
  scenario('row-place-first', 'plans.html', ['For the row Invoice 7, press Pay'], { done: ['paid Invoice 7'] }),
  scenario('generated-content', 'plans.html', ['Click Favourite'], { done: ['favourite'] }),
  scenario('icon-by-title', 'plans.html', ['Click Archive'], { done: ['archived'] }),
  scenario('icon-by-svg-title', 'plans.html', ['Click the Delete icon'], { done: ['deleted'] }),
  scenario('summary-nbsp', 'plans.html', ['Open "Terms and conditions"'], { isOpen: true }),
  scenario('checkbox', 'plans.html', ['Tick "Send me news"'], { news: true }),
  scenario('type-two', 'fields.html', ['Type "Ada" into Name and "Oslo" into City, then press Save'], {
    name: 'Ada',
    city: 'Oslo',
    saved: 'Saved',
  }),
  scenario('password', 'fields.html', ['Enter the password "q1w2"'], { password: 'q1w2' }),
  scenario('date', 'fields.html', ['Set Day to 24 December 2026'], { day: '2026-12-24' }),
  scenario('time', 'fields.html', ['Enter 2:37 PM as the time'], { time: '14:37' }),
  scenario('month', 'fields.html', ['Set Month to March 2027'], { month: '2027-03' }),
  scenario('colour', 'fields.html', ['Set Colour to #ff0000'], { colour: '#ff0000' }),
  scenario('range', 'fields.html', ['Set Volume to 7'], { volume: '7' }),
  scenario('number', 'fields.html', ['Set Guests to 4'], { guests: '4' }),
  scenario('select-nbsp', 'fields.html', ['Choose "Papua Guinea" as Country'], { country: 'Papua\u00A0Guinea' }),
  scenario('select-several', 'fields.html', ['Select Olives and Capers in Toppings'], {
    toppings: ['Olives', 'Capers'],
  }),
  scenario('radio', 'fields.html', ['Choose the size Large'], { size: 'L' }),
  scenario('contenteditable', 'fields.html', ['Type "Milk and bread" into Note'], { note: 'Milk and bread' }),
  scenario('switch', 'fields.html', ['Turn on Night mode'], { night: 'true' }),
  scenario('menu', 'widgets.html', ['Open the More menu and choose Duplicate'], { done: ['Duplicate'] }),
  scenario('aria-combobox', 'widgets.html', ['Choose Pear as Fruit'], { fruit: 'Pear' }),
  scenario('tree', 'widgets.html', ['Expand Pictures'], { isPicturesOpen: true }),
  scenario('custom-element', 'widgets.html', ['Click Shine'], { done: ['shone'] }),
  scenario('svg-part', 'widgets.html', ['Click March'], { done: ['March'] }),
  scenario('drag-and-drop', 'widgets.html', ['Drag Parcel to Lorry'], { done: ['loaded'] }),
  scenario('right-click', 'widgets.html', ['Right-click "Right-click here"'], { done: ['right-clicked'] }),
];

/** Pages written here, of native controls and of widgets as people build them. */
export function plain(): Suite {
  return {
    name: 'plain',
    serve: pagesIn('plain'),
    scenarios: () => [...SCENARIOS],
    paths: () => ['plans.html', 'fields.html', 'widgets.html'],
  };
}
