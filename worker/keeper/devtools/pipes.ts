import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../../contracts/errors/error-message';
import { pipesRefused } from '../host/refusals';

/**
 * The two named pipes of a Chrome in its folder, which only this user may open. Chrome takes DevTools commands from one
 * and answers in the other; it listens at no port. It holds both ends of both, so it lives on when its keeper dies,
 * and the next keeper opens them again.
 */
const COMMANDS = 'devtools-commands';
const ANSWERS = 'devtools-answers';

/** The file descriptors of Chrome, in the order that `--remote-debugging-pipe` expects as 3 and 4. */
interface ChromeEnds {
  descriptors: [commands: number, answers: number];
  /** Closes them in this process, once Chrome has inherited them. */
  close(): void;
}

/** What the keeper has of the pipes. */
export interface KeeperEnds {
  commands: Socket;
  /** Ends when the Chrome has. */
  answers: Socket;
}

/** Creates the pipes in a folder that has none. */
export async function makePipes(folder: string): Promise<ChromeEnds> {
  const paths = [COMMANDS, ANSWERS].map((name) => join(folder, name));
  await promisify(execFile)('mkfifo', ['-m', '600', ...paths]).catch((error: unknown) => {
    throw pipesRefused(folder, errorMessage(error));
  });
  const [commands, answers] = paths.map((path) => openSync(path, constants.O_RDWR)) as [number, number];
  return {
    descriptors: [commands, answers],
    close() {
      closeSync(commands);
      closeSync(answers);
    },
  };
}

/** Throws when no Chrome holds the pipes. */
export function openKeeperEnds(folder: string): KeeperEnds {
  const commands = openSync(join(folder, COMMANDS), constants.O_WRONLY | constants.O_NONBLOCK);
  const answers = openSync(join(folder, ANSWERS), constants.O_RDONLY | constants.O_NONBLOCK);
  return {
    commands: new Socket({ fd: commands, readable: false, writable: true }),
    answers: new Socket({ fd: answers, readable: true, writable: false }),
  };
}
