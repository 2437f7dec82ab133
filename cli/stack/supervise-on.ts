import type { Readiness } from '../../runtime/process';
import type { PortChooser, PortSetting } from './ports/ports';
import { ChildEnded } from './reporting/stack-error';
import type { ChildSpec } from './supervisor/spawn-child';

const ATTEMPTS = 3;

/** A child that is ready, and the ports on which it listens. */
export interface ChildOnPorts {
  ports: number[];
  readiness: Readiness;
}

/**
 * Starts a child on ports that are free, and on others where a program took one of them before the child could bind it.
 * Rejects with a StackError where it does not start for another reason, or its variable names a port that is taken.
 */
export async function superviseOn(
  chooser: PortChooser,
  settings: readonly PortSetting[],
  specOf: (ports: number[]) => ChildSpec | Promise<ChildSpec>,
  supervise: (spec: ChildSpec) => Promise<Readiness>,
): Promise<ChildOnPorts> {
  for (let attempt = 1; ; attempt += 1) {
    const ports: number[] = [];
    for (const setting of settings) ports.push(await chooser.choose(setting));
    try {
      return { ports, readiness: await supervise(await specOf(ports)) };
    } catch (error) {
      if (!(error instanceof ChildEnded)) throw error;
      const wereTaken = await Promise.all(settings.map((setting) => chooser.forgetTaken(setting)));
      if (attempt === ATTEMPTS || !wereTaken.includes(true)) throw error;
    }
  }
}
