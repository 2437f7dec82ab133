/**
 * The computer-use tools of vendors: what they ask for becomes calls of the engine's own tools, each with its picture, and
 * what came of them goes back in the vendor's form. The stand-ins refuse what the vendors refuse.
 */
import type { GenerationRequest, Generation, PromptMessage } from '../../../../contracts/model-port/language-model';
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { geminiAnswers } from '../../../support/model-server/gemini';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';
import { startModelServer, type ModelServer } from '../../../support/model-server/server';
import { anthropicAnswers, responsesAnswers } from '../../../support/model-server/vendors';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TASK: PromptMessage = { role: 'user', parts: [{ kind: 'text', text: 'Mark Rome on the map.' }] };
const parameters = { type: 'object', properties: { action: { type: 'string' } } };
const tools = [
  { name: 'computer', description: 'Mouse and keyboard.', parameters },
  { name: 'navigate', description: 'Opens an address.', parameters },
];
const answer = { kind: 'tools', tools, view: { width: 1280, height: 800 } } as const;
const clickAt = (coordinate: number[]) => ({ action: 'left_click', coordinate });
const SEE = { action: 'screenshot' };

/** The results of all calls; only pictures that were taken last are there. */
function after({ text, functionCalls, raw }: Generation, hasPictures = true): PromptMessage[] {
  const calls = functionCalls.map(({ id, name, args }, index) => ({
    callId: `call_${index}`,
    functionId: id,
    name,
    args,
  }));
  const results = calls.map((call) => ({
    call,
    parts: [
      { kind: 'text' as const, text: call.args.includes('screenshot') ? 'Took a picture.' : 'Clicked.' },
      ...(hasPictures && call.args.includes('screenshot')
        ? [{ kind: 'image' as const, mediaType: 'image/png', base64: PIXEL }]
        : []),
    ],
    isError: false,
  }));
  return [TASK, { role: 'model', text, calls, raw }, { role: 'results', results, parts: [] }];
}

const gemini = (name: string, args: object) =>
  geminiAnswers({ parts: [{ functionCall: { id: 'f1', name, args }, thoughtSignature: 'c2ln' }] });
const openai = (actions: object[], more: object = {}) =>
  responsesAnswers('', {
    items: [
      {
        id: 'cu_1',
        type: 'computer_call',
        call_id: 'call_1',
        actions,
        pending_safety_checks: [],
        status: 'completed',
        ...more,
      },
    ],
  });
const anthropic = (input: object) =>
  anthropicAnswers('I look.', { calls: [{ id: 'toolu_1', name: 'computer', args: JSON.stringify(input) }] });

const VENDORS = [
  {
    name: 'genai/gemini-2.5-computer-use',
    env: () => ({ GEMINI_API_KEY: 'k', GEMINI_BASE_URL: `https://${server.host}` }),
    click: gemini('click_at', { x: 500, y: 250 }),
    drag: gemini('drag_and_drop', { x: 0, y: 0, destination_x: 500, destination_y: 500 }),
    unsafe: gemini('click_at', {
      x: 1,
      y: 1,
      safety_decision: { decision: 'require_confirmation', explanation: 'A purchase.' },
    }),
    says: geminiAnswers({ text: 'Marked.' }),
    declared: /"computerUse":\{"environment":"ENVIRONMENT_BROWSER"/,
  },
  {
    name: 'ai:openai/gpt-5.4',
    env: () => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `https://${server.host}/v1` }),
    click: openai([{ type: 'click', button: 'left', x: 640, y: 200 }]),
    drag: openai([
      {
        type: 'drag',
        path: [
          { x: 0, y: 0 },
          { x: 640, y: 400 },
        ],
      },
    ]),
    unsafe: openai([{ type: 'screenshot' }], {
      pending_safety_checks: [{ id: 's', code: 'c', message: 'A purchase.' }],
    }),
    says: responsesAnswers('Marked.'),
    declared: /\{"type":"computer"\}/,
  },
  {
    name: 'ai:anthropic/claude-sonnet-4-5',
    env: () => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `https://${server.host}/v1` }),
    click: anthropic({ action: 'left_click', coordinate: [640, 200] }),
    drag: anthropic({ action: 'left_click_drag', start_coordinate: [0, 0], coordinate: [640, 400] }),
    unsafe: undefined,
    says: anthropicAnswers('Marked.'),
    declared: /"type":"computer_2025\d+","display_width_px":1280,"display_height_px":800/,
  },
];

