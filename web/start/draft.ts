import { parseStart, type StartRequest } from '../../contracts/sessions/start-request';
import { givenOf, type Given } from '../elements/given';

/** What stands in the form. */
export interface Draft extends Given {
  name: string;
  kind: 'steps' | 'task';
  /** Steps, one a line, or a task. */
  text: string;
  model: string;
  approvalMode: 'default' | 'always' | 'yolo';
}

export const EMPTY: Draft = {
  name: '',
  kind: 'steps',
  text: '',
  variables: [],
  secrets: [],
  model: '',
  approvalMode: 'default',
};

/** The request that the form stands for; what was left empty is left out. */
export function requestOf({ name, kind, text, model, approvalMode, ...given }: Draft): StartRequest {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const config = {
    ...(model.trim() === '' ? {} : { aiConfig: { model: model.trim() } }),
    ...(approvalMode === 'default' ? {} : { agent: { approvalMode } }),
  };
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    steps: kind === 'steps' ? lines : text.trim() === '' ? [] : [{ task: text.trim() }],
    ...givenOf(given),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

/** The form that stands for a request of plain steps or one task. */
export function draftOf({ name = '', steps, variables = {} }: StartRequest): Draft {
  const [first] = steps;
  const isTask = typeof first === 'object' && 'task' in first;
  return {
    ...EMPTY,
    name,
    kind: isTask ? 'task' : 'steps',
    text: isTask ? first.task : steps.filter((step) => typeof step === 'string').join('\n'),
    variables: Object.entries(variables).map(([called, value]) =>
      typeof value === 'string' ? { name: called, value, env: '' } : { name: called, value: '', env: value.env },
    ),
  };
}

/** What the schema of the API has against a request, as it says it. */
export function issuesOf(request: StartRequest): { path: string; message: string }[] {
  const parsed = parseStart(request);
  return parsed.kind === 'invalid' ? parsed.issues : [];
}
