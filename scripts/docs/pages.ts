import { describeSettings } from '../../runtime/settings/describe';
import { describeCli } from './cli';
import { describeCommands } from './commands';
import { describeErrors } from './errors';
import { describeEvents } from './events';
import { describeRest } from './rest';
import { describeTools } from './tools';

/** The pages of docs/reference, each written from the definitions of what it describes. */
export const REFERENCE: Record<string, () => string> = {
  'cli.md': describeCli,
  'commands.md': describeCommands,
  'errors.md': describeErrors,
  'events.md': describeEvents,
  'rest.md': describeRest,
  'settings.md': describeSettings,
  'tools.md': describeTools,
};
