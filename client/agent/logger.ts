import { printable } from '../../contracts/printable';
import { LogLevel, type ILogger } from '../../contracts/tasks/chat';

type Context = Record<string, unknown>;

/** Creates the default logger of the library: warnings and errors on standard error, one line of JSON each. */
export function createAgentLogger({
  level = LogLevel.WARN,
  context = {},
  write = (line: string) => void process.stderr.write(`${printable(line)}\n`),
}: { level?: LogLevel | undefined; context?: Context; write?: (line: string) => void } = {}): ILogger {
  let maxLevel = level;
  const log = (at: LogLevel, message: string, more: Context = {}): void => {
    if (at === LogLevel.NONE || at > maxLevel) return;
    write(JSON.stringify({ level: LogLevel[at], time: Date.now(), message, ...context, ...more }));
  };
  return {
    debug: (message, more) => log(LogLevel.DEBUG, message, more),
    info: (message, more) => log(LogLevel.INFO, message, more),
    warn: (message, more) => log(LogLevel.WARN, message, more),
    error: (message, more) => log(LogLevel.ERROR, message, more),
    log,
    setLevel: (next) => void (maxLevel = next),
    getLevel: () => maxLevel,
    createChildLogger: (more) => createAgentLogger({ level: maxLevel, context: { ...context, ...more }, write }),
  };
}
