import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright';
import { withinMs } from '../../runtime/time-limit';

const TAKE_LIMIT_MS = 10_000;
const RESTART_LIMIT_MS = 5000;

/**
 * The Playwright trace of the step that runs now. It starts light (calls and network: measured as free); once a command
 * of the step has failed it goes on with page snapshots, which cost about 5 ms a command.
 */
export class StepTrace {
  private state: { kind: 'off' } | { kind: 'on'; stepIndex: number; hasSnapshots: boolean } = { kind: 'off' };

  /** The page has, or had, a secret: what it sends holds it in clear text, in this step and in later ones. None is kept. */
  private isTainted = false;

  /** The begin of a trace that is under way: nothing is discarded before there is something to discard. */
  private restarting: Promise<void> = Promise.resolve();

  constructor(private readonly context: BrowserContext) {}

  async begin(stepIndex: number): Promise<void> {
    if (this.isTainted) return await this.discard();
    if (this.state.kind === 'on' && this.state.stepIndex === stepIndex) return;
    await this.restart(stepIndex, false);
  }

  /** A command failed: from here on the trace is worth its price. */
  async addSnapshots(stepIndex: number): Promise<void> {
    if (this.isTainted || (this.state.kind === 'on' && this.state.hasSnapshots)) return;
    await this.restart(stepIndex, true);
  }

  taint(): void {
    this.isTainted = true;
  }

  /** The trace of the step so far, as a zip; undefined when this worker traced nothing, or may have traced a secret. */
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

  /** Nobody will ask for it any more; Playwright keeps a folder for each trace that was begun and not ended. */
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

  /** A trace explains a failure; that none can be taken, of a crashed page for one, is no failure itself. */
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
      // One that begins later than that is ended when it has.
      void starting.catch(() => {}).then(() => tracing.stop().catch(() => {}));
    }
  }
}
