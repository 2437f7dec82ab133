import { createHash } from 'node:crypto';
import type { BatchRequest } from '../../contracts/batches/batch';
import { firstOrigin } from '../../contracts/batches/row-origin';
import { isGiven, rowRequest } from '../../contracts/batches/row-request';
import type { ParsedRow } from '../../contracts/batches/rows-input';
import type { Issue } from '../../contracts/errors/issues';
import { canonicalJson } from '../../contracts/json';
import { namesIn } from '../../contracts/sessions/once';
import { keptValueIssues } from '../../contracts/sessions/secrets';
import { keysOf, planRequest, type StartRequest } from '../../contracts/sessions/start-request';
import { tenantOf } from '../../contracts/sessions/workflow-facts';
import type { NewBatch } from '../../store/batches/batches';
import type { Store } from '../../store/store';
import { mailIssues } from '../../runtime/settings/floors/floor-issues';
import { invalid, refuseBelowFloor } from '../connection/invalid';
import { assertPairedBrowser } from '../sessions/paired-browser';
import { requireValidStart, type StartRules } from '../sessions/valid-start';
import { NOT_STARTED, parseRows, wrongRows } from './parse-rows';

/**
 * Parses a batch. What it starts is validated as a start is, with the variables of the first row that has all of them; each
 * row is planned when it is started.
 */
export async function parseBatch(
  { store, ...rules }: StartRules & { store: Pick<Store, 'uploads' | 'relay'> },
  batchId: string,
  { rows: input, request, concurrency, originConcurrency, paused = false, report: given }: BatchRequest,
): Promise<NewBatch> {
  const listed = await parseRows(store, input);
  const { columns } = listed;
  const used = namesIn(JSON.stringify(request)).filter((name) => columns.includes(name) && !isGiven(request, name));
  const rows = listed.rows.map((row) => withoutGaps(row, new Set(used)));
  const first = rows.find(({ problem }) => problem === undefined);
  if (first === undefined) throw wrongRows(`none of them can be started. The first one: ${rows[0]!.problem}`);
  const opened = rowRequest(request, first.variables);
  if (originConcurrency !== undefined && firstOrigin(opened) === undefined) throw withoutOrigin();
  const { plan } = await requireValidStart(rules, planRequest(opened), {
    what: NOT_STARTED,
    at: 'request',
    also: () => [
      ...keptValueIssues(request, 'a batch is kept until its rows are done'),
      ...sharedKeys(request, columns),
    ],
  });
  const report = given && { mail: [...new Set(given.mail)] };
  if (report !== undefined && rules.floors !== undefined)
    refuseBelowFloor(NOT_STARTED, mailIssues(report.mail, rules.floors.mail, 'report.mail'));
  const tenant = tenantOf(request);
  await assertPairedBrowser(store, plan.config.agent, tenant);
  const requestHash = createHash('sha256')
    .update(canonicalJson({ rows, request, concurrency, originConcurrency, report }))
    .digest('hex');
  const placed = rows.map((row) => ({ ...row, origin: firstOrigin(rowRequest(request, row.variables)) }));
  const limits = { concurrency, originConcurrency };
  return { batchId, tenant, request, requestHash, columns, rows: placed, ...limits, isPaused: paused, report };
}

function withoutOrigin() {
  return invalid(NOT_STARTED, [
    {
      path: 'originConcurrency',
      message: 'no step has an address such as https://shop.example, so no origin is known',
    },
  ]);
}

/** A variable that the request uses has a value in each row. */
function withoutGaps(row: ParsedRow, used: ReadonlySet<string>): ParsedRow {
  if (row.problem !== undefined) return row;
  const missing = [...used].filter((name) => (row.variables[name] ?? '').trim() === '');
  if (missing.length === 0) return row;
  const what = missing.length === 1 ? `The variable ${missing[0]} has` : `The variables ${missing.join(', ')} have`;
  return { ...row, problem: `${what} no value.` };
}

/** With a key that is the same in all rows, the first row would be the only one that does anything. */
function sharedKeys(request: StartRequest, columns: readonly string[]): Issue[] {
  return keysOf(request).flatMap(({ path, once }) =>
    once === undefined || namesIn(once.key).some((name) => columns.includes(name))
      ? []
      : [
          {
            path,
            message: `it names no column (${columns.join(', ')}), so all rows would be one; write \${${columns[0]}} into it`,
          },
        ],
  );
}
