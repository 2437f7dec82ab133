/** Batches by REST, where no worker runs: how rows are read, what is refused, and what is shown. */
import { createBatches } from '../../service/batches/batches';
import { connectTemporal } from '../../service/connection/connect-temporal';
import type { Batch, BatchRow } from '../../contracts/batches/batch';
import { bodyOf as bodyAlone, post, startTestApi, type TestApi } from './fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
}, 60_000);
afterAll(() => api.stop());

const bodyOf = async (response: Response | Promise<Response>) => {
  const answer = await response;
  return { status: answer.status, ...(await bodyAlone(answer)) };
};

const REQUEST = { steps: ['open http://127.0.0.1/', { instruction: 'click "Pay"', once: { key: 'pay-${invoice}' } }] };
const start = (body: object, headers = {}) =>
  api.app.request('/v1/batches', post({ request: REQUEST, paused: true, ...body }, headers));
const started = async (body: object) => (await bodyOf(start(body))).data as Batch;
const rowsOf = async (id: string) => (await bodyOf(api.app.request(`/v1/batches/${id}/rows`))).data as BatchRow[];
const shown = async (id: string) =>
  (await rowsOf(id)).map(({ state, variables, reason }) => [state, variables, reason]);

test('a CSV with semicolons, quotes and a byte order mark is read, and a bad line is a bad row', async () => {
  const csv = '\ufeffinvoice; note\r\n4711;"two; ""parts"""\r\n\r\n4712\r\n;none\r\n4713;\r\n';
  const batch = await started({ id: 'semicolons', rows: { csv } });
  expect(batch).toMatchObject({ tenant: 'default', state: 'paused', total: 4, rows: { waiting: 2, invalid: 2 } });
  expect(await shown('semicolons')).toEqual([
    ['waiting', { invoice: '4711', note: 'two; "parts"' }, undefined],
    ['invalid', { invoice: '4712', note: '' }, 'Line 4 has 1 value, and the first line names 2.'],
    ['invalid', { invoice: '', note: 'none' }, 'The variable invoice has no value.'],
    ['waiting', { invoice: '4713', note: '' }, undefined],
  ]);
});

test('JSON lines may have numbers; a line that is no object, or has one in it, is a bad row', async () => {
  const jsonl = '{"invoice":4711,"paid":true}\n\n[1]\n{"invoice":{"a":1}}\nnonsense\n{"paid":null}\n';
  await started({ id: 'lines', rows: { jsonl } });
  expect(await shown('lines')).toEqual([
    ['waiting', { invoice: '4711', paid: 'true' }, undefined],
    ['invalid', {}, 'Expected an object such as {"invoice": "4711"}, got [1].'],
    ['invalid', {}, 'invoice is an object, and a variable is a text, a number, true or false.'],
    ['invalid', {}, 'Line 5 is no JSON object: nonsense'],
    ['invalid', {}, 'The variable invoice has no value.'],
  ]);
  const answer = await api.app.request('/v1/batches/lines/results?format=jsonl');
  const lines = (await answer.text()).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as BatchRow).row)).toEqual([2, 3, 4, 5]);
});

/** The file of a sheet, in base64, behind one that is hidden; the formula of a cell begins with `=`. */
async function xlsx(
  rows: (string | number | boolean | Date | null)[][],
  formats: Record<string, string> = {},
): Promise<string> {
  const cells = Object.entries(formats).map(([at, text]) => {
    const [row = 0, column = 0] = at.split(',').map(Number);
    const value = rows[row]![column]!;
    return [at, text.startsWith('=') ? { value, formula: text.slice(1) } : { value, style: { numFmt: text } }] as const;
  });
  const { writeXlsx } = await import('hucre/xlsx');
  const hidden = { name: 'Notes', rows: [['nothing']], hidden: true };
  const bytes = await writeXlsx({
    sheets: [hidden, { name: 'May', rows, cells: new Map(cells) }, { name: 'June', rows: [['invoice'], ['1']] }],
  });
  return Buffer.from(bytes).toString('base64');
}