describe.each(VENDORS)('$name', ({ name, env, click, drag, unsafe, says, declared }) => {
  const ask = (change: Partial<GenerationRequest> = {}) =>
    createLanguageModel(name, env()).generate(aRequest({ messages: [TASK], answer, ...change }));
  const callsOf = ({ functionCalls }: Generation) =>
    functionCalls.map((call) => [call.name, JSON.parse(call.args) as unknown]);

  it('declares its tool in place of ours, and acts through ours, with a picture of what came of it', async () => {
    server.play(click);
    const first = await ask();
    const sent = JSON.stringify(server.heard[0]!.body['tools']);
    expect(sent).toMatch(declared);
    expect(sent).toContain('navigate');
    expect(sent).not.toContain('Mouse and keyboard');
    expect(callsOf(first)).toEqual([
      ['computer', clickAt([640, 200])],
      ['computer', SEE],
    ]);
    server.play(says);
    expect(await ask({ messages: after(first) })).toMatchObject({ text: 'Marked.' });
    expect(JSON.stringify(server.heard[0]!.body)).toContain(PIXEL);
    // Older pictures are left out of a conversation.
    expect(await ask({ messages: after(first, false) })).toMatchObject({ text: 'Marked.' });
  });

  it('drags', async () => {
    server.play(drag);
    const ends = { start_coordinate: [0, 0], coordinate: [640, 400] };
    expect(callsOf(await ask())[0]).toEqual(['computer', { action: 'left_click_drag', ...ends }]);
  });

  if (unsafe !== undefined)
    it('leaves it to a person to confirm what the vendor wants confirmed', async () => {
      server.play(unsafe);
      const trouble = await providerErrorOf(ask());
      expect(trouble).toMatchObject({ kind: 'blocked', message: expect.stringContaining('A purchase.') });
    });
});

const wait = (name: string) => createLanguageModel(name, VENDORS.find((each) => each.name === name)!.env());

test.each<[string, object[], object[]]>([
  ['hover_at', [{ x: 100, y: 100 }], [{ action: 'hover', coordinate: [128, 80] }, SEE]],
  [
    'type_text_at',
    [{ x: 100, y: 100, text: 'Rome' }],
    [
      clickAt([128, 80]),
      { action: 'key', text: 'ControlOrMeta+A' },
      { action: 'type', text: 'Rome' },
      { action: 'key', text: 'Enter' },
      SEE,
    ],
  ],
  [
    'type_text_at',
    [{ x: 0, y: 0, text: 'Rome', press_enter: false, clear_before_typing: false }],
    [clickAt([0, 0]), { action: 'type', text: 'Rome' }, SEE],
  ],
  ['key_combination', [{ keys: 'control+z' }], [{ action: 'key', text: 'control+z' }, SEE]],
  ['scroll_document', [{ direction: 'down' }], [{ action: 'scroll', scroll_direction: 'down' }, SEE]],
  [
    'scroll_at',
    [{ x: 500, y: 500, direction: 'up', magnitude: 250 }],
    [{ action: 'scroll', coordinate: [640, 400], scroll_direction: 'up', scroll_amount: 2 }, SEE],
  ],
  ['wait_5_seconds', [{}], [{ action: 'wait', duration: 5 }, SEE]],
  ['picture_of_page', [{}], [SEE]],
])('Gemini: %s %j is %j', async (called, [args], expected) => {
  server.play(gemini(called, args!));
  const reply = await wait('genai/gemini-2.5-computer-use').generate(aRequest({ messages: [TASK], answer }));
  expect(reply.functionCalls.map((call) => JSON.parse(call.args) as unknown)).toEqual(expected);
});

test('OpenAI: the actions of one call follow each other, and one picture answers them', async () => {
  const actions = [
    { type: 'move', x: 1, y: 2 },
    { type: 'click', button: 'right', x: 1, y: 2 },
    { type: 'double_click', x: 3, y: 4 },
    { type: 'scroll', x: 5, y: 6, scroll_x: 0, scroll_y: -300 },
    { type: 'type', text: 'Rome' },
    { type: 'keypress', keys: ['CTRL', 'A'] },
    { type: 'wait' },
  ];
  server.play(openai(actions));
  const model = wait('ai:openai/gpt-5.4');
  const reply = await model.generate(aRequest({ messages: [TASK], answer }));
  expect(reply.functionCalls.map((call) => JSON.parse(call.args) as unknown)).toEqual([
    { action: 'hover', coordinate: [1, 2] },
    { action: 'right_click', coordinate: [1, 2] },
    { action: 'double_click', coordinate: [3, 4] },
    { action: 'scroll', coordinate: [5, 6], scroll_direction: 'up', scroll_amount: 3 },
    { action: 'type', text: 'Rome' },
    { action: 'key', text: 'CTRL+A' },
    { action: 'wait', duration: 2 },
    SEE,
  ]);
  server.play(responsesAnswers('Marked.'));
  await model.generate(aRequest({ messages: after(reply), answer }));
  const input = server.heard[0]!.body['input'] as { type?: string; role?: string }[];
  expect(input.map(({ type, role }) => type ?? role)).toEqual([
    'developer',
    'user',
    'computer_call',
    'computer_call_output',
    'user',
  ]);
});
