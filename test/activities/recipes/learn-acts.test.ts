/** What a recipe learns of a person who has taken the browser over. */
import { roundsOfActs } from '../../../activities/engine/recipes/learn-acts';
import { recipeRoundsOf } from '../../../activities/engine/recipes/learn-step';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import type { ActSighting } from '../../../contracts/recipes/sighting';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import { aReply } from '../../support/builders';
import { anObservedCommand } from '../../support/evidence';

const url = 'https://shop.test/form';
const evidence = anObservedCommand({ urlBefore: url, urlAfter: url });
const place = { stepIndex: 0, turn: 0, pageUrl: url, effect: 'commit' as const, attempts: 1, evidence };
const target = (role: string, name: string) => ({
  selector: `role=${role}[name="${name}"s]`,
  role,
  name,
  nth: 0,
  of: 1,
  around: [],
  attributes: {},
});

type Change = Partial<Omit<JournalEntry, 'sighting'>> & { sighting?: Partial<ActSighting> };
let position = 0;

function act(
  action: JournalEntry['action'],
  on: ReturnType<typeof target> | undefined,
  change: Change = {},
): JournalEntry {
  position += 1;
  const seen = { url, said: [], texts: ['Kept'] };
  const command = on === undefined ? {} : { target: on };
  return {
    ...place,
    commandId: `person.${position}`,
    position,
    action,
    parameters: {},
    status: 'done',
    intendedAt: new Date(1e3 + position),
    ...change,
    sighting: {
      command,
      before: {
        url,
        said: [],
      },
      after: seen,
      ...change.sighting,
    },
  } as JournalEntry;
}

const values = new Map<string, string>();
const learnt = (acts: JournalEntry[], instruction = 'write "Grace" into Name') =>
  roundsOfActs({ instruction, journal: [], values, unspoken: values }, acts)?.map(({ commands }) =>
    commands.map(({ action, parameters: { selector: _selector, ...given } }) => [action, given]),
  );

const NAME = target('textbox', 'Name');
const SAVE = target('button', 'Save');
const typed = (text: string) => act('TYPE_TEXT', NAME, { sighting: { held: { text } } });

test('what is typed key by key is the text the field then has, filled in before the click in one look', () => {
  expect(learnt([act('CLICK_ELEMENT', NAME), typed('Gr'), typed('Grace'), act('CLICK_ELEMENT', SAVE)])).toEqual([
    [
      ['INPUT_TEXT', { text: 'Grace' }],
      ['CLICK_ELEMENT', {}],
    ],
  ]);
});

test('a dialog that the person answered as usual needs no answer of a recipe, another is not learnt', () => {
  const saidTo = (type: string, accepted: boolean): JournalEntry[] => {
    const dialogs = [{ type, message: 'Sure?', accepted }];
    const click = act('CLICK_ELEMENT', SAVE, { evidence: { ...evidence, dialogs } });
    const { sighting: _sighting, ...answer } = act('HANDLE_DIALOG', undefined, { parameters: { accept: accepted } });
    return [click, answer];
  };
  expect(learnt(saidTo('alert', true))).toEqual([[['CLICK_ELEMENT', {}]]]);
  expect(learnt(saidTo('confirm', true))).toBeUndefined();
});

test('a box is set as the person left it, an option chosen, and what came with an act needs another look', () => {
  const box = act('CLICK_ELEMENT', target('checkbox', 'Gift'), { sighting: { checked: true } });
  const list = act('PRESS_KEY', target('combobox', 'Size'), {
    parameters: { key: 'ArrowDown' },
    sighting: {
      held: { option: 'Large' },
      isNew: true,
    },
  });
  expect(learnt([box, list], 'choose "Large" and make it a gift')).toEqual([
    [['SET_CHECKED', { checked: true }]],
    [['SELECT_OPTION', { option: 'Large' }]],
  ]);
});

