/** Schemas of zod in requests of the client, and what they make of a result. */
import { z } from 'zod';
import { parseResult, toStartRequest } from '../../../client/http/typed-results';
import { parseStart } from '../../../contracts/sessions/start-request';
import { resultSchemaProblems } from '../../../runtime/schemas/checks';

const Order = z.object({ number: z.string(), total: z.number(), page: z.url().optional() });

test('schemas of zod become JSON Schema that the API takes, of a session and of its steps', async () => {
  const plain = { type: 'array', items: { type: 'string' } };
  const request = toStartRequest({
    steps: [
      'Open https://shop.test',
      { task: 'List the orders', result: { schema: z.array(Order), pages: 2 } },
      { extract: 'all labels', result: { schema: plain } },
    ],
    result: { schema: Order },
    priority: 2,
  });
  expect(parseStart(request)).toMatchObject({ kind: 'valid' });
  expect(request).toMatchObject({
    priority: 2,
    result: {
      schema: {
        type: 'object',
        properties: { number: { type: 'string' }, total: { type: 'number' }, page: { type: 'string', format: 'uri' } },
        required: ['number', 'total'],
      },
    },
    steps: [
      'Open https://shop.test',
      { result: { schema: { type: 'array' }, pages: 2 } },
      { result: { schema: plain } },
    ],
  });
  expect(await resultSchemaProblems(request.result!.schema)).toEqual([]);
});

test('a value of a page is parsed as its schema says, and one that does not fit is an error with its path', async () => {
  const Prices = z.array(z.object({ price: z.number().transform((euros) => `${euros} €`) }));
  expect(await parseResult(Prices, [{ price: 2 }])).toEqual([{ price: '2 €' }]);
  const Odd = z.object({ items: z.array(z.number().refine((number) => number % 2 === 1, 'expected an odd number')) });
  await expect(parseResult(Odd, { items: [1, 2] })).rejects.toThrow(
    'The result does not fit its schema: items.1: expected an odd number',
  );
  expect(await parseResult({ type: 'object' }, { a: 1 })).toEqual({ a: 1 });
});

test('a schema of a library that has no JSON Schema for it is refused with what to use', () => {
  const schema = { '~standard': { validate: (value: unknown) => ({ value }) } };
  expect(() => toStartRequest({ steps: ['Wait 1 second'], result: { schema: schema as never } })).toThrow(/zod 4\.2/);
});
