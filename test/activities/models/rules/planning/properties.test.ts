import fc from 'fast-check';
import type { PastCommand, PastIteration, DecisionRequest } from '../../../../../contracts/model-port/port';
import { parseInstruction } from '../../../../../rules/language/parse-instruction';
import { createRulesModel } from '../../../../../rules/rules-model';
import { AIResponseSchema } from '../../../../../contracts/models/ai-response';
import { ParametersByAction } from '../../../../../contracts/commands/commands';
import type { PageSnapshot, PageNode } from '../../../../../contracts/browsers/page-snapshot';

const WORDS = (
  'if until when both every nothing expand delete log by click press type enter fill set clear search choose select check uncheck turn save remember expect see verify wait go back scroll ' +
  'switch open visit accept dismiss the a first second last button link field in into to from for of next near with as and then , ; . : ' +
  'Save Size Delete "Trail Shoe" "a and b" “x, then y” \'it\' ${name} ${x}/y https://a.test/x,y a.test that not no is visible tab row it dialog 2 seconds on off url title contains page'
).split(' ');
const instruction = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const ROLES =
  'button link textbox searchbox combobox option listbox radio group checkbox row cell columnheader table heading generic listitem dialog term definition iframe'.split(
    ' ',
  );
const NAMES = ['Save', 'Size', 'Delete', 'Trail Shoe', 'a and b', 'x', '', 'name: *'];
const text = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 12 }));
const { node } = fc.letrec<{ node: PageNode }>((tie) => ({
  node: fc.record(
    {
      role: fc.constantFrom(...ROLES),
      name: text,
      ref: fc.integer({ min: 1, max: 99 }).map((number) => `e${number}`),
      text,
      placeholder: text,
      level: fc.integer({ min: 1, max: 6 }),
      disabled: fc.boolean(),
      ariaHidden: fc.boolean(),
      children: fc.array(fc.oneof({ depthSize: 'small' }, text, tie('node')), { maxLength: 4 }),
    },
    { requiredKeys: ['role'] },
  ) as fc.Arbitrary<PageNode>,
}));
const look = fc.record({
  snapshotId: fc.constant('look'),
  url: fc.constantFrom('about:blank', '', 'https://shop.test/cart', 'not an address'),
  title: text,
  tabs: fc.constant<PageSnapshot['tabs']>([]),
  nodes: fc.array(fc.oneof(text, node), { maxLength: 4 }),
});

const status = fc.constantFrom<PastCommand['status']>('done', 'done', 'failed', 'unknown', 'skipped');
const trouble = fc.record({ status, code: fc.constantFrom('EX002', 'SM002', 'TL004'), isLost: fc.boolean() });

describe('the rules model with any request', () => {
  const model = createRulesModel();

  test('never throws and always gives a valid reply, over all iterations of a step', async () => {
    await fc.assert(
      fc.asyncProperty(
        instruction,
        fc.array(look, { minLength: 1, maxLength: 4 }),
        fc.array(trouble, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (words, looks, troubles, mayAct) => {
          const rounds: PastIteration[] = [];
          for (const [iteration, seen] of looks.entries()) {
            const question: DecisionRequest = {
              instruction: words,
              stepIndex: 0,
              iteration,
              maxIterations: 4,
              mayAct,
              pastIterations: rounds,
              snapshot: seen,
              variables: ['name'],
            };
            const { reply } = await model.decide(question, { signal: new AbortController().signal });
            const parsed = AIResponseSchema.parse(reply);
            expect(parsed).toMatchObject(reply as object);
            for (const { action, parameters } of parsed.commands) ParametersByAction[action].parse(parameters);
            const outcomes = parsed.commands.map(({ action, parameters }, at): PastCommand => {
              const { status: ended, code } = troubles[(at + iteration) % troubles.length] ?? {
                status: 'done',
                code: '',
              };
              return {
                action,
                parameters,
                status: ended,
                error: ended === 'failed' ? { code, message: 'no' } : undefined,
              };
            });
            const isCut = troubles[0]?.isLost === true;
            rounds.push({
              ...parsed,
              context: isCut ? { plan: 'gone', settled: [null] } : parsed.context,
              outcomes: isCut ? outcomes.slice(1) : outcomes,
            });
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    ['places in places', `click ${'a in '.repeat(700)}`],
    ['dots', `click ${'.'.repeat(3500)}a`],
    ['options of options', `choose ${'x in '.repeat(700)}`],
    ['unclosed quotes', "'a ".repeat(1200)],
    ['more than anyone means', 'click a and '.repeat(2000)],
  ])('answers a hostile instruction soon: %s', async (_what, words) => {
    const nodes: PageNode[] = Array.from({ length: 50 }, (_, at) => ({
      role: 'button',
      name: `Row ${at}`,
      ref: `e${at}`,
    }));
    const seen: PageSnapshot = { snapshotId: 'look', url: 'https://shop.test/', title: '', tabs: [], nodes };
    const question: DecisionRequest = {
      instruction: words,
      stepIndex: 0,
      iteration: 0,
      maxIterations: 4,
      mayAct: true,
      pastIterations: [],
      snapshot: seen,
      variables: [],
    };
    // What takes too long here runs into the limit of the test.
    const { reply } = await model.decide(question, { signal: new AbortController().signal });
    expect(AIResponseSchema.safeParse(reply).success).toBe(true);
  });

  test('gives equal replies to equal requests', async () => {
    await fc.assert(
      fc.asyncProperty(instruction, look, async (words, seen) => {
        const question: DecisionRequest = {
          instruction: words,
          stepIndex: 0,
          iteration: 0,
          maxIterations: 4,
          mayAct: true,
          pastIterations: [],
          snapshot: seen,
          variables: [],
        };
        const ask = () => model.decide(question, { signal: new AbortController().signal });
        expect(await ask()).toEqual(await ask());
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['"', '"'],
    ['“', '”'],
    ['«', '»'],
    ['`', '`'],
    ["'", "'"],
  ])('never breaks or changes text between %s and %s', (opening, closing) => {
    const clean = fc
      .array(
        fc.constantFrom(
          'and',
          'then',
          ', ',
          '; ',
          '. ',
          'click',
          ' ',
          'a',
          '${x}',
          '\n',
          '1. ',
          'https://a.test',
          '\uE000',
          'please',
        ),
        { minLength: 1, maxLength: 10 },
      )
      .map((parts) => parts.join(' '))
      .filter((value) => !value.includes(opening) && !value.includes(closing));
    fc.assert(
      fc.property(clean, clean, (first, second) => {
        const quote = (value: string): string => opening + value + closing;
        const parsed = parseInstruction(`Type ${quote(first)} into Notes, then expect ${quote(second)} and go back.`);
        expect(parsed).toMatchObject({
          kind: 'actions',
          actions: [
            { intent: { kind: 'type', text: first } },
            { intent: { kind: 'expect', text: second } },
            { intent: { kind: 'back' } },
          ],
        });
      }),
      { numRuns: 200 },
    );
  });
});
