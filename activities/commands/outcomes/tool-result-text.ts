import { COMMANDS, type BrowserParameters } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { PageEvidence } from '../../browsers/page-watch';

interface CommandObservation {
  evidence: PageEvidence;
  urlBefore: string;
  url: string;
  title: string;
}

/** What a tool's caller is told of a command that has no output of its own: what was done, and what came of it. */
export function toolResultText(
  command: PlannedCommand,
  { evidence, urlBefore, url, title }: CommandObservation,
): string {
  const sentences = [`${describeAction(command)}.`];
  const isElsewhere = url !== urlBefore || evidence.navigations.length > 0;
  if (isElsewhere) sentences.push(`The page is now “${title}” (${url}).`);
  for (const { type, message, accepted } of evidence.dialogs)
    sentences.push(
      `The page showed a dialog (${type}): “${message}”; it was answered with ${accepted ? 'yes' : 'no'}.`,
    );
  const sent = evidence.requests.filter(({ method }) => method !== 'GET').slice(0, 5);
  for (const { method, url: to, status, failure } of sent)
    sentences.push(`It sent ${method} ${to.slice(0, 200)}: ${status ?? failure ?? 'no answer yet'}.`);
  if (isElsewhere) sentences.push('Refs of the page before mean nothing any more: read the page again.');
  return sentences.join(' ');
}

function describeAction({ action, parameters, target }: PlannedCommand): string {
  // The parameters were checked by the schema of this action before it ran.
  const done = COMMANDS[action].done as ((parameters: BrowserParameters, element: string) => string) | undefined;
  const element = target === undefined ? '' : `the ${target.role}${target.name === '' ? '' : ` “${target.name}”`}`;
  return done?.(parameters, element) ?? 'Done';
}
