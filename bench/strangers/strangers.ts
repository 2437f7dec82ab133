import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Attachment } from '../../activities/browser/attach/attachment';
import { locateChromium } from '../../cli/stack/programs/locate-chromium';
import { systemProbes } from '../../cli/stack/programs/probes';
import { UsageError, wholeNumber } from '../chaos/options';
import { attachToChrome } from '../observe/chrome';
import { readCorpora, type CorpusStep } from './corpus';
import { judge, proposalsIn, type Judged, type State, type Verdict } from './judge';
import { startReader, type Reader } from './reader';
import { runStep } from './run-step';

const HELP = `npm run bench -- strangers [FOLDER]   default: bench/strangers
  --only TEXT      steps whose id, corpus or person has this text
  --read-by NAME   the model that says what rules can't read in their words: weights, or one of the server at --base-url
  --every N        the first of every N steps
  --details        each step that was not right, with its commands and what differs
  --report FILE    writes the tables there too`;

/**
 * Runs the steps of corpora that were written by people who know the pages and not the grammar, each on a freshly loaded
 * page, with the model `rules`, and a model beside it where one is named. False when a step did something else than it said, or claims what is not so.
 */
export async function measureStrangers(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      details: { type: 'boolean' },
      'read-by': { type: 'string' },
      'base-url': { type: 'string' },
      every: { type: 'string' },
      only: { type: 'string' },
      report: { type: 'string' },
    },
  });
  if (values.help === true) {
    console.log(HELP);
    return true;
  }
  const root = positionals[0] ?? 'bench/strangers';
  const chromiumPath = locateChromium(systemProbes(process.env));
  if (chromiumPath === undefined) throw new UsageError('There is no Chromium here: install one, or set CHROMIUM_PATH.');
  const site = await serveFolder(root);
  const chrome = await attachToChrome(chromiumPath);
  const judged: Judged[] = [];
  const started: { stop(): Promise<void> }[] = [];
  const every = wholeNumber('--every', values.every ?? '1', 1);
  let reader: Reader | undefined;
  try {
    const { 'read-by': readBy, 'base-url': baseURL } = values;
    reader = readBy === undefined ? undefined : await startReader(readBy, baseURL, started);
    for (const { corpus, path, steps } of readCorpora(root)) {
      const wanted = steps.filter(({ id, person }) => `${corpus} ${id} ${person}`.includes(values.only ?? ''));
      for (const step of wanted.filter((_, index) => index % every === 0)) {
        const result = { corpus, ...(await tryStep({ ...chrome, reader }, `${site.url}/${path}`, step)) };
        judged.push(result);
        if (values.details === true && result.verdict !== 'right') console.log(detailsOf(result));
      }
    }
  } finally {
    for (const each of started.toReversed()) await each.stop();
    await chrome.stop();
    await site.close();
  }
  const table = [tableOf(judged), ...(reader === undefined ? [] : [spentBy(reader)])].join('\n');
  console.log(table);
  if (values.report !== undefined) writeFileSync(values.report, table);
  return !judged.some(({ verdict }) => verdict === 'false' || verdict === 'wrong deed');
}

interface Tools {
  attachment: Attachment;
  reader: Reader | undefined;
}

/** Tries a step; where it is refused with proposals, each of these as well, on the page as the refused step left it. */
async function tryStep(tools: Tools, address: string, step: CorpusStep): Promise<Omit<Judged, 'corpus'>> {
  const first = await tryOnce(tools, address, step, undefined);
  if (first.verdict !== 'misled') return first;
  const tried: string[] = [];
  for (const proposal of proposalsIn(first.run.message)) {
    const { verdict, run } = await tryOnce(tools, address, step, proposal);
    if (verdict === 'right') return { ...first, verdict: 'proposed' };
    tried.push(`${proposal}: ${verdict}, ${run.message || run.commands.join(', ')}`);
  }
  return { ...first, differences: [...first.differences, ...tried] };
}

async function tryOnce(
  { attachment, reader }: Tools,
  address: string,
  step: CorpusStep,
  proposal: string | undefined,
): Promise<Omit<Judged, 'corpus'>> {
  const { page } = attachment;
  await page.goto(address);
  for (const script of step.before) await page.evaluate(script);
  const stateOf = (): Promise<State> =>
    page.evaluate("typeof window.state === 'function' ? window.state() : { ...window.state }");
  const before = await stateOf();
  const asked = await runStep(attachment, step.step, proposal === undefined ? reader : undefined);
  const confirmed = proposal === undefined ? asked : await runStep(attachment, proposal);
  // A proposal may lead to a question of the browser, which proposes the yes to it.
  const [next] = proposal === undefined ? [] : proposalsIn(confirmed.message);
  const run = next === undefined ? confirmed : await runStep(attachment, next);
  // Timers of a page take 800 ms at most.
  await page.waitForTimeout(Object.keys(step.expect).length > 0 && run.isDone ? 850 : 0);
  return judge(step, run, before, await stateOf().catch(() => ({ left: page.url() })));
}

async function serveFolder(root: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    try {
      const body = readFileSync(join(root, new URL(request.url ?? '/', 'http://site').pathname));
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function detailsOf({ corpus, step, verdict, run, differences }: Judged): string {
  const lines = [run.message, ...run.commands, ...differences, step.why ?? ''].filter(Boolean);
  return `${verdict}  ${corpus}/${step.id} ${step.possible ? '' : '(impossible) '}${step.step}\n${lines.map((line) => `      ${line}`).join('\n')}`;
}

const spentBy = ({ name, spent: { calls, followed, tokens } }: Reader): string =>
  `${name}: ${calls} readings asked for, ${followed} followed, ${Math.round(tokens / Math.max(1, calls))} tokens each`;

function tableOf(judged: readonly Judged[]): string {
  const rows = (by: (one: Judged) => string): string[] =>
    [...Map.groupBy(judged, by)]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, group]) => rowOf(name, group));
  const head =
    '| of | possible | right | right or proposed rightly | misled | impossible | refused | false | wrong deeds |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |';
  return [head, ...rows(({ corpus }) => corpus), ...rows(({ step }) => step.person), ...rows(() => 'all')].join('\n');
}

function rowOf(name: string, group: readonly Judged[]): string {
  const possible = group.filter(({ step }) => step.possible);
  const impossible = group.filter(({ step }) => !step.possible);
  const count = (of: readonly Judged[], ...verdicts: Verdict[]): number =>
    of.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const share = (some: number): string => `${some} (${Math.round((100 * some) / Math.max(1, possible.length))} %)`;
  const cells = [
    name,
    possible.length,
    share(count(possible, 'right')),
    share(count(possible, 'right', 'proposed')),
    count(possible, 'misled'),
    impossible.length,
    count(impossible, 'right'),
    count(group, 'false'),
    count(group, 'wrong deed'),
  ];
  return `| ${cells.join(' | ')} |`;
}
