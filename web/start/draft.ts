import { parseStart, type StartRequest } from '../../contracts/sessions/start-request';

/** What stands in the form. */
export interface Draft {
  name: string;
  kind: 'steps' | 'task';
  /** Steps, one a line, or a task. */
  text: string;
  variables: { name: string; value: string }[];
  secrets: { alias: string; env: string; origins: string }[];
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
export function requestOf({ name, kind, text, variables, secrets, model, approvalMode }: Draft): StartRequest {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const config = {
    ...(model.trim() === '' ? {} : { aiConfig: { model: model.trim() } }),
    ...(approvalMode === 'default' ? {} : { agent: { approvalMode } }),
  };
  const given = variables.filter((each) => each.name !== '' || each.value !== '');
  const kept = secrets.filter(({ alias, env, origins }) => `${alias}${env}${origins}` !== '');
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    steps: kind === 'steps' ? lines : text.trim() === '' ? [] : [{ task: text.trim() }],
    ...(given.length === 0 ? {} : { variables: Object.fromEntries(given.map((each) => [each.name, each.value])) }),
    ...(kept.length === 0
      ? {}
      : {
          secrets: Object.fromEntries(
            kept.map(({ alias, env, origins }) => [alias, { env, origins: listOf(origins) }]),
          ),
        }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

/** What the schema of the API has against a request, as it says it. */
export function issuesOf(request: StartRequest): { path: string; message: string }[] {
  const parsed = parseStart(request);
  return parsed.kind === 'invalid' ? parsed.issues : [];
}
