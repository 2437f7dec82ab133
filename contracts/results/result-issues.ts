import type { Issue } from '../errors/issues';
import { resultOfWords } from './extract-words';
import type { ResultRequest } from './result-request';

/** A step as a request has it, with what of it concerns results. */
type GivenStep = string | { instruction?: string; tool?: string; extract?: string; result?: ResultRequest | undefined };

/** Why the results that a request wants can not be had: they are read in the engine's own browser, by a schema. */
export function resultIssues(
  steps: readonly GivenStep[],
  { agent: { executor } }: { agent: { executor: string } },
  result?: ResultRequest,
): Issue[] {
  const own = steps.flatMap((step, index) => {
    const isWanted = typeof step === 'object' && (step.extract !== undefined || step.result !== undefined);
    return isWanted ? [{ ...step, path: `steps[${index}]` }] : [];
  });
  const [first] = [...(result === undefined ? [] : [{ path: 'result' }]), ...own];
  if (first !== undefined && executor !== 'playwright') {
    const message = `a result is read in the engine's own browser, and this session has ${executor} (config.agent.executor)`;
    return [{ path: first.path, message }];
  }
  if (result !== undefined) return [];
  const isSchemaless = ({ extract, result: given }: (typeof own)[number]): boolean =>
    extract !== undefined && given === undefined && resultOfWords(`Extract ${extract}`) === undefined;
  return own.filter(isSchemaless).map(({ path }) => ({
    path: `${path}.result`,
    message: 'expected a schema, or an extract that names the parts, as in “all products with name, price and link”',
  }));
}
