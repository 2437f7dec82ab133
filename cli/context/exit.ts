/** The exit codes of every command. */
export const EXIT = {
  /** The session completed, or the command succeeded. */
  done: 0,
  /** The session failed or was cancelled. */
  sessionFailed: 1,
  /** Usage or set-up: nothing was done. */
  refused: 2,
  /** `--timeout` is over; the session goes on. */
  timeout: 3,
  /** `--replay-only`: a step did not fit its recipe, or has none. */
  diverged: 4,
  /** Ctrl-C; the session goes on. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Takes the exit code of a command. */
export type OnExit = (exitCode: number) => void;

/** A command failed; the message is a sentence for the terminal, `details` are lines below it. */
export class CliError extends Error {
  override name = 'CliError';

  constructor(
    message: string,
    readonly details: readonly string[] = [],
    readonly exitCode: ExitCode = EXIT.refused,
  ) {
    super(message);
  }
}
