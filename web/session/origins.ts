import { toCommandText } from '../../contracts/commands/command-text';
import type { StreamEvent } from '../../contracts/events/stream-event';

/** Where a saved value was read: the page in front, and the command that read it. */
export interface Origin {
  stepIndex: number | undefined;
  page: string | undefined;
  command?: string | undefined;
}

/** The saved values of a log, by name. */
export interface Origins {
  page: string | undefined;
  byName: Map<string, Origin>;
  /** Saved by the command that is under way. */
  newest: Origin | undefined;
}

export function noOrigins(): Origins {
  return { page: undefined, byName: new Map(), newest: undefined };
}

/** Changes `origins`. */
export function addOrigin(origins: Origins, { type, stepIndex, data }: StreamEvent): void {
  if (type === 'PAGE_NAVIGATED') origins.page = data.page?.url;
  else if (type === 'VARIABLE_UPDATED' && data.variable !== undefined && data.variable.source !== 'user_input') {
    origins.newest = { stepIndex, page: origins.page };
    origins.byName.set(data.variable.name, origins.newest);
  } else if (type === 'COMMAND_COMPLETED') {
    // A value and the end of the command that read it are written together.
    if (origins.newest !== undefined && data.command !== undefined)
      origins.newest.command = toCommandText(data.command);
    origins.newest = undefined;
  }
}
