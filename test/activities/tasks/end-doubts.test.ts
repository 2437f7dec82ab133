/** Which ends of a task the engine believes, by what it knows itself. */
import { doubtOf, type KnownOfTask } from '../../../activities/engine/tasks/end-doubts';
import type { TurnResult } from '../../../contracts/model-port/port';

const KNOWN: KnownOfTask = { hasActed: true, mayOnlyAnswer: false, shown: 'Count: 0. Thank you, Ada' };
const FAILED = {
  ...KNOWN,
  leftUndone: 'The call of computer failed (“Go” is no ref), and nothing was done in its place.',
};
const end = (text: string, evidence?: string): TurnResult & { isEnd: true } => ({
  text,
  evidence,
  isEnd: true,
  thoughts: '',
  functionCalls: [],
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 },
  model: 'a/b',
});
const doubt = (turn: TurnResult, known: KnownOfTask, task = 'Press the button', isAskedAgain = false) =>
  doubtOf(turn, { task, contradiction: undefined, known, isAskedAgain })?.verdict;

test('an end is believed that names a word or number of what was shown, or quotes it', () => {
  expect(doubt(end('Ada is thanked.'), KNOWN)).toBeUndefined();
  expect(doubt(end('Pressed.', 'Thank you, Ada'), KNOWN)).toBeUndefined();
});

test('an end that names nothing that was shown, or no more than the task does, is doubted', () => {
  expect(doubt(end('The order was placed.'), KNOWN)).toContain('names nothing');
  expect(doubt(end('Ada was pressed.'), KNOWN, 'Press Ada')).toContain('names nothing');
});

test('an end after a failed call is doubted, of a task that is to change something also with a quote', () => {
  expect(doubt(end('Count: 1', 'Count'), FAILED)).toContain('no ref');
  expect(doubt(end('Count: 1', 'Count'), FAILED, 'Press the button', true)).toContain('no ref');
  expect(doubt(end('The count is 0.', 'Count: 0'), FAILED, 'What is the count?', true)).toBeUndefined();
});

test('in a conversation the call of done is meant, once it was asked for', () => {
  const conversation = { ...KNOWN, hasActed: false, mayOnlyAnswer: true };
  expect(doubt(end('You are welcome.'), conversation)).toContain('no call of it has succeeded');
  expect(doubt(end('You are welcome.'), conversation, 'Thanks', true)).toBeUndefined();
});

test('in a conversation too a deed that failed, or was never tried, is not done by being said again', () => {
  const failed = { ...FAILED, mayOnlyAnswer: true };
  expect(doubt(end('The button was pressed.'), failed, 'Press the button', true)).toContain('no ref');
  expect(doubt(end('The count is 0.'), failed, 'What is the count?', true)).toBeUndefined();
  const opened = { ...KNOWN, hasOnlyOpened: true, mayOnlyAnswer: true };
  expect(doubt(end('The button was pressed.'), opened, 'Press the button', true)).toContain('no call of it');
  const began = { ...KNOWN, mayOnlyAnswer: true };
  expect(doubt(end('Ada was pressed.', 'Ada was pressed'), began, 'Press Ada', true)).toContain('names nothing');
});

test('a text that the task says to type or choose has to be in a call, or be quoted from the page', () => {
  const known = {
    ...KNOWN,
    used: 'Question\nChose “Question” in the combobox “Topic”.',
    shown: 'Topic: Question, Complaint. Sent.',
  };
  const task = 'Choose "Complaint" in Topic and click "Send"';
  expect(doubt(end('Sent.', 'Sent.'), known, task)).toContain('“Complaint”, and no call has used it');
  expect(doubt(end('Sent.', 'Sent.'), known, task, true)).toContain('“Complaint”, and no call has used it');
  expect(doubt(end('It is so already.', 'Complaint'), known, task, true)).toBeUndefined();
  const whole = 'Complaint\nClicked the button “Send”.';
  expect(doubt(end('Sent.', 'Sent.'), { ...known, used: whole }, task)).toBeUndefined();
  expect(doubt(end('Sent.', 'Sent.'), { ...known, used: undefined }, task)).toBeUndefined();
  expect(doubt(end('Sent.', 'Sent.'), known, `If it asks for a topic, ${task}`)).toBeUndefined();
  expect(doubt(end('Sent.', 'Sent.'), known, 'Which topic is "Complaint"?')).toBeUndefined();
});

test('each text of a list has to be typed, and what the task says to press has to be pressed', () => {
  const task = 'Type "Grace" into Recipient and "40" into Amount in EUR, then click "Send"';
  const wrote = 'Wrote “Grace” into the textbox “Recipient”.';
  const known = { ...KNOWN, used: wrote, shown: `button "Send"\n${wrote}` };
  expect(doubt(end(wrote, wrote), known, task, true)).toContain('“40”, and no call has used it');
  const both = { ...known, used: `${wrote}\nWrote “40” into the textbox “Amount in EUR”.` };
  expect(doubt(end(wrote, wrote), both, task, true)).toContain('to press “Send”, and nothing was pressed');
  expect(doubt(end(wrote, wrote), { ...both, used: `${both.used}\nClicked the button “Send”.` }, task)).toBeUndefined();
});

test('who gives a task up with a copy of the page is asked once for a call or a reason', () => {
  const asked = (text: string, isAskedAgain: boolean) =>
    doubtOf(
      { ...end(text), isGivenUp: true },
      { task: 'Press Ada', contradiction: undefined, known: KNOWN, isAskedAgain },
    );
  const copied = 'The page now:\n- main\n  - button "Ada" [ref=e9]';
  expect(asked(copied, false)).toEqual({ ask: expect.stringContaining('no answer') as string });
  expect(asked(copied, true)).toBeUndefined();
  expect(asked('There is no button Ada.', false)).toBeUndefined();
});
