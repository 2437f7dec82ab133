import { COMMANDS, type BrowserParameters } from '../../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { PageEvidence } from '../../../../contracts/commands/evidence';

/** What the caller of a tool gets for a command without an output of its own: what was done, and what followed. */
export function toolResultText(
  command: PlannedCommand,
  { requests, dialogs, navigations, urlBefore, urlAfter }: PageEvidence & { urlBefore: string; urlAfter: string },
  title: string,
): string {
  const sentences = [`${describeAction(command)}.`];
  const isElsewhere = urlAfter !== urlBefore || navigations.length > 0;
  if (isElsewhere) sentences.push(`The page is now “${title}” (${urlAfter}).`);
  for (const { type, message, accepted } of dialogs)
    sentences.push(
      `The page showed a dialog (${type}): “${message}”; it was answered with ${accepted ? 'yes' : 'no'}.`,
    );
  const sent = requests.filter(({ method }) => method !== 'GET').slice(0, 5);
  for (const { method, url, status, failure } of sent)
    sentences.push(`It sent ${method} ${placeOf(url, urlAfter)}: ${status ?? failure ?? 'no answer yet'}.`);
  return sentences.join(' ');
}

/** An address of the page's own site goes without its origin. */
function placeOf(url: string, pageUrl: string): string {
  const origin = URL.parse(pageUrl)?.origin;
  const isOwn = origin !== undefined && origin !== 'null' && url.startsWith(`${origin}/`);
  return (isOwn ? url.slice(origin.length) : url).slice(0, 200);
}

function describeAction({ action, parameters, target, within }: PlannedCommand): string {
  // The parameters were checked by the schema of this action before it ran.
  const done = COMMANDS[action].done as ((parameters: BrowserParameters, element: string) => string) | undefined;
  const name = target === undefined || target.name === '' ? '' : ` “${target.name}”`;
  const place = within === undefined ? '' : ` (in “${within}”)`;
  const element = target === undefined ? '' : `the ${target.role}${name}${place}`;
  return done?.(parameters, element) ?? 'Done';
}
