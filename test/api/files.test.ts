import { MAX_FILE_BYTES, SessionFileSchema, UploadedFileSchema } from '../../contracts/files/file';
import { aSession, bodyOf, startTestApi, type TestApi } from './fixture';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

async function aDownload(content: string, facts: { fileName?: string; address?: string } = {}) {
  const sessionId = await aSession(api.store, { steps: ['look'] });
  const artifactId = 'c1.download';
  const place = { stepIndex: 0, commandId: 'c1' };
  await api.store.artifacts.save({ sessionId, artifactId, kind: 'download', content, ...place, facts });
  return { sessionId, path: `/v1/sessions/${sessionId}/files/${artifactId}` };
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  api.app.request(path, { method, headers });

test('the files of a session are listed with name, size, hash and source', async () => {
  const { sessionId } = await aDownload('a;b\n1;2', { fileName: 'Prices €.csv', address: 'http://shop.test/prices' });
  await api.store.artifacts.save({ sessionId, artifactId: 'step-0-trace', kind: 'trace', content: 'PK', stepIndex: 0 });
  await api.store.artifacts.save({ sessionId, artifactId: 'dom-1', kind: 'dom', content: '<p>' });
  const { data } = await bodyOf(await ask(`/v1/sessions/${sessionId}/files`));
  const files = SessionFileSchema.array().parse(data);
  expect(files).toMatchObject([
    { fileId: 'c1.download', name: 'Prices €.csv', bytes: 7, source: 'download', address: 'http://shop.test/prices' },
    { fileId: 'step-0-trace', name: 'step-0-trace.zip', bytes: 2, source: 'trace', stepIndex: 0 },
  ]);
  expect(files[0]).toMatchObject({ stepIndex: 0, commandId: 'c1', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('a file is answered whole, by a range, or not at all where the caller has it', async () => {
  const { path } = await aDownload('0123456789', { fileName: 'Prices €.csv' });
  const whole = await ask(path);
  const tag = whole.headers.get('etag')!;
  expect(whole.status).toBe(200);
  expect(await whole.text()).toBe('0123456789');
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''Prices%20%E2%82%AC\.csv$/);
  expect(whole.headers.get('content-type')).toBe('application/octet-stream');

  for (const [range, expected, place] of [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=5-500', '56789', 'bytes 5-9/10'],
  ] as const) {
    const part = await ask(path, { range });
    expect([part.status, await part.text()]).toEqual([206, expected]);
    expect(part.headers.get('content-range')).toBe(place);
    expect(part.headers.get('content-length')).toBe(String(expected.length));
  }
  for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=x']) expect((await ask(path, { range })).status).toBe(200);
  expect(await (await ask(path, { range: 'bytes=0-3', 'if-range': '"older"' })).text()).toBe('0123456789');
  expect(await (await ask(path, { range: 'bytes=0-3', 'if-range': tag })).text()).toBe('0123');

  const beyond = await ask(path, { range: 'bytes=10-' });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  expect((await bodyOf(beyond)).error.message).toBe('The file has 10 bytes; the range bytes=10- has none of them.');
  expect((await ask(path, { 'if-none-match': tag })).status).toBe(304);
  const head = await ask(path, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
});

test('an empty file has no bytes, and other artifacts and unknown ids are no files', async () => {
  const { sessionId, path } = await aDownload('', { fileName: 'empty.txt' });
  const empty = await ask(path);
  expect([empty.status, await empty.text()]).toEqual([200, '']);
  await api.store.artifacts.save({ sessionId, artifactId: 'dom-1', kind: 'dom', content: '<p>' });
  for (const id of ['dom-1', 'nothing']) {
    const missing = await ask(`/v1/sessions/${sessionId}/files/${id}`);
    expect(missing.status).toBe(404);
    expect((await bodyOf(missing)).error.message).toBe(`Session ${sessionId} has no file ${id}.`);
  }
});

function formOf(content: string | Uint8Array<ArrayBuffer>, name: string, type = 'text/plain') {
  const form = new FormData();
  form.set('file', new File([content], name, { type }));
  return form;
}

const send = (body: FormData | string, headers: Record<string, string> = {}) =>
  api.app.request('/v1/files', { method: 'POST', body, headers });

test('a file is uploaded, known by its id, and deleted', async () => {
  const answer = await send(formOf('%PDF', 'Invoice für Ada.pdf', 'application/pdf'));
  expect(answer.status).toBe(201);
  const file = UploadedFileSchema.parse((await bodyOf(answer)).data);
  expect(file).toMatchObject({ name: 'Invoice für Ada.pdf', mediaType: 'application/pdf', bytes: 4 });
  const location = answer.headers.get('location')!;
  expect(location).toBe(`/v1/files/${file.fileId}`);
  expect(UploadedFileSchema.parse((await bodyOf(await ask(location))).data)).toEqual(file);
  expect((await ask(location, {}, 'DELETE')).status).toBe(200);
  for (const method of ['GET', 'DELETE']) expect((await ask(location, {}, method)).status).toBe(404);
});

test('an upload that is repeated under its Idempotency-Key is the same file, and another file is refused', async () => {
  const headers = { 'idempotency-key': 'invoice-7' };
  const [first, again] = [await send(formOf('one', 'a.txt'), headers), await send(formOf('one', 'a.txt'), headers)];
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
  expect((await bodyOf(again)).data.fileId).toBe((await bodyOf(first)).data.fileId);
  const other = await send(formOf('two', 'a.txt'), headers);
  expect(other.status).toBe(422);
  expect((await bodyOf(other)).error.message).toMatch(/^This Idempotency-Key has made a file with another request/);
});

test('what is no file, has no plain name or is too large is refused with what was expected', async () => {
  const json = await send('{}', { 'content-type': 'application/json' });
  expect([json.status, (await bodyOf(json)).error.message]).toEqual([
    415,
    'Expected a form with one part “file” (Content-Type: multipart/form-data), got application/json. curl -F file=@invoice.pdf sends one.',
  ]);
  const text = new FormData();
  text.set('file', 'only text');
  expect((await send(text)).status).toBe(400);
  expect((await send(new FormData())).status).toBe(400);
  for (const name of ['../passwd', 'a/b', '..', 'a\\b', 'x'.repeat(201)]) {
    const refused = await send(formOf('x', name));
    expect([name, refused.status]).toEqual([name, 400]);
    expect((await bodyOf(refused)).error.message).toMatch(/expected a plain file name/);
  }
  const large = await send(formOf(new Uint8Array(MAX_FILE_BYTES + 1), 'large.bin'));
  expect(large.status).toBe(413);
  expect((await bodyOf(large)).error.message).toMatch(/100 MB/);
});
