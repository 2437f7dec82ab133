import fc from 'fast-check';
import { checkReply, lenientReply, parseReply } from '../../../../activities/engine/models/replies/parse-reply';
import { repairMessages } from '../../../../activities/engine/models/prompts/repair';
import { createReasoningScanner } from '../../../../activities/engine/models/replies/reasoning-scanner';
import type { PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { aReply } from '../../../support/builders';

const look: PageSnapshot = {
  snapshotId: 'l',
  url: 'https://shop.test/',
  title: '',
  tabs: [],
  nodes: [{ role: 'main', children: [{ role: 'button', name: 'Buy', ref: 'e7' }] }],
};
const click = (selector: string) => ({ action: 'CLICK_ELEMENT' as const, parameters: { selector } });

function faultsOf(text: string): string[] {
  const parsed = parseReply(text, { snapshot: look });
  return parsed.kind === 'invalid' ? parsed.faults : [];
}

describe('S1.19: a reply as text', () => {
  const whole = JSON.stringify(aReply({ commands: [click('ref=e7')] }));

  test.each([
    ['plain', whole],
    ['in a code fence', `Here it is:\n\`\`\`json\n${whole}\n\`\`\`\nBye.`],
    ['after a sentence', `My answer: ${whole}`],
  ])('is read %s', (_, text) => {
    expect(parseReply(text, { snapshot: look })).toMatchObject({
      kind: 'valid',
      reply: { commands: [click('ref=e7')] },
    });
  });

  test('may have null in place of an absent member', () => {
    const reply = aReply({ commands: [{ ...click('e7'), reasoning: null } as never] });
    const parsed = checkReply(
      { ...reply, decision: { ...reply.decision, resultValidation: null } },
      { snapshot: look },
    );
    expect(parsed).toMatchObject({ kind: 'valid' });
  });

  test('may have commands where it says that it cannot, and a confidence in percent', () => {
    const reasoning = { analysis: 'There is no such field.', confidence: 85 };
    const commands = [{ action: 'EXPECT', selector: 'e7', label: 'Coffee' }];
    expect(checkReply({ reasoning, decision: 'cannot', message: 'none', commands }, { snapshot: look })).toMatchObject({
      kind: 'valid',
      reply: { reasoning: { confidence: 0.85 }, decision: { action: 'ABORT' }, commands: [] },
    });
  });

  test('may give a parameter to a command that takes none', () => {
    const commands = [{ action: 'GET_DOM', selector: 'e7' }];
    expect(checkReply({ decision: 'act', commands }, { snapshot: look })).toMatchObject({
      kind: 'valid',
      reply: { commands: [{ action: 'GET_DOM', parameters: {} }] },
    });
  });

  test('needs no more than a plain reply has a use for', () => {
    const reasoning = { analysis: 'The account page is there.', confidence: 0.9 };
    const decision = { action: 'PROCEED', message: 'Signed in.', resultValidation: { success: true } };
    expect(checkReply({ reasoning, decision }, { snapshot: look })).toMatchObject({
      kind: 'valid',
      reply: {
        reasoning: { ...reasoning, rationale: '', expectedOutcome: '' },
        decision: { ...decision, resultValidation: { success: true, expectedElements: [], actualState: '' } },
        commands: [],
      },
    });
    const back = { ...decision, action: 'RETRY' };
    expect(
      checkReply({ reasoning, decision: back, commands: [{ action: 'GO_BACK' }] }, { snapshot: look }),
    ).toMatchObject({
      reply: { commands: [{ action: 'GO_BACK', parameters: {} }] },
    });
  });

  test('S1.A31: ABORT loses its commands, RETRY without any is refused', () => {
    expect(checkReply(aReply({ decision: 'ABORT', commands: [click('e7')] }), { snapshot: look })).toMatchObject({
      kind: 'valid',
      reply: { commands: [] },
    });
    expect(faultsOf(JSON.stringify(aReply({ decision: 'RETRY' })))).toEqual([
      'commands: RETRY must carry at least one corrective command',
    ]);
  });

  test.each([
    ['no JSON at all', 'I am sorry.', /^expected one JSON object, got none$/],
    ['JSON that breaks off', '{"decision": {"action": }', /^expected one JSON object, got text that is none: /],
    ['a wrong decision', JSON.stringify(aReply({ decision: 'MAYBE' })), /^decision\.action: /],
    [
      'a missing parameter',
      JSON.stringify(aReply({ commands: [{ action: 'CLICK_ELEMENT', parameters: {} }] })),
      /^commands\[0\]\.parameters\.selector: /,
    ],
    [
      'a parameter of another action',
      JSON.stringify(aReply({ commands: [{ action: 'GO_BACK', parameters: { url: 'https://x.test' } }] })),
      /^commands\[0\]\.parameters\.url: unknown field url$/,
    ],
    [
      'an unknown ref',
      JSON.stringify(aReply({ commands: [click('ref=e9')] })),
      /^commands\[0\]\.parameters\.selector: the page in this request has no element with the ref e9$/,
    ],
  ])('with %s is refused, and the fault is named', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(fault)]);
  });
});

