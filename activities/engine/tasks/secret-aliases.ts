import type { SessionValues } from '../../secrets/session-values';
import { mapTexts } from '../../../contracts/json';

/**
 * Arguments in which a model has written the value of a secret, with its name instead: it is filled in at the browser, in
 * fields of its origins alone. Text that is no JSON stays as it is; nothing is run with it.
 */
export function withSecretAliases(args: string, values: Pick<SessionValues, 'secretNameOf' | 'hasSecrets'>): string {
  if (!values.hasSecrets) return args;
  try {
    const withNames = mapTexts(JSON.parse(args), (text) => {
      const name = values.secretNameOf(text);
      return name === undefined ? text : `\${${name}}`;
    });
    return JSON.stringify(withNames);
  } catch {
    return args;
  }
}
