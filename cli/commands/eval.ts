import { dirname } from 'node:path';
import { createApiClient } from '../../client/http/api-client';
import { readStackFile } from '../../runtime/settings/stack-file';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import type { CliCommand } from '../context/define-command';
import type { EvalCase, EvalFile } from '../eval/eval-file';
import type { EvalRun } from '../eval/eval-result';
import type { Placeholders } from '../eval/placeholders';
import { readEvalFile } from '../eval/read-eval-file';
import { missingNames, runAll, type EvalPlan } from '../eval/run-all';
import { summarize } from '../eval/summary';
import { CliError, EXIT, type ExitCode } from '../context/exit';
import { JSON_OPTION, collectPair, collectText, toPositiveCount, toSeconds } from '../input/options';
import { failureLines, reportLink, runLine, sessionLink, summaryLines } from '../render/eval-text';
import { dataFolder } from '../stack/data-folder';
import { isUpHere } from '../stack/is-up-here';
import { withLocalStack } from '../stack/local-stack';
import { asCalled } from '../terminal/as-called';
import { listenForInterrupt } from '../terminal/interrupt';
import { createTerminal } from '../terminal/terminal';

interface EvalOptions {
  api?: string;
  model?: string[];
  modelTimeout?: number;
  case?: string[];
  repeats?: number;
  parallel: number;
  variable: readonly [name: string, value: string][];
  json?: true;
}

interface Where {
  api: string;
  shop: string | undefined;
  /** The stack stops after the runs, and its addresses with it. */
  isPassing: boolean;
}

/** `eval` is no name for a constant in strict code. */
export const evaluate: CliCommand = {
  name: 'eval',
  summary: 'run the cases of a file with one or several models, and compare',
  description:
    'Runs each case of a YAML file as a session, checks it, and prints for each model the rate of success, calls, ' +
    'tokens, cost, time and what went wrong. It starts a local stack where neither --api nor this folder has one. ' +
    'Exit code 1: a model is below `minimumRate`.',
  examples: [
    ['surefoot eval examples/eval/cases.yaml', 'the 30 cases that are shipped, with `rules`'],
    [
      'surefoot eval jobs.yaml --model vertexai/gemini-2.5-flash --model ai:openai/gpt-5-mini',
      'two models side by side',
    ],
    ['surefoot eval jobs.yaml --case checkout --repeats 10', 'ten runs of the cases whose name has this word'],
    ['surefoot eval jobs.yaml --json > result.json', 'for a program; the runs are reported on standard error'],
  ],
  define: (command, end) =>
    command
      .argument('<file>', 'the cases, in YAML')
      .option('--model <model>', 'a model, in place of those of the file; may be repeated', collectText)
      .option('--model-timeout <seconds>', 'how long a call of a model may take (30 by default)', toSeconds)
      .option('--case <words>', 'only cases whose name contains the words; may be repeated', collectText)
      .option('--repeats <n>', 'how often each case runs with each model', toPositiveCount)
      .option('--parallel <n>', 'runs at the same time', toPositiveCount, 1)
      .option('--variable <name=value>', 'what ${name} stands for in the file; may be repeated', collectPair, [])
      .option('--api <url>', 'the API to use, with SUREFOOT_API_TOKEN where it asks for one')
      .option(...JSON_OPTION)
      .action(async (path: string, options: EvalOptions) => end(await evaluateFile(path, options))),
};

async function evaluateFile(path: string, options: EvalOptions): Promise<ExitCode> {
  const file = readEvalFile(path);
  const cases = selected(file, options.case);
  const run = (where: Where, signal: AbortSignal) =>
    evaluateAt(where, toPlan(path, file, cases, where, options), options, signal);
  const stack = options.api === undefined && (await isUpHere()) ? readStackFile(dataFolder()) : undefined;
  const api = options.api ?? stack?.api;
  if (api === undefined)
    return await withLocalStack(
      { port: 0 },
      ({ addresses, interrupt }) =>
        run({ api: addresses.api!, shop: addresses.shop, isPassing: true }, interrupt.signal),
      // Standard output is the result's.
      createTerminal(process.stderr),
    );
  const interrupt = listenForInterrupt();
  return await run({ api, shop: stack?.shop, isPassing: false }, interrupt.signal).finally(() => interrupt.end());
}

function selected({ cases }: EvalFile, words: readonly string[] | undefined): EvalCase[] {
  if (words === undefined) return cases;
  const own = cases.filter(({ name }) => words.some((each) => name.toLowerCase().includes(each.toLowerCase())));
  if (own.length > 0) return own;
  throw new CliError(
    `No case has “${words.join('” or “')}” in its name.`,
    cases.map(({ name }) => `  ${name}`),
  );
}

function toPlan(path: string, file: EvalFile, cases: EvalCase[], { shop }: Where, options: EvalOptions): EvalPlan {
  const names: Placeholders = { ...(shop === undefined ? {} : { shop }), ...Object.fromEntries(options.variable) };
  const missing = missingNames({ file, names, cases });
  if (missing.length > 0)
    throw new CliError(
      `Nothing says what \${${missing[0]}} is. Name it under \`sites\`, or give it with --variable ${missing[0]}=…`,
    );
  const models = options.model ?? file.models ?? [undefined];
  const repeats = options.repeats ?? file.repeats;
  const modelTimeoutMs = options.modelTimeout === undefined ? undefined : Math.ceil(options.modelTimeout);
  return { file, folder: dirname(path), cases, models, modelTimeoutMs, repeats, names, parallel: options.parallel };
}

async function evaluateAt(
  { api, isPassing }: Where,
  plan: EvalPlan,
  options: EvalOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const terminal = createTerminal();
  const token = readSetting(SETTINGS.apiToken, process.env);
  const report = (run: EvalRun): void => terminal.printError(runLine(run), run.failure === undefined ? 'plain' : 'bad');
  const runs = await runAll(createApiClient(api, { token }), plan, signal, report);
  const summaries = summarize(runs);
  const isGood = summaries.every(({ rate }) => rate >= plan.file.minimumRate);
  if (options.json === true) {
    const linked = runs.map((run) => ({
      ...run,
      ...(run.sessionId === undefined
        ? {}
        : { session: sessionLink(api, run.sessionId), report: reportLink(api, run.sessionId) }),
    }));
    terminal.printJson({ name: plan.file.name, isGood, models: summaries, runs: linked }, 2);
  } else {
    const whereOf = (id: string): string =>
      isPassing ? asCalled(`report ${id} --out ${id}.html`) : reportLink(api, id);
    const hint = `The sessions stay: start the stack with ${asCalled('dev')}, then make their reports as named above.`;
    const failures = failureLines(runs, whereOf);
    for (const lines of [summaryLines(summaries), failures, isPassing && failures.length > 0 ? [hint] : []])
      terminal.printBlock(lines);
  }
  return isGood ? EXIT.done : EXIT.sessionFailed;
}
