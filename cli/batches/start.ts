import { readFile } from 'node:fs/promises';
import { BatchRequestSchema, type BatchRequest } from '../../contracts/batches/batch';
import type { RowsInput } from '../../contracts/batches/rows-input';
import { issuesOf } from '../../contracts/errors/issues';
import { isObject } from '../../contracts/json';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { oneLineOf } from '../context/failure';
import { sendOnce } from '../context/receipt';
import { JSON_OPTION, toPositiveCount } from '../input/options';
import { draftOf, withOptions, wrongInput, type RequestOptions } from '../input/request';
import { addRequestOptions } from '../input/request-options';
import { namedSecrets } from '../input/secret-options';
import { readStandardInput, type RequestDraft } from '../input/step-input';
import { asCalled } from '../terminal/as-called';
import { progressText, withBatches } from './with-batches';

interface Options extends Omit<RequestOptions, 'chat' | 'envFile' | 'notBefore' | 'replayOnly' | 'file'> {
  rows: string;
  sheet?: string;
  id?: string;
  concurrency?: number;
  originConcurrency?: number;
  paused?: true;
  json?: true;
}

export const startBatch: CliCommand = {
  name: 'start',
  summary: 'start a session for each row of a list',
  description:
    'The columns of a row are variables of its session. FILE holds what `surefoot run` takes; a row that can not be started is invalid, ' +
    'with the reason, and holds up no other. The workers read secrets from their own environment. The same batch under the same --id is ' +
    'started once.',
  examples: [
    ['surefoot batch start pay.json --rows invoices.csv', 'a session for each invoice'],
    ['surefoot batch start pay.json --rows invoices.xlsx --sheet May', 'the rows of a sheet'],
    ['surefoot batch start pay.json --rows invoices.jsonl --concurrency 3 --id may', 'three at once, under a name'],
  ],
  define: (command, end) =>
    addRequestOptions(command)
      .argument('<file>', 'the steps: a file as for `surefoot run`; - is standard input')
      .requiredOption(
        '--rows <file>',
        'a CSV, whose first line names the variables, JSON lines, or an .xlsx file; - is standard input',
      )
      .option('--sheet <name>', 'of an .xlsx file with several sheets; the first where it is left out')
      .option('--id <name>', 'its name, with which the names of its sessions begin')
      .option('--concurrency <n>', 'how many sessions are open at once (10 by default)', toPositiveCount)
      .option(
        '--origin-concurrency <n>',
        'how many rows of the tenant, of this batch and others, are open at once at one origin: that of their first address',
        toPositiveCount,
      )
      .option('--paused', 'start nothing before it is resumed')
      .option(...JSON_OPTION)
      .action(async (file: string, options: Options) => end(await start(file, options))),
};

async function start(file: string, options: Options): Promise<number> {
  const request = await parseBatch(file, options);
  return await withBatches(async (batches, terminal) => {
    const batch = await sendOnce((keyed) => batches.start(request, keyed));
    if (options.json === true) return terminal.printJson(batch, 2);
    const { id } = batch;
    terminal.print(`The batch ${id} is started, ${progressText(batch)}.`);
    if (batch.state === 'paused') terminal.print('It is paused.');
    terminal.print(
      `${asCalled(`batch show ${id}`)} says how far it is, ${asCalled(`batch results ${id}`)} what came of it.`,
    );
  });
}

async function parseBatch(file: string, options: Options): Promise<BatchRequest> {
  // The mail is of the batch: its sessions send only what the file says.
  const { id, concurrency, originConcurrency, paused, rows, mailOnFailure, ...ofRows } = options;
  if (file === '-' && rows === '-') throw new CliError('The steps and the rows can not both come on standard input.');
  const draft: RequestDraft = await draftOf([], { ...ofRows, file });
  const request = withOptions(draft, ofRows, namedSecrets([...(options.secret ?? []), ...(options.totp ?? [])]));
  const parsed = BatchRequestSchema.safeParse({
    ...(id === undefined ? {} : { id }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(originConcurrency === undefined ? {} : { originConcurrency }),
    ...(paused === undefined ? {} : { paused }),
    ...(mailOnFailure === undefined ? {} : { report: { mail: mailOnFailure } }),
    rows: await readRows(rows, options.sheet),
    request,
  });
  if (parsed.success) return parsed.data;
  throw wrongInput('The batch was not started', issuesOf(parsed.error));
}

/** What is no text is read as a sheet, which says what it expects. */
const SHEET = /\.(xlsx|xlsm|xls|ods|numbers)$/i;

async function readRows(file: string, sheet: string | undefined): Promise<Exclude<RowsInput, unknown[]>> {
  if (SHEET.test(file))
    return { xlsx: (await readBytes(file)).toString('base64'), ...(sheet === undefined ? {} : { sheet }) };
  if (sheet !== undefined) throw new CliError('--sheet is for an .xlsx file.');
  const text = file === '-' ? await readStandardInput() : (await readBytes(file)).toString();
  const isJson = file === '-' ? isObject(firstLineOf(text)) : /\.(jsonl|ndjson|json)$/i.test(file);
  return isJson ? { jsonl: text } : { csv: text };
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CliError(isMissing ? `There is no file ${file}.` : `${file} can't be read: ${oneLineOf(error)}.`);
  }
}

function firstLineOf(text: string): unknown {
  try {
    return JSON.parse(text.trimStart().split('\n', 1)[0]!);
  } catch {
    return undefined;
  }
}
