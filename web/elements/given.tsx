import type { StartRequest } from '../../contracts/sessions/start-request';
import { Rows } from './rows';

/** Variables and secrets as they stand in a form. */
export interface Given {
  /** Each with its value, or with an environment variable of the workers. */
  variables: { name: string; value: string; env: string }[];
  secrets: { alias: string; env: string; origins: string }[];
}

/** A form of variables and secrets. */
export function GivenRows({ given, onChange }: { given: Given; onChange: (change: Partial<Given>) => void }) {
  return (
    <>
      <Rows
        title="Variables"
        one="Variable"
        hint="Steps use a variable as ${name}. Its value stands here, or in an environment variable of the workers."
        columns={{ name: 'Name', value: 'Value', env: 'or environment variable' }}
        rows={given.variables}
        onChange={(variables) => onChange({ variables })}
      />
      <Rows
        title="Secrets"
        one="Secret"
        hint="By the name of an environment variable of the workers: its value never comes here, and is typed on its origins only."
        columns={{ alias: 'Name', env: 'Environment variable', origins: 'Origins, such as https://shop.example' }}
        rows={given.secrets}
        onChange={(secrets) => onChange({ secrets })}
      />
    </>
  );
}

/** What a request has of them; empty rows are left out. */
export function givenOf({ variables, secrets }: Given): Pick<StartRequest, 'variables' | 'secrets'> {
  const named = variables.filter((each) => `${each.name}${each.value}${each.env}` !== '');
  const kept = secrets.filter(({ alias, env, origins }) => `${alias}${env}${origins}` !== '');
  return {
    ...(named.length === 0
      ? {}
      : { variables: Object.fromEntries(named.map(({ name, value, env }) => [name, env === '' ? value : { env }])) }),
    ...(kept.length === 0
      ? {}
      : {
          secrets: Object.fromEntries(
            kept.map(({ alias, env, origins }) => [alias, { env, origins: listOf(origins) }]),
          ),
        }),
  };
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}
