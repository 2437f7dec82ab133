const broken = new AbortController();

/** Aborts when the reader of our output closes the pipe, as `| head` does; later output is dropped. */
export const readerGone: AbortSignal = broken.signal;

/** Ignores writes to a closed pipe, which would end the process with a stack trace. */
export function surviveBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
      broken.abort();
    });
  }
}