test('a wheel, the focus and a click that only goes into a field are no part of it', () => {
  const tab = act('PRESS_KEY', NAME, { parameters: { key: 'Tab' } });
  const acts = [act('SCROLL', undefined), act('CLICK_ELEMENT', NAME), tab, act('CLICK_ELEMENT', SAVE)];
  expect(learnt(acts)).toEqual([[['CLICK_ELEMENT', {}]]]);
});

test('a variable is named where its value was typed', () => {
  const own = new Map([['who', 'Ada']]);
  const step = { instruction: 'write ${who} into Name', journal: [], values: own, unspoken: own };
  const [round] = roundsOfActs(step, [act('TYPE_TEXT', NAME, { sighting: { held: { text: 'Ada' } } })])!;
  expect(round!.commands[0]!.parameters.text).toBe('${who}');
});

test.each([
  ['a point without an element', act('CLICK_POINT', undefined)],
  ['an act whose end nobody saw', { ...act('CLICK_ELEMENT', SAVE), sighting: undefined } as unknown as JournalEntry],
  ['an act that failed', act('CLICK_ELEMENT', SAVE, { status: 'failed' })],
  ['a text that the step does not say', act('TYPE_TEXT', NAME, { sighting: { held: { text: 'Eve' } } })],
  ['a password that is no secret of the session', act('TYPE_TEXT', target('textbox', 'Password'))],
])('%s leaves no recipe', (_, one) => {
  expect(learnt([one])).toBeUndefined();
});

describe('a step with a person in it', () => {
  const open: PlannedCommand = { commandId: 'c1', action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e1' } };
  const look: PlannedCommand = { commandId: 'c2', action: 'WAIT_FOR', parameters: { text: 'Kept' } };
  const close: PlannedCommand = { commandId: 'c3', action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e3' } };

  function row(at: number, decision: 'PROCEED' | 'RETRY', commands: PlannedCommand[]): ReplyRow {
    const given = commands.map(({ action, parameters }) => ({ action, parameters }));
    const reply = AIResponseSchema.parse({ ...aReply({ decision }), commands: given });
    const sighting = { url, texts: ['Kept'], said: [], commands: commands.map(() => ({})) };
    const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    return { turn: at, reply, model: 'gemini', usage, commands, sighting, at: new Date(at) };
  }
  const ran = (
    { commandId, action, parameters }: PlannedCommand,
    change: Partial<JournalEntry> = {},
  ): JournalEntry => ({
    ...place,
    commandId,
    action,
    parameters,
    position: 0,
    status: 'done',
    intendedAt: new Date(0),
    ...change,
  });
  const requested = anObservedCommand({
    urlBefore: url,
    urlAfter: url,
    requests: [
      {
        method: 'POST',
        url: `${url}/a`,
        status: 200,
      },
    ],
  });
  const recipe = (replies: ReplyRow[], journal: JournalEntry[]) =>
    recipeRoundsOf({
      instruction: 'write "Grace" into Name',
      replies,
      journal,
      seenAfter: undefined,
      values,
      unspoken: values,
      acts: [typed('Grace')],
    })?.map(({ commands }) => commands.map(({ action }) => action));

  test('is learnt with the acts in their place, without what was tried in vain before', () => {
    const replies = [row(1, 'PROCEED', [open]), row(2, 'RETRY', [look]), row(9000, 'PROCEED', [close])];
    const journal = [
      ran(open, { evidence: requested }),
      ran(look, { effect: 'pure', status: 'failed' }),
      ran(close, { evidence: requested }),
    ];
    expect(recipe([...replies, row(9001, 'PROCEED', [])], journal)).toEqual([
      ['CLICK_ELEMENT'],
      ['INPUT_TEXT'],
      ['CLICK_ELEMENT'],
    ]);
  });

  test('is not learnt where the model had done something that was not what it should', () => {
    expect(recipe([row(1, 'RETRY', [open])], [ran(open, { evidence: requested })])).toBeUndefined();
  });

  test('is learnt by its acts alone where the commands before them were not run', () => {
    expect(recipe([row(1, 'PROCEED', [open]), row(9000, 'PROCEED', [])], [])).toEqual([['INPUT_TEXT']]);
  });
});
