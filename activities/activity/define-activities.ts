import type { ErrorCode } from '../../contracts/errors/error-codes';
import type { ModuleId } from '../../contracts/modules/module-id';
import { activity, type ActivityCall } from './activity';
import { againAfterReset, type AdoptRun } from './adopt-run';

/** The code of an error that says nothing else (S1.38), the module whose error it is (S1.A16), and what the activity does. */
type ActivityEntry<Deps, Activity> = Activity extends (input: infer Input) => Promise<infer Output>
  ? readonly [ErrorCode, ModuleId, (deps: Deps, input: Input, call: ActivityCall) => Promise<Output>]
  : never;

/** An entry for each activity of an interface that workflows know. */
export type ActivityTable<Deps, Activities> = {
  readonly [Name in keyof Activities]: ActivityEntry<Deps, Activities[Name]>;
};

type AnyEntry<Deps> = ActivityEntry<Deps, (input: { sessionId?: string; stepIndex?: number }) => Promise<unknown>>;

/** Makes the activities of a table, closed over what they reach. */
export function createActivities<Deps, Activities>(
  deps: Deps,
  table: ActivityTable<Deps, Activities>,
  adoptRun?: AdoptRun,
): Activities {
  const entries = Object.entries(table) as [string, AnyEntry<Deps>][];
  const activities = entries.map(([name, [code, moduleId, work]]) => [
    name,
    activity(code, moduleId, (input: { sessionId?: string; stepIndex?: number }, call) =>
      againAfterReset(adoptRun, call, () => work(deps, input, call)),
    ),
  ]);
  return Object.fromEntries(activities) as Activities;
}
