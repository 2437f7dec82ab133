import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { ApiClient } from '../../client/http/api-client';
import { CliError, EXIT } from '../context/exit';
import { attempt } from './attempt';
import type { EvalCase, EvalFile } from './eval-file';
import type { EvalRun, EvalFailure } from './eval-result';
import { fillIn, missingName, type Placeholders } from './placeholders';
import { serveSite } from './site';

export interface EvalPlan {
  file: EvalFile;
  /** The folder in which the paths of the file begin. */
  folder: string;
  cases: readonly EvalCase[];
  /** Undefined is the model of the stack. */
  models: readonly (string | undefined)[];
  /** How long a call may take; as the file, or the stack, says where it is undefined. */
  modelTimeoutMs?: number | undefined;
  repeats: number;
  /** What `${name}` stands for, besides the sites of the file and the label of the run. */
  names: Placeholders;
  /** Runs at the same time. */
  parallel: number;
}

/**
 * Runs each case as often as planned with each model; reports each run when it ends, and resolves to all of them. A model
 * whose first run finds that it can't be called stops all: each of its runs would fail. Later that is a failure like others.
 */
export async function runAll(
  api: ApiClient,
  plan: EvalPlan,
  signal: AbortSignal,
  onRun: (run: EvalRun) => void,
): Promise<EvalRun[]> {
  const repeats = Array.from({ length: plan.repeats }, (_, index) => index + 1);
  // The models take turns, so that a slow hour of the machine or the site is every model's.
  const due = repeats.flatMap((repeat) =>
    plan.cases.flatMap((each) => plan.models.map((model) => ({ each, model, repeat }))),
  );
  const next = due.values();
  const runs: EvalRun[] = [];
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const work = async (): Promise<void> => {
    for (const { each, model, repeat } of next) {
      const run = await runOnce(api, plan, each, model, repeat, until);
      if (signal.aborted) throw interrupted();
      if (stop.signal.aborted) return;
      if (run.failure?.kind === 'model' && !runs.some((earlier) => earlier.model === run.model))
        throw outOfReach(run.failure);
      runs.push(run);
      onRun(run);
    }
  };
  // The result would be thrown away: nothing more is spent on it.
  const stopAll = (error: unknown): never => {
    stop.abort();
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: plan.parallel }, () => work().catch(stopAll)));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
  return runs;
}

function outOfReach({ message }: EvalFailure): CliError {
  const whose = 'Settings and credentials are those of the workers: set them where the stack is started.';
  return new CliError(`The model can't be called, so nothing is compared. ${message}`, [whose]);
}

function interrupted(): CliError {
  return new CliError('Interrupted; the running sessions were cancelled.', [], EXIT.interrupted);
}

async function runOnce(
  api: ApiClient,
  { file, folder, names, modelTimeoutMs }: EvalPlan,
  given: EvalCase,
  model: string | undefined,
  repeat: number,
  signal: AbortSignal,
): Promise<EvalRun> {
  const sites = await Promise.all(
    Object.entries(file.sites).map(async ([name, path]) => ({ name, ...(await serveSite(resolve(folder, path))) })),
  );
  try {
    const urls = Object.fromEntries(sites.map(({ name, url }) => [name, url]));
    const own = fillIn(given, { ...names, ...urls, run: randomUUID().slice(0, 8) });
    const ended = await attempt(api, file, own, { model, timeoutMs: modelTimeoutMs }, signal);
    return { case: given.name, model: model ?? 'default', repeat, ...ended };
  } finally {
    await Promise.all(sites.map((site) => site.close()));
  }
}

/** The names in addresses of a case that nothing would fill in. */
export function missingNames({ file, names, cases }: Pick<EvalPlan, 'file' | 'names' | 'cases'>): string[] {
  const known = { ...names, ...file.sites, run: '' };
  const addresses = cases.flatMap(({ start = '', expect }) => [start, ...(expect.state ?? []).map(({ get }) => get)]);
  return [...new Set(addresses.flatMap((address) => missingName(fillIn(address, known)) ?? []))];
}