test('numbers and dates of a sheet are texts as it shows them; a bad row says why', async () => {
  const due = new Date(Date.UTC(2026, 10, 28));
  const rows = [
    ['invoice', 'amount', 'due', 'paid', null],
    [4711, 1234.5, due, true, null],
    [null, null, null, null, null],
    [1234567890123, 0.1 + 0.2, due, 'no', null],
    [5, 1, due, null, 'EUR'],
    [null, 7, due, null, null],
    [6, null, due, 'no', null],
  ];
  const formats = {
    '1,0': '00000',
    '1,1': '#,##0.00',
    '1,2': 'dd.mm.yyyy',
    '3,2': 'mm-dd-yy',
    '4,2': 'yyyy',
    '5,2': 'yyyy',
    '6,1': '=A2*2',
    '6,2': 'yyyy',
  };
  await started({
    id: 'sheet',
    rows: {
      xlsx: await xlsx(
        rows.map((row) => row.slice(0, 4)),
        formats,
      ),
    },
  });
  expect(await shown('sheet')).toEqual([
    ['waiting', { invoice: '04711', amount: '1,234.50', due: '28.11.2026', paid: 'TRUE' }, undefined],
    ['waiting', { invoice: '1234567890123', amount: '0.3', due: '2026-11-28', paid: 'no' }, undefined],
    ['waiting', { invoice: '5', amount: '1', due: '2026', paid: '' }, undefined],
    ['invalid', { invoice: '', amount: '7', due: '2026', paid: '' }, 'The variable invoice has no value.'],
    [
      'invalid',
      { invoice: '6', amount: '', due: '2026', paid: 'no' },
      expect.stringContaining('Row 7: amount is a formula'),
    ],
  ]);
  expect(await started({ id: 'june', rows: { xlsx: await xlsx(rows.slice(0, 1)), sheet: 'June' } })).toMatchObject({
    total: 1,
  });
  const refused = async (body: object) => (await bodyOf(start({ id: 'none', rows: body }))).error.message as string;
  expect(await refused({ xlsx: await xlsx(rows) })).toContain(
    'rows: the sheet can not be read: column E has values and no name',
  );
  expect(await refused({ xlsx: await xlsx(rows), sheet: 'Mai' })).toContain(
    'there is no sheet "Mai"; the file has May, June',
  );
  const noFormat = { '1,0': '[[["' };
  expect(await refused({ xlsx: await xlsx([['invoice'], [1]], noFormat) })).toContain(
    'a format of numbers that is none',
  );
  expect(await refused({ xlsx: Buffer.from('invoice\n1\n').toString('base64') })).toContain('it is no .xlsx file');
  expect(await refused({ xlsx: Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('base64') })).toContain(
    'an old .xls file',
  );
});

test('the results of rows that have ended come as CSV', async () => {
  await started({ id: 'table', rows: [{ invoice: '1' }, { other: '2' }] });
  const answer = await api.app.request('/v1/batches/table/results');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await answer.text()).toBe(
    'row,state,sessionId,invoice,other,reason,result\n2,invalid,,,2,The variable invoice has no value.,\n',
  );
  const behind = async (position: number) =>
    (await bodyOf(api.app.request(`/v1/batches/table/rows?endedAfter=${position}`))).data as BatchRow[];
  const [second, ...none] = await behind(0);
  expect([second!.row, none, await behind(second!.position!)]).toEqual([2, [], []]);
});

test('the rows of an uploaded file are read', async () => {
  const form = new FormData();
  form.set('file', new File(['invoice\n1\n2\n'], 'invoices.csv'));
  const { fileId } = (await bodyOf(api.app.request('/v1/files', { method: 'POST', body: form }))).data as {
    fileId: string;
  };
  expect(await started({ rows: { file: fileId } })).toMatchObject({ id: expect.any(String), total: 2 });
  expect((await start({ rows: { file: 'file_none' } })).status).toBe(404);
});

test('a row that leaves a variable empty which the request has gets that one', async () => {
  const request = { steps: ['type "${note}" into "Note"'], variables: { note: 'none' } };
  expect(await started({ id: 'defaults', rows: { csv: 'invoice,note\n1,\n' }, request })).toMatchObject({
    rows: { waiting: 1 },
  });
});

