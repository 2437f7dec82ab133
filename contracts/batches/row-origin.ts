import type { StartRequest } from '../sessions/start-request';

const ADDRESS = /https?:\/\/[^\s"'<>]+/i;
const VARIABLE = /\$\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;

/** The origin of the first address in the steps, with the variables in their places; undefined where there is none. */
export function firstOrigin({ steps, variables = {} }: StartRequest): string | undefined {
  for (const step of steps) {
    const text = typeof step === 'string' ? step : JSON.stringify(step);
    const filled = text.replace(VARIABLE, (name, key: string) => {
      const value = variables[key];
      return typeof value === 'string' ? value : name;
    });
    const address = ADDRESS.exec(filled)?.[0];
    if (address !== undefined && URL.canParse(address)) return new URL(address).origin;
  }
  return undefined;
}
