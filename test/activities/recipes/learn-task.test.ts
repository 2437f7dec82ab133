/** What of a task is learnt: the calls of each turn, up to the first that can't be repeated. */
import { taskRounds } from '../../../activities/engine/recipes/learn-task';
import type { BrowserAction, BrowserParameters } from '../../../contracts/commands/commands';
import type { PlannedCall } from '../../../contracts/tools/planned-call';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyMessage } from '../../../store/models/messages';
import { anObservedCommand } from '../../support/evidence';

const url = 'https://shop.test/form';

interface Called {
  tool: string;
  args?: Record<string, unknown>;
  action: BrowserAction;
  parameters?: BrowserParameters;
  run?: PlannedCall['run'];
}

const type: Called = {
  tool: 'computer',
  args: { action: 'type', text: 'tea' },
  action: 'TYPE_TEXT',
  parameters: { text: 'tea' },
};
const open: Called = { tool: 'navigate', args: { url }, action: 'OPEN_PAGE', parameters: { url } };
const read = (tool: string, action: BrowserAction): Called => ({ tool, action });

/** The look by which the effect of the turn before it shows. */
const end: Called[] = [read('read_page', 'READ_PAGE')];

/** A reply of each turn with these calls, all of which were done. */
function aTask(...turns: (Called[] | Partial<ReplyMessage>)[]): [ReplyMessage[], JournalEntry[]] {
  const journal: JournalEntry[] = [];
  const replies = turns.map((turn, index): ReplyMessage => {
    const called = Array.isArray(turn) ? turn : [type];
    const planned = called.map(({ tool, args = {}, action, parameters = {}, run }, position): PlannedCall => {
      const commandId = `${index}.${position}`;
      const evidence = anObservedCommand({ urlBefore: url, urlAfter: url });
      const entry = { commandId, action, parameters, stepIndex: 0, turn: index, position, pageUrl: url };
      journal.push({ ...entry, effect: 'commit', status: 'done', attempts: 1, intendedAt: new Date(0), evidence });
      const own = run ?? { kind: 'browser', command: { commandId, action, parameters } };
      const facts = { hash: '', classification: 'write', effect: 'commit', scope: { tool } } as const;
      return { callId: `call_${commandId}`, name: tool, args, ...facts, run: own };
    });
    return {
      kind: 'reply',
      responseId: '',
      previousResponseId: '',
      text: '',
      thoughts: '',
      calls: called.map(({ tool, args = {} }, at) => ({
        callId: planned[at]!.callId,
        name: tool,
        args: JSON.stringify(args),
      })),
      isCut: false,
      model: 'test',
      usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
      windowTokens: 0,
      planned,
      sighting: { url, texts: [`turn ${index}`], said: [], commands: called.map(() => ({})), reads: `page ${index}` },
      ...(Array.isArray(turn) ? {} : turn),
    };
  });
  return [replies, journal];
}

function learnt(...turns: Parameters<typeof aTask>): string[] {
  const [replies, journal] = aTask(...turns);
  const instruction = `Open ${url} and search for tea`;
  const rounds = taskRounds({ instruction, journal, values: new Map(), unspoken: new Map() }, replies);
  return rounds.map(({ reads, commands }) => `${reads}: ${commands.map(({ tool }) => tool?.name).join(', ')}`);
}

test('each turn is a round with the calls of its tools and what the page said before them', () => {
  expect(learnt([open], [type, type], end)).toEqual(['page 0: navigate', 'page 1: computer, computer']);
});

test('looks that show what the reading has anyway are left out', () => {
  expect(learnt([read('read_page', 'READ_PAGE')], [read('find', 'FIND_ELEMENTS'), open])).toEqual(['page 1: navigate']);
});

test.each([
  ['the text of the page', read('get_page_text', 'READ_TEXT')],
  ['its data', read('extract', 'EXTRACT')],
  ['a picture of it', read('computer', 'TAKE_SCREENSHOT')],
])('what was called after a look at %s is not learnt', (_, look) => {
  expect(learnt([open, look], [type], end)).toEqual(['page 0: navigate']);
});

test.each<[string, Parameters<typeof aTask>[number]]>([
  ['for another tool than the browser', [{ ...type, run: { kind: 'tool', isFree: false, timeoutMs: 1 } }]],
  ['at a point of the view', [{ ...type, action: 'CLICK_POINT', parameters: { x: 1, y: 2 } }]],
  ['with a text that only the page had', [{ ...type, parameters: { text: 'code 4711' } }]],
  ['for an element that was not seen', [{ ...type, action: 'CLICK_ELEMENT', parameters: { selector: 'text="Buy"' } }]],
  [
    'with arguments that the plan does not have',
    { calls: [{ callId: 'call_1.0', name: 'computer', args: '{"text":"x"}' }] },
  ],
  ['that a person has changed', { edited: ['call_1.0'] }],
  ['without a reading of the page', { sighting: undefined }],
])('a call %s ends what is learnt', (_, turn) => {
  expect(learnt([open], turn, [type])).toEqual(['page 0: navigate']);
});

test('a call that was not done ends what is learnt', () => {
  const [replies, journal] = aTask([open], [type], end);
  journal[1]!.status = 'failed';
  const step = { instruction: `Open ${url} and search for tea`, journal, values: new Map(), unspoken: new Map() };
  expect(taskRounds(step, replies)).toHaveLength(1);
});

test('a task whose words mean another day each time is not learnt', () => {
  const [replies, journal] = aTask([type], end);
  const of = (instruction: string) =>
    taskRounds({ instruction, journal, values: new Map(), unspoken: new Map() }, replies).length;
  expect([of('search for tea'), of('search for tea and order it for tomorrow')]).toEqual([1, 0]);
});

test('the words of the model are part of its round, unless they hold the value of a variable', () => {
  const [replies, journal] = aTask([type], end);
  replies[0]!.sighting!.says = 'I look for tea of Ada.';
  const said = (unspoken: [string, string][]) =>
    taskRounds({ instruction: 'search for tea', journal, values: new Map(), unspoken: new Map(unspoken) }, replies)[0];
  expect(said([])).toHaveProperty('says', 'I look for tea of Ada.');
  expect(said([['who', 'Ada']])).not.toHaveProperty('says');
});

test('the value of a variable is in no recipe', () => {
  const [replies, journal] = aTask([type], end);
  const step = {
    instruction: 'search for what is wanted',
    journal,
    values: new Map(),
    unspoken: new Map([['what', 'tea']]),
  };
  expect(taskRounds(step, replies)).toEqual([]);
});
