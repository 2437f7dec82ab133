import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCassette } from '../../../../activities/engine/models/cassettes/cassette';
import { keyHashOf } from '../../../../activities/engine/models/providers/account';
import type { Generation, GenerationRequest, LanguageModel } from '../../../../contracts/model-port/language-model';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-cassette-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const FIRST = {
  mark: 'aaaaaaaaaaaa',
  id: '11111111-1111-4111-8111-111111111111',
  port: 4567,
  time: '2026-11-21T10:00:00.000Z',
};
const SECOND = {
  mark: 'bbbbbbbbbbbb',
  id: '22222222-2222-4222-8222-222222222222',
  port: 51_234,
  time: '2027-01-02T03:04:05Z',
};
type Run = typeof FIRST;

const pageOf = ({ mark, id, port, time }: Run): string =>
  `# Step 1\nBuy a bean\n<page ${mark}>\naddress: http://127.0.0.1:${port}/?run=${id}\nit is ${time}\n- button "Buy" [ref=e7]\n</page ${mark}>`;
const asks = (run: Run, change: Partial<GenerationRequest> = {}) =>
  aRequest({ messages: [{ role: 'user', parts: [{ kind: 'text', text: pageOf(run) }] }], ...change });

/** A vendor that answers with what it was asked about, in pieces; it counts how often. */
function aVendor(textOf: (run: Run) => string = ({ port, id }) => `{"url":"http://127.0.0.1:${port}/${id}"}`) {
  const asked: GenerationRequest[] = [];
  const language = (run: Run): LanguageModel => ({
    name: 'vertexai/gemini-2.5-flash',
    keyHash: 'k',
    generate: (request): Promise<Generation> => {
      asked.push(request);
      const text = textOf(run);
      for (const piece of [text.slice(0, 5), text.slice(5, 12), text.slice(12)]) request.onDelta(piece);
      const usage = { inputTokens: 1200, outputTokens: 80, cachedTokens: 3 };
      return Promise.resolve({
        text,
        thoughts: '',
        functionCalls: [],
        stopReason: 'end_turn',
        usage,
        model: 'gemini-2.5-flash',
      });
    },
  });
  return { asked, language };
}

const env = (mode: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  SUREFOOT_MODEL_CASSETTE: mode,
  SUREFOOT_MODEL_CASSETTE_FOLDER: folder,
  ...more,
});
const recorded = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

test('a second run of a session is answered from the recording, with its own ids, in the same pieces', async () => {
  const { asked, language } = aVendor();
  await withCassette(language(FIRST), env('record')).generate(asks(FIRST));
  const replaying = withCassette(language(SECOND), env('replay'));
  const request = asks(SECOND);
  expect(await replaying.generate(request)).toEqual({
    text: `{"url":"http://127.0.0.1:${SECOND.port}/${SECOND.id}"}`,
    thoughts: '',
    functionCalls: [],
    stopReason: 'end_turn',
    usage: { inputTokens: 1200, outputTokens: 80, cachedTokens: 3 },
    model: 'gemini-2.5-flash',
  });
  expect(request.deltas.map((piece) => piece.length)).toEqual([5, 7, expect.any(Number)]);
  expect(request.deltas.join('')).toBe(`{"url":"http://127.0.0.1:${SECOND.port}/${SECOND.id}"}`);
  expect(asked).toHaveLength(1);
  // Nobody is asked, so there is nobody whose limits would be kept.
  expect(replaying.keyHash).toBeUndefined();
});

test('while recording, the answer is the vendor’s, and failures are not recorded', async () => {
  const { language } = aVendor();
  const recording = withCassette(language(FIRST), env('record'));
  const request = asks(FIRST);
  expect((await recording.generate(request)).text).toContain(FIRST.id);
  expect(request.deltas).toHaveLength(3);
  expect(recording.keyHash).toBe('k');
  const failing = { ...language(FIRST), generate: () => Promise.reject(new Error('out')) };
  await expect(withCassette(failing, env('record')).generate(asks(SECOND, { system: 'other' }))).rejects.toThrow('out');
  expect(recorded()).toHaveLength(1);
});

