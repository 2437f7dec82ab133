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
  const element = target === undefined ? '' : ` the ${target.role}${target.name === '' ? '' : ` “${target.name}”`}`;
  const {
    x,
    y,
    toX,
    toY,
    text = '',
    key = '',
    url = '',
    tab = '',
    to = '',
    option = '',
    files = [],
    seconds,
  } = parameters;
  switch (action) {
    case 'CLICK_ELEMENT':
      return `Clicked${element}`;
    case 'CLICK_POINT':
      return `Clicked at ${x}, ${y}`;
    case 'DRAG':
      return `Dragged from ${x}, ${y} to ${toX}, ${toY}`;
    case 'HOVER':
      return element === '' ? `The pointer is at ${x}, ${y}` : `The pointer is on${element}`;
    case 'INPUT_TEXT':
      return `Wrote “${truncate(text)}” into${element}`;
    case 'TYPE_TEXT':
      return `Typed “${truncate(text)}”`;
    case 'SELECT_OPTION':
      return `Chose “${option}” in${element}`;
    case 'SET_CHECKED':
      return `${parameters.checked === false ? 'Unchecked' : 'Checked'}${element}`;
    case 'PRESS_KEY':
      return `Pressed ${key}${element === '' ? '' : ` in${element}`}`;
    case 'OPEN_PAGE':
      return `Opened ${url}`;
    case 'GO_BACK':
      return 'Went back';
    case 'GO_FORWARD':
      return 'Went forward';
    case 'SCROLL':
      return to === 'element' ? `Scrolled to${element}` : `Scrolled ${to}`;
    case 'WAIT_FOR':
      return text === '' ? `Waited ${seconds} s` : `“${text}” is ${parameters.hidden === true ? 'gone' : 'there'}`;
    case 'SWITCH_TAB':
      return `Went to the tab “${tab}”`;
    case 'HANDLE_DIALOG':
      return `The next question of the page will be answered with ${parameters.accept === true ? 'yes' : 'no'}`;
    case 'UPLOAD_FILE':
      return `Gave ${files.join(', ')} to${element}`;
    default:
      return 'Done';
  }
}

function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
