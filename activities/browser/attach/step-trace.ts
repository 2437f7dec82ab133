import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright';
import { withinMs } from '../../../runtime/time-limit';

const TAKE_LIMIT_MS = 10_000;
const RESTART_LIMIT_MS = 5000;

/**
 * The Playwright trace of the current step. It starts with calls and network, which cost nothing measurable; after a
 * command of the step has failed it adds page snapshots, about 5 ms a command.
 */
export class StepTrace {
  private state: { kind: 'off' } | { kind: 'on'; stepIndex: number; hasSnapshots: boolean } = { kind: 'off' };

  /** The page has, or had, a secret, which the trace's network log would contain. No trace is kept then. */
  private isTainted = false;

  /** A trace that is being started; `discard` waits for it. */
  private restarting: Promise<void> = Promise.resolve();

  constructor(private readonly context: BrowserContext) {}

  async begin(stepIndex: number): Promise<void> {
    if (this.isTainted) return await this.discard();
    if (this.state.kind === 'on' && this.state.stepIndex === stepIndex) return;
    await this.restart(stepIndex, false);
  }

  /** Adds page snapshots, once a command has failed. */
  async addSnapshots(stepIndex: number): Promise<void> {
    if (this.isTainted || (this.state.kind === 'on' && this.state.hasSnapshots)) return;
    await this.restart(stepIndex, true);
  }

  taint(): void {
    this.isTainted = true;
  }

  /** Ends the trace and returns it as a zip; undefined when there is none, or when it may contain a secret. */
  async take(): Promise<Buffer | undefined> {
    if (this.state.kind === 'off') return undefined;
    const file = join(tmpdir(), `surefoot-trace-${randomUUID()}.zip`);
    this.state = { kind: 'off' };
    try {
      await withinMs(TAKE_LIMIT_MS, this.context.tracing.stop({ path: file }));
      return this.isTainted ? undefined : await readFile(file);
    } catch {
      return undefined;
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Ends the trace without keeping it; Playwright keeps a folder for each trace that was not ended. */
  async discard(): Promise<void> {
    await this.restarting;
    if (this.state.kind === 'off') return;
    this.state = { kind: 'off' };
    await withinMs(RESTART_LIMIT_MS, this.context.tracing.stop()).catch(() => {});
  }

  private async restart(stepIndex: number, hasSnapshots: boolean): Promise<void> {
    this.restarting = this.startAnew(stepIndex, hasSnapshots);
    await this.restarting;
  }

  /** Starts a trace. That none can be started, as on a crashed page, is no failure. */
  private async startAnew(stepIndex: number, hasSnapshots: boolean): Promise<void> {
    const { tracing } = this.context;
    const wasOn = this.state.kind === 'on';
    this.state = { kind: 'off' };
    if (wasOn) await withinMs(RESTART_LIMIT_MS, tracing.stop()).catch(() => {});
    const starting = tracing.start({ snapshots: hasSnapshots, screenshots: false, title: `step ${stepIndex + 1}` });
    try {
      await withinMs(RESTART_LIMIT_MS, starting);
      this.state = { kind: 'on', stepIndex, hasSnapshots };
    } catch {
      // A trace that starts after the limit is ended at once.
      void starting.catch(() => {}).then(() => tracing.stop().catch(() => {}));
    }
  }
}
