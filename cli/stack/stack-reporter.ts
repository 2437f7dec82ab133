import type { Reporter } from './reporting/reporter';
import { createStatusLine } from '../terminal/status-line';
import type { Terminal } from '../terminal/terminal';

/** Prints what the local stack does: finished work as lines, running work in the status line. */
export function createStackReporter(terminal: Terminal): Reporter & { end(): void } {
  const status = createStatusLine(terminal);
  return {
    step(text) {
      status.clear();
      terminal.print([
        { text: '✓', tone: 'good' },
        { text: ` ${text}`, tone: 'plain' },
      ]);
    },
    progress(text) {
      if (terminal.isLive) status.show(text);
      else terminal.print(`· ${text}`, 'quiet');
    },
    warn: (text) => terminal.printError(`! ${text}`, 'warning'),
    end: () => status.clear(),
  };
}
