import type { CommandEvidence } from '../../contracts/commands/evidence';

type Evidence<Kind extends CommandEvidence['kind']> = Extract<CommandEvidence, { kind: Kind }>;

const addresses = { urlBefore: '/before', urlAfter: '/before' };

export function anObservedCommand(change: Partial<Evidence<'observed'>> = {}): Evidence<'observed'> {
  return { kind: 'observed', ...addresses, requests: [], dialogs: [], consoleErrors: [], navigations: [], ...change };
}

export function anUnobservedCommand(change: Partial<Evidence<'unobserved'>> = {}): Evidence<'unobserved'> {
  const watched = { requests: [], dialogs: [], watchedSince: '2026-01-01T00:00:00.000Z', gaps: [] };
  return { kind: 'unobserved', ...addresses, eventDelivered: false, isDocumentGone: false, ...watched, ...change };
}

export function anInterruptedCommand(change: Partial<Evidence<'interrupted'>> = {}): Evidence<'interrupted'> {
  return { kind: 'interrupted', lostWith: 'browser', ...addresses, ...change };
}
