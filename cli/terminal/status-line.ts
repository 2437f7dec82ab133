import { toDuration } from './duration';
import type { Terminal } from './terminal';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** The elapsed time shows after this long, so that short work does not flicker. */
const TIMED_AFTER_MS = 2000;

/** The animated last line of a terminal. */
export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

/** Creates the status line; on a terminal that is not live it draws nothing and starts no timer. */
export function createStatusLine(terminal: Terminal): StatusLine {
  let text = '';
  let since = 0;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;

  function draw(): void {
    frame = (frame + 1) % FRAMES.length;
    const elapsed = performance.now() - since;
    const time =
      elapsed < TIMED_AFTER_MS ? '' : `  (${toDuration(Math.floor(elapsed / 1000) * 1000).replace('.0', '')})`;
    terminal.setStatus(`${FRAMES[frame]} ${text}${time}`);
  }

  return {
    show(next) {
      if (!terminal.isLive) return;
      if (next !== text) since = performance.now();
      text = next;
      draw();
      timer ??= setInterval(draw, FRAME_MS).unref();
    },
    clear() {
      clearInterval(timer);
      timer = undefined;
      text = '';
      terminal.setStatus(undefined);
    },
  };
}