describe('[S1.A26] what models write in place of a list of commands', () => {
  const asGiven = (commands: unknown) => ({ ...aReply({}), commands });

  test.each<[what: string, commands: unknown]>([
    ['one command', click('e7')],
    ['a list as text', JSON.stringify([click('e7')])],
    ['one command as text', JSON.stringify(click('e7'))],
    ['a list of texts', [JSON.stringify(click('e7'))]],
    ['an action in small letters', [{ ...click('e7'), action: 'click element' }]],
  ])('is read as what it means: %s', (_, commands) => {
    expect(checkReply(asGiven(commands), { snapshot: look })).toMatchObject({
      kind: 'valid',
      reply: { commands: [click('e7')] },
    });
    expect(lenientReply(asGiven(commands), '').commands).toEqual([{ ...click('e7'), priority: 1 }]);
  });

  test.each<[what: string, reply: unknown, fault: RegExp]>([
    ['commands that are a sentence', asGiven('click on Buy'), /^commands: /],
    ['an action that there is none of', asGiven([{ ...click('e7'), action: 'FLY' }]), /^commands\[0\]\.action: /],
    ['an unknown field', { ...aReply({}), mood: 'good' }, /^mood: unknown field mood$/],
    ['an unknown field of a command', asGiven([{ ...click('e7'), x: 1 }]), /^commands\[0\]\.x: unknown field x$/],
    ['a confidence beyond 1', { ...aReply({ confidence: 7 }) }, /^reasoning\.confidence: /],
  ])('%s is refused when strict, and when lenient is a reply all the same', (_, reply, fault) => {
    expect(faultsOf(JSON.stringify(reply))).toEqual([expect.stringMatching(fault)]);
    const read = lenientReply(reply, '');
    expect(read.decision.action).toBe('PROCEED');
    expect(read.reasoning.confidence).toBeLessThanOrEqual(1);
  });

  test('ten megabytes of text are refused unread, and are not sent back for repair', () => {
    const text = `{"decision": "${'x'.repeat(10_000_000)}"}`;
    expect(faultsOf(text)).toEqual([`expected at most 1000000 characters, got ${text.length}`]);
    expect(JSON.stringify(repairMessages([], text, ['too long'])).length).toBeLessThan(25_000);
    expect(lenientReply(undefined, text).reasoning.analysis.length).toBeLessThanOrEqual(2000);
  });
});

describe('S1.A26, lenient', () => {
  test('fills in PROCEED, confidence 0.5 and no commands', () => {
    expect(lenientReply(undefined, 'It looks done to me.')).toEqual({
      decision: { action: 'PROCEED', message: '' },
      reasoning: { analysis: 'It looks done to me.', rationale: '', expectedOutcome: '', confidence: 0.5 },
      commands: [],
    });
  });

  test('keeps what can be read', () => {
    const { reasoning, commands } = aReply({ commands: [click('e7')] });
    expect(lenientReply({ reasoning, commands }, '')).toMatchObject({
      decision: { action: 'PROCEED' },
      reasoning,
      commands: [click('e7')],
    });
    expect(lenientReply({ decision: { action: 'ABORT', message: 'no way' } }, '').decision).toEqual({
      action: 'ABORT',
      message: 'no way',
    });
  });

  test('leaves a list of commands out when one can not be read, and never claims a RETRY without any', () => {
    const reply = { decision: { action: 'RETRY', message: 'again' }, commands: [click('e7'), { action: 'FLY' }] };
    expect(lenientReply(reply, '')).toMatchObject({ decision: { action: 'PROCEED' }, commands: [] });
  });

  test('any value becomes a reply', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, text) => {
        expect(checkReply(lenientReply(value, text), { snapshot: { ...look, nodes: [] } }).kind).toBeDefined();
      }),
    );
  });
});

describe('the reasoning of a reply while it is streamed', () => {
  const reasoning = {
    analysis: 'A "form" {with} [brackets] \\ and 🐟',
    rationale: 'r',
    expectedOutcome: 'o',
    confidence: 0.8,
  };

  test('is found once, as soon as it is complete, however the text is cut', () => {
    const text = JSON.stringify({ context: { reasoning: { no: 1 } }, reasoning, decision: { action: 'PROCEED' } });
    const end = text.indexOf(',"decision"');
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const scan = createReasoningScanner();
        const places = [...new Set([0, ...cuts, text.length])].sort((a, b) => a - b);
        const found = places.slice(1).map((to, index) => ({ to, value: scan(text.slice(places[index], to)) }));
        const values = found.filter(({ value }) => value !== undefined);
        expect(values.map(({ value }) => value)).toEqual([reasoning]);
        expect(values[0]!.to).toBe(places.find((place) => place >= end));
      }),
    );
  });

  test('is published without the members that a plain reply leaves out', () => {
    expect(createReasoningScanner()('{"reasoning":{"analysis":"x","confidence":1}')).toEqual({
      analysis: 'x',
      rationale: '',
      expectedOutcome: '',
      confidence: 1,
    });
  });

  test('is not published when it does not fit its schema', () => {
    expect(createReasoningScanner()('{"reasoning":{"analysis":"x"},"decision":{}}')).toBeUndefined();
  });
});
