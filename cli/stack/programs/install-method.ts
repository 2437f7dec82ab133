import type { Probes } from './probes';
import { withProgress, type Reporter } from '../reporting/reporter';
import { lastLine, type ProgramResult, type RunCommand } from '../../../runtime/run-command';

export interface FetchContext {
  probes: Probes;
  reporter: Reporter;
  run: RunCommand;
  signal?: AbortSignal | undefined;
}

/** One way to install a missing program. */
export interface InstallMethod {
  /** What it does and how long that takes. */
  text: string;
  isPossible: boolean;
  run(): Promise<ProgramResult>;
}

/** Tries the methods in turn until the program is found; warns about each that fails. */
export async function tryInstallMethods(
  context: FetchContext,
  methods: readonly InstallMethod[],
  locate: () => string | undefined,
): Promise<string | undefined> {
  for (const rung of methods.filter((one) => one.isPossible)) {
    context.signal?.throwIfAborted();
    const result = await withProgress(context.reporter, rung.text, () => rung.run());
    context.signal?.throwIfAborted();
    const found = locate();
    if (found !== undefined) return found;
    context.reporter.warn(`${rung.text}: failed (${lastLine(result.output)})`);
  }
  return undefined;
}
