import { ClientCalls, type ClientCall } from '../../../../client/agent/tools/client-calls';
import { truncateResult, MAX_BYTES } from '../../../../client/agent/tools/truncate-result';
import type { BrowserToolResult } from '../../../../contracts/tasks/agent-loop';

const aCall = (callId: string, more: Partial<ClientCall> = {}): ClientCall => ({
  sessionId: 's',
  callId,
  name: 'look',
  args: {},
  ...more,
});

describe('calls of a client', () => {
  it('[S0.R6] run once each, however often they are asked for, also after their end', async () => {
    const runs: string[] = [];
    let answer = (_result: BrowserToolResult): void => {};
    const calls = new ClientCalls(({ sessionId, callId }) => {
      runs.push(`${sessionId}/${callId}`);
      return new Promise((resolve) => (answer = resolve));
    });
    const [first, second] = [calls.result(aCall('call_1')), calls.result(aCall('call_1'))];
    answer({ success: true, output: 'once' });
    expect(await Promise.all([first, second, calls.result(aCall('call_1'))])).toEqual([
      { success: true, output: 'once' },
      { success: true, output: 'once' },
      { success: true, output: 'once' },
    ]);
    const other = calls.result(aCall('call_1', { sessionId: 'other' }));
    answer({ success: true });
    await other;
    expect(runs).toEqual(['s/call_1', 'other/call_1']);
  });

  it('[S0.A7] that throw, or give no result, answer with an error', async () => {
    const given: Record<string, unknown> = { none: undefined, other: { ok: true }, odd: { success: 'yes' } };
    const calls = new ClientCalls(({ name }) => {
      if (name === 'throws') throw new Error('no page');
      return Promise.resolve(given[name] as BrowserToolResult);
    });
    expect(await calls.result(aCall('1', { name: 'throws' }))).toEqual({ success: false, error: 'no page' });
    for (const name of ['none', 'other', 'odd']) {
      const { success, error } = await calls.result(aCall(name, { name }));
      expect({ success, error }).toEqual({
        success: false,
        error: expect.stringContaining(`${name} gave no tool result`),
      });
    }
  });

  it('hear that they are to stop, one or all', async () => {
    const reasons: string[] = [];
    const calls = new ClientCalls(
      ({ callId }, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            reasons.push(`${callId}: ${(signal.reason as Error).message}`);
            resolve({ success: false, error: 'stopped' });
          }),
        ),
    );
    const asked = ['1', '2', '3'].map((callId) => calls.result(aCall(callId)));
    calls.stop(aCall('2'), 'not any more');
    calls.stopAll('the end');
    await Promise.all(asked);
    expect(reasons).toEqual(['2: not any more', '1: the end', '3: the end']);
  });
});

describe('a result', () => {
  const bytesOf = (result: BrowserToolResult): number => Buffer.byteLength(JSON.stringify(result));

  it('that fits stays as it is, with the members of S0.2 only', () => {
    const result = { success: true, output: { rows: [1, 2] }, screenshot: { data: 'AAAA', mediaType: 'image/png' } };
    expect(truncateResult({ ...result, more: 1 } as BrowserToolResult)).toEqual(result);
  });

  it.each([
    ['text', 'x'.repeat(50_000_000)],
    ['text that JSON writes longer', '\u0001'.repeat(1_000_000)],
    ['data', { rows: Array.from({ length: 200_000 }, (_, row) => `row ${row} of many`) }],
    ['astral characters', '😀'.repeat(1_000_000)],
  ])('of too much %s is cut with a note', (_what, output) => {
    const cut = truncateResult({ success: true, output });
    expect(bytesOf(cut)).toBeLessThanOrEqual(MAX_BYTES);
    expect(cut.output).toMatch(/\n\[cut: \d+ of \d+ characters\]$/);
    expect(String(cut.output).length).toBeGreaterThan(200_000);
    expect(cut.output).toBe(Buffer.from(String(cut.output)).toString());
  });

  it('with a picture that is too big keeps its text', () => {
    const cut = truncateResult({
      success: true,
      output: 'the page',
      screenshot: { data: 'A'.repeat(3_000_000), mediaType: 'image/png' },
    });
    expect(cut).toEqual({
      success: true,
      output: 'the page\n[the picture of 3000000 characters is too big and left out]',
    });
  });

  it('with an error that is too long keeps its beginning', () => {
    const cut = truncateResult({ success: false, error: 'e'.repeat(3_000_000) });
    expect(bytesOf(cut)).toBeLessThanOrEqual(MAX_BYTES);
    expect(cut.error).toMatch(/^e+\n\[cut: /);
  });

  it('that JSON can not hold is sent as text', () => {
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(truncateResult({ success: true, output: round })).toEqual({ success: true, output: '[object Object]' });
    expect(truncateResult({ success: true, output: 10n })).toEqual({ success: true, output: '10' });
  });
});
