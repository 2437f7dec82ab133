import type { StartRequest } from '../sessions/start-request';

/** What the session of a row is started with. An empty column leaves a variable of the request as it is. */
export function rowRequest(request: StartRequest, columns: Readonly<Record<string, string>>): StartRequest {
  const given = Object.entries(columns).filter(([name, value]) => value !== '' || !isGiven(request, name));
  return { ...request, variables: { ...request.variables, ...Object.fromEntries(given) } };
}

/** Whether the request itself has a value for a variable. */
export function isGiven({ variables = {} }: StartRequest, name: string): boolean {
  return Object.hasOwn(variables, name) && variables[name] !== '';
}
