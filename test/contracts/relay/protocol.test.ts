import { BrowserToolResultSchema } from '../../../contracts/tasks/agent-loop';
import { remoteEffect, remoteTimeoutMs } from '../../../contracts/tools/browser-tools';
import { parseClientFrame, RELAY_CLOSES } from '../../../contracts/relay/protocol';
import {
  OUTPUT_LIMIT,
  RELAY_FAILURES,
  settleWith,
  toRelayOutput,
  type RelayFailure,
} from '../../../contracts/relay/relay-call';

test.each([
  ['no JSON', 'hello', 'bad-message', 'Expected a JSON text'],
  ['no object', '[1]', 'unknown-type', 'got none'],
  ['a type that is not known', '{"type":"create_task"}', 'unknown-type', 'create_task'],
  ['a result without an id', '{"type":"tool_result","result":{"success":true}}', 'bad-message', 'requestId'],
  ['a result of another shape', '{"type":"tool_result","requestId":"r","result":"ok"}', 'bad-message', 'result'],
])('a frame with %s is answered with an error message', (_, text, code, expected) => {
  const parsed = parseClientFrame(text);
  expect(parsed).toMatchObject({ kind: 'unusable', error: { type: 'error', code } });
  expect(JSON.stringify(parsed)).toContain(expected);
});

test('a field that a later version adds is no reason to refuse a message', () => {
  const text = '{"type":"tool_result","requestId":"r","result":{"success":true,"tabs":[1]},"tabContext":{}}';
  expect(parseClientFrame(text)).toEqual({
    kind: 'message',
    message: { type: 'tool_result', requestId: 'r', result: { success: true } },
  });
});

test('[S0.2, X.A1] the result of a tool in a browser has the fields of S0.2 and no others', () => {
  const whole = { success: true, output: { a: 1 }, error: 'e', screenshot: { data: 'AA==', mediaType: 'image/png' } };
  expect(BrowserToolResultSchema.parse({ ...whole, more: 1 })).toEqual(whole);
  for (const wrong of [{}, { success: 'yes' }, { success: true, screenshot: { data: 'AA==' } }])
    expect(BrowserToolResultSchema.safeParse(wrong).success).toBe(false);
});

test('a wait may take 35 s, going somewhere 30 s, everything else 15 s', () => {
  expect(remoteTimeoutMs('computer', { action: 'wait', duration: 30 })).toBe(35_000);
  expect(remoteTimeoutMs('wait', {})).toBe(35_000);
  expect(remoteTimeoutMs('navigate', { url: 'back' })).toBe(30_000);
  expect(remoteTimeoutMs('computer', { action: 'left_click' })).toBe(15_000);
  expect(remoteTimeoutMs('read_page', {})).toBe(15_000);
});

test('a read, a fill or an opening is safe to repeat; a click, key, script and unknown tool are not', () => {
  const again = [
    ['read_page', {}],
    ['find', { query: 'x' }],
    ['form_input', { ref: 1, value: 'x' }],
    ['navigate', { url: 'https://shop.test' }],
    ['computer', { action: 'screenshot' }],
  ] as const;
  const never = [
    ['computer', { action: 'left_click' }],
    ['computer', { action: 'type' }],
    ['computer', {}],
    ['navigate', { url: 'back' }],
    ['javascript_tool', { expression: '1' }],
    ['launch', {}],
  ] as const;
  expect(again.map(([tool, input]) => remoteEffect(tool, input) !== 'commit')).toEqual(again.map(() => true));
  expect(never.map(([tool, input]) => remoteEffect(tool, input) !== 'commit')).toEqual(never.map(() => false));
});

test('[S0.A7] only calls that are safe to repeat end in the words that cause a retry', () => {
  const transient = (sentence: RelayFailure) => /timed out|not connected|Relay/.test(RELAY_FAILURES[sentence]);
  const all = Object.keys(RELAY_FAILURES) as RelayFailure[];
  expect(all.filter(transient).sort()).toEqual(['late-harmless', 'lost-harmless', 'never-sent']);
  for (const sentence of all) expect(settleWith(sentence).isUnknown).toBe(!transient(sentence));
});

test('of a result the workflow gets no picture, and of a very long text its beginning', () => {
  const screenshot = { data: Buffer.alloc(300).toString('base64'), mediaType: 'image/png' };
  const result = { success: true, output: 'x'.repeat(OUTPUT_LIMIT + 1), screenshot };
  const output = toRelayOutput('s/c', { result, isUnknown: false });
  expect(output).toMatchObject({ requestId: 's/c', success: true, screenshot: { mediaType: 'image/png', bytes: 300 } });
  expect(output.output).toBe(`${'x'.repeat(OUTPUT_LIMIT)}... [truncated]`);
  const large = { success: true, output: { rows: Array.from({ length: OUTPUT_LIMIT }, (_, row) => row) } };
  expect(typeof toRelayOutput('s/c', { result: large, isUnknown: false }).output).toBe('string');
  expect(toRelayOutput('s/c', settleWith('late-unknown'))).toMatchObject({ success: false, isUnknown: true });
});

test('each close says whether the client should reconnect', () => {
  expect(Object.values(RELAY_CLOSES).filter(({ comesBack }) => !comesBack)).toEqual([
    { code: 1000, reason: 'replaced', comesBack: false },
    expect.objectContaining({ code: 4401 }),
    expect.objectContaining({ code: 4403 }),
  ]);
});
