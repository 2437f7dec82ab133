const broken = new AbortController();

/** Aborts when whoever read our output has gone, as `| head` does; further output goes nowhere. */
export const readerGone: AbortSignal = broken.signal;

/** Without this the first write after the reader has gone ends the process with a stack trace. */
export function surviveBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
      broken.abort();
    });
  }
}
