import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findShown } from './doc-blocks';
import { eventually } from './eventually';

const DONE = 'block-is-done';

/** A shell in which blocks of the docs are run one after the other, as somebody who reads them does. */
export class TerminalSession {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #scripts = mkdtempSync(join(tmpdir(), 'surefoot-blocks-'));
  #printed = '';
  /** Everything before it was compared with what a page shows. */
  #compared = 0;
  #blocks = 0;

  /** `through`: what the shell is started through, such as a network of its own. */
  constructor(
    public folder: string,
    { env, through = [] }: { env: NodeJS.ProcessEnv; through?: readonly string[] },
  ) {
    const [program, ...args] = [...through, 'bash', '--noprofile', '--norc'];
    // A group of its own, so that Ctrl-C reaches what it runs and nothing else.
    this.#shell = spawn(program!, args, { cwd: folder, env, detached: true });
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.on('data', (chunk: Buffer) => (this.#printed += chunk.toString()));
  }

  /** Types a block; it runs until something ends it. */
  begin(text: string): void {
    const script = join(this.#scripts, `${++this.#blocks}.sh`);
    writeFileSync(script, text);
    this.#compared = this.#printed.length;
    this.#shell.stdin.write(`source ${script} < /dev/null; printf '\\n%s\\n' "${DONE} ${this.#blocks} $? $PWD"\n`);
  }

  /** Runs a block to its end; rejects with what it printed where its last command failed. */
  async run(text: string, limitMs = 120_000): Promise<void> {
    this.begin(text);
    const end = new RegExp(`^${DONE} ${this.#blocks} (\\d+) (.*)$`, 'm');
    const [, code, folder] = await eventually(
      `the end of\n${text}`,
      async () => end.exec(this.#printed) ?? undefined,
      limitMs,
    );
    if (code !== '0') throw new Error(`${text}ended with ${code}:\n${this.#printed.slice(this.#compared)}`);
    this.folder = folder!;
  }

  /** Waits until it has printed what a page shows. */
  async sees(shown: string, limitMs = 120_000): Promise<void> {
    let missing = '';
    try {
      await eventually(
        'the output',
        async () => {
          const found = findShown(shown, this.#printed.slice(this.#compared));
          if ('missing' in found) return void (missing = found.missing);
          this.#compared += found.end;
          return true;
        },
        limitMs,
      );
    } catch (cause) {
      throw new Error(`It does not print\n${missing}\nbut\n${this.#printed.slice(this.#compared)}`, { cause });
    }
  }

  /** Ends what the shell had sent to the background. */
  #endRest(): void {
    try {
      process.kill(-this.#shell.pid!, 'SIGKILL');
    } catch {
      // Nothing is left of the group.
    }
  }

  /** Ctrl-C, then the end of the shell. */
  async interrupt(): Promise<void> {
    if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return;
    const ended = once(this.#shell, 'exit');
    process.kill(-this.#shell.pid!, 'SIGINT');
    this.#shell.stdin.end();
    await ended;
    this.#endRest();
    rmSync(this.#scripts, { recursive: true });
  }
}
