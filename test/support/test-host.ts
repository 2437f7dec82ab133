import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../runtime/process-identity';
import { eventually } from './eventually';
import { SHOP_PASSWORD, type WholeStack } from './whole-stack';

const DIST = join(__dirname, '..', '..', 'dist');

interface HostOptions {
  /** The addresses by which this host reaches the servers; the stack's own unless given. */
  databaseUrl?: string;
  temporalAddress?: string;
  /** What its processes are started through: `ip netns exec <name>`, or nothing. */
  through?: readonly string[];
  workers?: number;
}

/** A worker host of a test: a keeper, its Chromes and browser workers, under a name of its own. */
export class TestHost {
  private processes: ChildProcess[] = [];

  constructor(
    private readonly stack: WholeStack,
    readonly hostId: string,
    private readonly options: HostOptions = {},
  ) {}

  async start(): Promise<void> {
    await this.startKeeper();
    const { workers = 2 } = this.options;
    await Promise.all(
      Array.from({ length: workers }, (_, index) => this.run(`worker-${index}`, 'worker/browser-main.js')),
    );
  }

  async startKeeper(): Promise<void> {
    await this.run('keeper', 'worker/keeper/main.js');
  }

  /** The Chromes of this host that are alive, by the markers of its keeper. */
  chromes(): { sessionId: string | undefined; pid: number }[] {
    const root = join(this.stack.home, 'browsers', this.hostId);
    if (!existsSync(root)) return [];
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => {
        try {
          const text = readFileSync(join(root, entry.name, 'browser.json'), 'utf8');
          const marker = JSON.parse(text) as { sessionId?: string; pid: number; startTicks: string };
          return isAlive(marker) ? [{ sessionId: marker.sessionId, pid: marker.pid }] : [];
        } catch {
          // A folder that is being made or removed.
          return [];
        }
      });
  }

  chromeOf(sessionId: string): number | undefined {
    return this.chromes().find((chrome) => chrome.sessionId === sessionId)?.pid;
  }

  /** Ends every process of the host at once, its Chromes with their whole groups: the power is gone. */
  async kill({ chromes = true } = {}): Promise<void> {
    const found = chromes ? this.chromes() : [];
    const own = this.processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    for (const child of own) child.kill('SIGKILL');
    for (const { pid } of found) killGroup(pid);
    await eventually(`${this.hostId} is dead`, () => own.every(({ signalCode }) => signalCode !== null));
    this.processes = [];
  }

  private async run(name: string, script: string): Promise<void> {
    const { stack, hostId, options } = this;
    const readyFile = join(stack.home, 'run', `${hostId}-${name}-${Date.now()}.json`);
    const [program, ...args] = [...(options.through ?? []), process.execPath, join(DIST, ...script.split('/'))];
    const output = openSync(`${readyFile}.log`, 'w');
    const child = spawn(program!, args, {
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        DATABASE_URL: options.databaseUrl ?? stack.databaseUrl,
        TEMPORAL_ADDRESS: options.temporalAddress ?? stack.temporalAddress,
        SUREFOOT_HOME: stack.home,
        SUREFOOT_HOST_ID: hostId,
        SUREFOOT_READY_FILE: readyFile,
        SHOP_PASSWORD,
        CHROMIUM_PATH: stack.chromiumPath,
        LOG_LEVEL: 'warn',
      },
    });
    closeSync(output);
    this.processes.push(child);
    await eventually(`${name} of ${hostId} is ready`, () => existsSync(readyFile), 60_000);
  }
}

/** Its members may all have ended by themselves since they were looked for, as those of a Chrome do that is being closed. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
