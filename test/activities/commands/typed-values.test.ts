import { matchOption } from '../../../activities/browser/commands/choosing/match-option';
import { pickerValue, twoDaysIn, writtenDate } from '../../../activities/browser/commands/typing/picker-value';
import { isSameText } from '../../../activities/browser/commands/typing/same-text';
import { dayIn, inNotation, showsDay } from '../../../activities/browser/commands/typing/written-date';

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
  ['Choose Thursday, December 24th, 2026', '24.12.2026', true],
  ['2026-12-24', 'Dec 24, 2026', true],
  ['2026-12-24', '12/24/26', true],
  ['2026-12-24', '12/23/2026', false],
  ['24 Dec 2026', '', false],
])('of the day “%s”, “%s” is the same: %s', (said, shown, isSame) => {
  expect(showsDay(shown, dayIn(said)!)).toBe(isSame);
});

test.each([
  ['2026-12-24', { date: '2026-12-24' }],
  ['24 December 2026 at 2 pm', { date: '2026-12-24', time: '14:00' }],
  ['until 2026-12-24', undefined],
  ['12', undefined],
])('“%s” as a whole is the date %j', (text, date) => {
  expect(writtenDate(text)).toEqual(date);
});

test.each([
  ['04/08/2016', { monthFirst: '2016-04-08', dayFirst: '2016-08-04' }],
  ['4-8-2016 14:30', { monthFirst: '2016-4-8 14:30', dayFirst: '2016-8-4 14:30' }],
  ['04/04/2016', undefined],
  ['23/04/2016', undefined],
  ['1/2', undefined],
])('“%s” may be the days %j', (text, days) => {
  expect(twoDaysIn(text)).toEqual(days);
});

test.each([
  ['DD/MM/YYYY', '03/02/2026'],
  ['e.g. m/d/yy', '2/3/26'],
  ['Pick a day', undefined],
])('a field that asks for “%s” gets %s', (placeholder, text) => {
  expect(inNotation({ year: 2026, month: 2, day: 3 }, placeholder)).toBe(text);
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