test.each([
  [{ rows: [] }, 'rows: a batch needs at least one row'],
  [{ rows: { csv: 'invoice\n' } }, 'rows: there are none'],
  [{ rows: { csv: 'Invoice No\n1\n' } }, 'rows: "Invoice No" is no name of a variable'],
  [{ rows: { csv: 'invoice,invoice\n1,2\n' } }, 'rows: two columns have the name invoice'],
  [{ rows: { csv: 'invoice\n"1\n2\n' } }, 'rows: the CSV can not be read: Quote Not Closed'],
  [{ rows: { csv: 'invoice,a\n1\n' } }, 'rows: none of them can be started. The first one: Line 2 has 1 value'],
  [{ rows: { xml: '<a/>' } }, 'rows.xml: unknown field xml'],
  [{ rows: 'invoice' }, 'rows: expected a list of objects, {"csv"'],
  [{ rows: [{ invoice: 1 }], concurrency: 0 }, 'concurrency'],
  [
    { rows: [{ invoice: 1 }], originConcurrency: 1, request: { steps: ['click "Pay"'] } },
    'originConcurrency: no step has an address such as https://shop.example, so no origin is known',
  ],
  [{ rows: [{ invoice: 1 }], report: { mail: ['ops'] } }, 'report.mail[0]: expected a mail address'],
  [{ rows: [{ invoice: 1 }], request: { steps: [] } }, 'request.steps: a session needs at least one step'],
  [
    { rows: [{ invoice: 1 }], request: { steps: ['open x'], config: { once: { key: 'all' } } } },
    'request.config.once.key: it names no column (invoice), so all rows would be one; write ${invoice} into it',
  ],
  [
    {
      rows: [{ invoice: 1 }],
      request: { ...REQUEST, secrets: { a: { value: 'hunter2', origins: ['https://a.example'] } } },
    },
    'request.secrets.a.value: a batch is kept until its rows are done, so give env',
  ],
])('a mistake in %j is found when the batch is started', async (body, message) => {
  const { status, error } = await bodyOf(start({ id: 'wrong', ...body }));
  expect([status, error.message]).toEqual([400, expect.stringContaining(message)]);
  expect((await api.app.request('/v1/batches/wrong')).status).toBe(404);
});

test('the same request under an id or a key is the same batch, and another request is refused', async () => {
  const body = { rows: [{ invoice: '1' }] };
  const [one, two] = await Promise.all([started({ id: 'same', ...body }), started({ id: 'same', ...body })]);
  expect(two).toEqual(one);
  expect((await start({ id: 'same', rows: [{ invoice: '2' }] })).status).toBe(409);
  const headers = { 'idempotency-key': 'batch-1' };
  const keyed = async (more: object) => await bodyOf(start({ ...body, ...more }, headers));
  expect((await keyed({})).data.id).toBe((await keyed({})).data.id);
  expect((await keyed({ concurrency: 3 })).status).toBe(422);
});

test('batches are listed and changed by tenant, and a batch that is being cancelled takes no pause', async () => {
  const request = { ...REQUEST, tenant: 'acme' };
  await started({ id: 'acme-1', rows: [{ invoice: '1' }], request });
  const listed = async (tenant: string) =>
    ((await bodyOf(api.app.request(`/v1/batches?tenant=${tenant}`))).data as Batch[]).map(({ id }) => id);
  expect([await listed('acme'), await listed('other')]).toEqual([['acme-1'], []]);
  const act = (path: string) => api.app.request(`/v1/batches/acme-1/${path}`, { method: 'POST' });
  expect((await act('cancel?tenant=other')).status).toBe(404);
  expect((await bodyOf(act('resume?tenant=acme'))).data).toMatchObject({ state: 'running' });
  expect((await bodyOf(act('cancel'))).data).toMatchObject({ state: 'cancelling', rows: { cancelled: 1 } });
  const { status, error } = await bodyOf(act('pause'));
  expect([status, error.message]).toEqual([409, expect.stringContaining("can't be paused: it is being cancelled")]);
});

test('a batch of 100,000 rows is entered whole, and read in pages', async () => {
  const temporal = connectTemporal({ address: api.stack.temporalAddress, namespace: 'default' });
  const csv = `invoice\n${Array.from({ length: 100_000 }, (_, index) => index + 1).join('\n')}\n`;
  const batches = createBatches({ store: api.store, temporal });
  const batch = await batches.start({ id: 'large', rows: { csv }, request: REQUEST, concurrency: 10, paused: true });
  expect(batch).toMatchObject({ total: 100_000, rows: { waiting: 100_000 } });
  const [last] = await batches.rows({ id: 'large' }, { after: 99_999 });
  expect(last).toMatchObject({ row: 100_000, variables: { invoice: '100000' } });
  await expect(batches.start({ rows: { csv: `${csv}1\n` }, request: REQUEST, concurrency: 1 })).rejects.toThrow(
    'rows: there are 100001, and a batch takes at most 100000; split them',
  );
  await temporal.connection.close();
}, 60_000);
