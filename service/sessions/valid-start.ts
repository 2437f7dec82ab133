import { connectionIssues, type Connections } from '../../contracts/sessions/model-connections';
import { secretValues, sourceIssues, sourceOf } from '../../contracts/sessions/secrets';
import type { ParsedStart, StartRequest, ValidStart } from '../../contracts/sessions/start-request';
import type { Issue } from '../../contracts/errors/issues';
import { EXPECTED_SEED, parseSeed } from '../../runtime/one-time-codes';
import { dependentStepIssues } from '../../rules/planning/independent-steps';
import { pageWaitReadingIssues } from '../../rules/planning/page-wait';
import { siteCheckIssues } from '../../rules/planning/site-check';
import { schemaIssues } from '../../runtime/schemas/given-schemas';
import { floorIssues, type Floors } from '../../runtime/settings/floors/floor-issues';
import { invalid, refuseBelowFloor } from '../connection/invalid';

/** A shorter value may occur in any text by chance. */
const MIN_SECRET_LENGTH = 5;

/** What of an installation says which starts are valid. */
export interface StartRules {
  floors?: Floors | undefined;
  /** The model connections that a session may name. */
  connections?: Connections | undefined;
}

interface Refusal {
  /** As in "The session can not be started". */
  what?: string;
  /** Where the request is in that of the caller. */
  at?: string;
  /** What else is not allowed there. */
  also?: (start: ValidStart) => Issue[];
}

/** Returns a start that is valid whole, also by its schemas and what the operator allows; throws ClientError otherwise. */
export async function requireValidStart(
  { connections = {}, floors }: StartRules,
  parsed: ParsedStart,
  { what = 'The session can not be started', at = '', also = () => [] }: Refusal = {},
): Promise<ValidStart> {
  const placed = (issues: readonly Issue[]): Issue[] =>
    issues.map(({ path, message }) => ({ path: [at, path].filter((part) => part !== '').join('.'), message }));
  if (parsed.kind === 'invalid') throw invalid(what, placed(parsed.issues));
  const issues = [
    ...sourceIssues(parsed.request),
    ...seedIssues(parsed.request),
    ...(await schemaIssues(parsed.request)),
    ...siteCheckIssues(givenSteps(parsed.plan)),
    ...pageWaitReadingIssues(givenSteps(parsed.plan)),
    ...dependentStepIssues(parsed.plan),
    ...secretValueIssues(parsed),
    ...connectionIssues(parsed.plan, connections),
    ...also(parsed),
  ];
  if (issues.length > 0) throw invalid(what, placed(issues));
  if (floors !== undefined) refuseBelowFloor(what, placed(floorIssues(parsed.plan, floors)));
  return parsed;
}

/** Without the one that signs in, which no request has. */
function givenSteps({ steps }: ValidStart['plan']): ValidStart['plan']['steps'] {
  return steps.filter(({ signIn }) => signIn === undefined);
}

/** A seed that a worker reads from its environment is checked there. */
function seedIssues({ secrets = {} }: StartRequest): Issue[] {
  return Object.entries(secrets).flatMap(([alias, secret]) => {
    const { path, value } = sourceOf(alias, secret);
    if (secret.totp === undefined || value === undefined || parseSeed(value) !== undefined) return [];
    return [{ path: `${path}.value`, message: EXPECTED_SEED }];
  });
}

/** Refuses steps that contain a secret, because steps go to the model and to the log unchanged. */
function secretValueIssues({ request, plan: { steps } }: ValidStart): Issue[] {
  return Object.entries(secretValues(request)).flatMap(([alias, value]) =>
    steps.flatMap(({ instruction }, index) =>
      value.length > MIN_SECRET_LENGTH && instruction.includes(value)
        ? [
            {
              path: `steps[${index}]`,
              message: `it has the value of the secret ${alias} in it; write \${${alias}} instead`,
            },
          ]
        : [],
    ),
  );
}
