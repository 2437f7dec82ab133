import { matchOption } from '../../../activities/commands/choosing/match-option';
import { pickerValue } from '../../../activities/commands/typing/picker-value';
import { isSameText } from '../../../activities/commands/typing/same-text';

test.each([
  ['date', '2026-2-3', '2026-02-03'],
  ['date', '03.02.2026', '2026-02-03'],
  ['date', 'February 3rd, 2026', '2026-02-03'],
  ['date', '23/02/2026', '2026-02-23'],
  ['date', '02/23/2026', '2026-02-23'],
  ['date', '', ''],
  ['time', '9:05', '09:05'],
  ['time', '12 am', '00:00'],
  ['time', '12:15 p.m.', '12:15'],
  ['month', '2026-03', '2026-03'],
  ['month', 'March 2026', '2026-03'],
  ['week', '2026-w05', '2026-W05'],
  ['datetime-local', '2026-02-03 14:30', '2026-02-03T14:30'],
  ['datetime-local', '3 Feb 2026 at 2 pm', '2026-02-03T14:00'],
  ['text', '3/4/2026', undefined],
])('a %s field takes “%s” as %s', (type, text, value) => {
  expect(pickerValue(type, text)).toBe(value);
});

test.each([
  ['date', '3/4/2026'],
  ['date', '2026-02-30'],
  ['date', 'tomorrow'],
  ['time', '25:00'],
  ['time', '9'],
])('a %s field does not guess what “%s” is', (type, text) => {
  expect(() => pickerValue(type, text)).toThrow(/This field takes/);
});

test.each([
  ['5551234567', '(555) 123-4567', true],
  ['ab-12', 'AB 12', true],
  [' Ada ', 'Ada', true],
  ['1234.5', '$1,234.50', true],
  ['1000', '1,000', true],
  ['9161234567', '+7(916)123-45-67', true],
  ['123456', '5123456', false],
  ['12', '1', false],
  ['-5', '5', false],
  ['new', 'old', false],
  ['!', '', false],
])('of what was typed, “%s”, “%s” stands there: the same is %s', (wanted, shown, isSame) => {
  expect(isSameText(wanted, shown)).toBe(isSame);
});

test.each([
  ['new york', 1],
  ['NO', 2],
  ['Norway', 2],
  ['Sweden', 'several'],
  ['North > Sweden', 4],
  ['New', 1],
  ['Nor', undefined],
])('the option “%s” is number %s', (wanted, place) => {
  const options = [
    { label: 'Choose' },
    { label: 'New\u00a0York' },
    { label: 'Norway (+47)', value: 'no' },
    { label: 'Sweden', group: 'South' },
    { label: 'Sweden', group: 'North' },
  ];
  expect(matchOption(options, wanted)).toBe(place);
});