test('a recording contains no secret of the process and no value of its run', async () => {
  const { language } = aVendor(() => '{"text":"say hunter2hunter2"}');
  const request = asks(FIRST, { system: 'The key is hunter2hunter2 or aHVudGVyMmh1bnRlcjI=.' });
  await withCassette(language(FIRST), env('record', { ACME_API_KEY: 'hunter2hunter2' })).generate(request);
  const [file] = recorded();
  for (const value of ['hunter2', 'aHVudGVyMmh1bnRlcjI', FIRST.mark, FIRST.id, String(FIRST.port), FIRST.time])
    expect(file).not.toContain(value);
  expect(file).toContain('[secret]');
  // It is found all the same, also where that secret is not known.
  const again = asks(SECOND, { system: request.system });
  expect((await withCassette(language(SECOND), env('replay')).generate(again)).text).toBe('{"text":"say [secret]"}');
});

test('images are not compared', async () => {
  const { language } = aVendor();
  const withPicture = (base64: string) =>
    aRequest({
      messages: [
        {
          role: 'user',
          parts: [
            { kind: 'text', text: pageOf(FIRST) },
            { kind: 'image', mediaType: 'image/png', base64 },
          ],
        },
      ],
    });
  await withCassette(language(FIRST), env('record')).generate(withPicture('AAAA'));
  expect(recorded()[0]).not.toContain('AAAA');
  expect((await withCassette(language(FIRST), env('replay')).generate(withPicture('BBBB'))).text).toContain('url');
});

test('a request without a recording fails with the difference to the nearest one', async () => {
  const { language } = aVendor();
  const replaying = withCassette(language(SECOND), env('replay'));
  const nothing = await providerErrorOf(replaying.generate(asks(SECOND)));
  expect(nothing).toMatchObject({ kind: 'no-recording', code: 'AI001', more: { isFinal: true } });
  expect(nothing.message).toMatch(/There are no recordings\.$/);

  const recording = withCassette(language(FIRST), env('record'));
  await recording.generate(asks(FIRST, { system: 'Something else.' }));
  await recording.generate(asks(FIRST));
  const other = asks(SECOND);
  const [message] = other.messages;
  if (message?.role === 'user' && message.parts[0]?.kind === 'text')
    message.parts[0].text = message.parts[0].text.replace('Buy a bean', 'Buy two beans');
  const missed = await providerErrorOf(replaying.generate(other));
  expect(missed.message).toMatch(
    /The nearest, \w+\.json, differs in 2 lines \(- recorded, \+ requested\):\n- Buy a bean\n\+ Buy two beans$/,
  );
});

test('a recording that can not be read is named, and a mode that is none is refused', async () => {
  const { language } = aVendor();
  await withCassette(language(FIRST), env('record')).generate(asks(FIRST));
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"model":');
  await expect(withCassette(language(FIRST), env('replay')).generate(asks(FIRST))).rejects.toThrow(/can't be read/);
  expect(() => withCassette(language(FIRST), env('rewind'))).toThrow(
    /SUREFOOT_MODEL_CASSETTE is not usable: expected record or replay, got rewind/,
  );
  expect(withCassette(language(FIRST), env(''))).toMatchObject({ name: 'vertexai/gemini-2.5-flash', keyHash: 'k' });
});

test('the hash of an account distinguishes accounts and reveals no key', () => {
  const vertex = { VERTEX_PROJECT: 'acme', VERTEX_ACCESS_TOKEN: 'one' };
  expect(keyHashOf('vertexai', vertex)).toBe(keyHashOf('genai', { ...vertex, VERTEX_ACCESS_TOKEN: 'two' }));
  const gemini = { GEMINI_API_KEY: 'AIza-secret' };
  expect(keyHashOf('genai', gemini)).not.toContain('AIza');
  const hashes = [
    keyHashOf('vertexai', vertex),
    keyHashOf('vertexai', { ...vertex, VERTEX_PROJECT: 'other' }),
    keyHashOf('genai', gemini),
    keyHashOf('genai', { GEMINI_API_KEY: 'another' }),
    keyHashOf('ai:openai', { OPENAI_API_KEY: 'k' }),
    keyHashOf('ai:anthropic', { ANTHROPIC_API_KEY: 'k' }),
    keyHashOf('ai:openai-compatible', { OPENAI_COMPATIBLE_BASE_URL: 'http://a/v1' }),
    keyHashOf('ai:openai-compatible', { OPENAI_COMPATIBLE_BASE_URL: 'http://b/v1' }),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
