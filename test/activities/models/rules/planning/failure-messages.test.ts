/** What has come with the commands and says that something was not done; what is offered to be clicked says so of nothing. */
import type { PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import { failureMessages } from '../../../../../rules/planning/failure-messages';

const page = (nodes: object[]): PageSnapshot =>
  ({ snapshotId: 's', url: 'https://office.test/', title: 'Files', tabs: [], nodes }) as PageSnapshot;
const entry = (text: string): object => ({ role: 'generic', ref: text, text, cursor: 'pointer', since: 'new' });
const notice = (children: object[]): object => ({ role: 'generic', ref: 'n', isNotice: true, since: 'new', children });

test('an entry of a menu is no message of a failure, whatever it is called', () => {
  expect(failureMessages(page([notice(['Rename', 'Duplicate', 'Report an error'].map(entry))]), false)).toEqual([]);
});

test('a message that goes away by a click is one', () => {
  expect(failureMessages(page([notice([entry('The note was not saved')])]), false)).toEqual(['The note was not saved']);
});

test('a message with a button beside it is one, without the name of the button', () => {
  const text = { role: 'generic', text: 'The name is a duplicate', since: 'new' };
  expect(failureMessages(page([notice([text, entry('Try again')])]), false)).toContain('The name is a duplicate');
});

test('a list that takes no more is one', () => {
  const status = { role: 'status', ref: 's', since: 'changed', children: ['In repair is full (3 cards at most).'] };
  expect(failureMessages(page([status]), false)).toEqual(['In repair is full (3 cards at most).']);
});

test.each([
  ['Reject order 7', '#7 rejected'],
  ['Duplicate the order of Ann', 'WO-1043 duplicated'],
  ['Open the More menu and choose Duplicate', 'Duplicate'],
  ['Block the device Leon', 'Leon is now blocked'],
])('a message that names as done what the step asks for is none: %s', (step, text) => {
  const status = { role: 'status', ref: 's', since: 'new', children: [text] };
  expect(failureMessages(page([status]), false, step)).toEqual([]);
  expect(failureMessages(page([status]), false, 'Save the order')).toEqual([text]);
});

test('a payment that was declined is one, although the step names something that is declined', () => {
  const status = { role: 'status', ref: 's', since: 'new', children: ['Your card was declined.'] };
  expect(failureMessages(page([status]), false, 'Decline the insurance and pay')).toEqual(['Your card was declined.']);
});
