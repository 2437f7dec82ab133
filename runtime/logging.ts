import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { printable, printableLine } from '../contracts/printable';
import { LogLevel, type LoggingConfig } from '../contracts/modules/module-config';
import { LOGGING } from './settings/process-definitions';
import { readGroup } from './settings/setting';

const LEVEL_NAMES: Record<LogLevel, string> = { DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' };

/** Reads LOG_LEVEL and LOG_FORMAT. Throws SettingsError. */
export function readLogging(name: string, env: NodeJS.ProcessEnv = process.env): LoggingConfig {
  const { level, format } = readGroup(LOGGING, env);
  return {
    level,
    prefix: `[${name}]`,
    includeTimestamp: true,
    includeSessionId: true,
    includeModuleId: true,
    structured: format !== 'text',
  };
}

/** S1.43 as a logger: lines of JSON, or `[prefix][LEVEL] [time] [session]:step message` for people. */
export function createConfiguredLogger(
  moduleId: string,
  config: LoggingConfig,
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options: LoggerOptions = {
    level: LEVEL_NAMES[config.level],
    timestamp: config.includeTimestamp,
    ...(config.includeModuleId ? { name: moduleId } : {}),
    ...(config.includeSessionId ? {} : { redact: { paths: ['sessionId'], remove: true } }),
  };
  // Texts of pages are logged too, and logs are read in terminals.
  const write = (line: string): void => destination.write(printable(line));
  if (config.structured) return pino(options, { write });
  return pino(options, { write: (line) => write(toText(line, config.prefix)) });
}

/** pino's numbers of its levels. */
const LEVEL_OF: Record<number, LogLevel> = {
  20: LogLevel.DEBUG,
  30: LogLevel.INFO,
  40: LogLevel.WARN,
  50: LogLevel.ERROR,
};

/** What our code logs: ids are texts and numbers. */
interface Line {
  level: number;
  time?: number;
  msg?: string;
  name?: string;
  pid?: number;
  hostname?: string;
  sessionId?: string;
  stepIndex?: number;
}

function toText(line: string, prefix: string): string {
  const {
    level,
    time,
    name: _name,
    pid: _pid,
    hostname: _host,
    msg = '',
    sessionId,
    stepIndex,
    ...more
  } = JSON.parse(line) as Line;
  const head = [
    `${prefix}[${LEVEL_OF[level] ?? LogLevel.ERROR}]`,
    ...(time === undefined ? [] : [`[${new Date(time).toISOString()}]`]),
    ...(sessionId === undefined ? [] : [`[${sessionId}]${stepIndex === undefined ? '' : `:${stepIndex}`}`]),
  ];
  const rest = Object.keys(more).length === 0 ? '' : ` ${JSON.stringify(more)}`;
  return `${head.join(' ')} ${printableLine(msg)}${rest}\n`;
}
