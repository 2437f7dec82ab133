/** Schemas of tools that somebody else has written: arguments are compared with them without stopping the process. */
import { argumentIssues } from '../../../runtime/schemas/arguments';
import { aPlanContext, refusalOf } from '../../support/planning';

const parameters = {
  type: 'object',
  properties: { code: { type: 'string', pattern: '^(a+)+$' } },
  required: ['code'],
};
/** A backtracking engine compares it for ever. */
const SLOW = { code: `${'a'.repeat(50)}!` };

test("arguments of a model for a caller's tool are refused at once, however its pattern backtracks", async () => {
  const agent = { clientQueue: 'own', clientTools: [{ name: 'send_code', description: 'Sends a code', parameters }] };
  const refusal = await refusalOf(aPlanContext({ agent }), 'send_code', SLOW);
  expect(refusal).toContain('code: must match pattern "^(a+)+$"');
});

test("a person's arguments in an answer to a question are compared with the schema of its tool likewise", async () => {
  expect(await argumentIssues(parameters, SLOW)).toEqual([{ path: 'code', message: 'must match pattern "^(a+)+$"' }]);
  expect(await argumentIssues(parameters, { code: 'aaa' })).toEqual([]);
});
