import { EFFECT_CLASS, type BrowserParameters } from '../../../../contracts/commands/commands';
import type { ApprovalView } from '../../../../contracts/browsers/approval-view';
import type { PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { viewKey, type PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { BrowserToolName } from '../../../../contracts/tools/browser-tools';
import { fingerprintOf } from '../../../recorded/fingerprint';
import { canonicalJson } from '../../../../contracts/json';
import type { BrowserPlan, PlanContext } from './browser-plan';
import type { PlannedFacts, CallPlanContext, CallToPlan } from './call-facts';
import { toBrowserCard } from './confirmation-cards';
import { judgeCommand } from '../../../deeds/judge-deed';
import type { PressedPlace } from '../../../deeds/judgement';
import { refIn } from '../../../../rules/page-text/durable-target';
import { placeWordsOfRef } from '../../../../rules/page-text/place-words';
import { elementOf, targetSurroundings } from './element';
import { PLANNERS } from '../planners';
import { hostOf } from '../planners/sites';
import { truncateMiddle } from '../../../../rules/page-text/truncate-middle';
import { digest } from './to-planned-call';
import { Refusal } from './arguments';

/** Plans a call as one command in the session's own browser. */
export function browserFacts(
  { page, values }: CallPlanContext,
  { commandId, args }: CallToPlan,
  name: BrowserToolName,
): PlannedFacts {
  const planner = PLANNERS[name] as (args: unknown, context: PlanContext) => BrowserPlan;
  const plan = withJudgement(planner(args, page), page, args);
  const { action, target, toTarget, classification, navigatesTo, leadsTo = '', approvalScope } = plan;
  const parameters: BrowserParameters = plan.parameters;
  const { url } = page.snapshot;
  const [documentUrl = ''] = url.split('#');
  const planned: PlannedCommand = {
    commandId,
    action,
    parameters,
    ...(target === undefined ? {} : { target, ...placeOf(page, args['ref']) }),
    ...(toTarget === undefined ? {} : { toTarget }),
  };
  const view = viewOf(page.snapshot, planned, plan.summary);
  const command = view === undefined ? planned : { ...planned, viewDigest: view.digest };
  const shown = redactPlan(plan, () => planner(values.redactAll(args), page));
  // “Always” is remembered for what was shown: an element on its site, and what has no element on its page.
  const place = target === undefined ? documentUrl : hostOf(url);
  const aim =
    target === undefined ? '' : canonicalJson({ ...target, around: targetSurroundings(page.snapshot, target) });
  return {
    classification,
    effect: EFFECT_CLASS[action],
    card: toBrowserCard(shown, url),
    summary: truncateMiddle(shown.summary, 300),
    view,
    identity: `${documentUrl} ${aim}${leadsTo}${view?.digest ?? ''}`,
    // Its target stands for the ref, which is another one in each snapshot.
    ...(target === undefined
      ? {}
      : { boundArgs: { ...args, ref: undefined, ...(toTarget === undefined ? {} : { to_ref: toTarget.selector }) } }),
    run: { kind: 'browser', command },
    navigatesTo,
    pageUrl: url,
    actionDigest: digest(action, canonicalJson(parameters), aim, fingerprintOf(page.snapshot)),
    approvalScope:
      approvalScope === undefined || parameters.url !== undefined ? approvalScope : `${approvalScope} on ${place}`,
  };
}

/** What deletes, pays, orders or sends can't be taken back; what can't be judged is asked about as if it did. */
function withJudgement(plan: BrowserPlan, page: PlanContext, args: Record<string, unknown>): BrowserPlan {
  const placeOfRef = (ref: unknown): PressedPlace | undefined =>
    typeof ref === 'string' ? elementOf(page, ref).place : undefined;
  const { snapshot, sentBefore, requestOfPage } = page;
  const [place, toPlace] = [placeOfRef(args['ref']), placeOfRef(args['to_ref'])];
  const judged = judgeCommand({ snapshot, pageUrl: snapshot.url, sentBefore, requestOfPage, place, toPlace }, plan);
  return judged.kind === 'harmless' ? plan : { ...plan, classification: 'destructive', why: judged.why };
}

/** What distinguishes the element from its equals, by the snapshot that the model was shown, or else by the newest. */
function placeOf({ shownSnapshot, snapshot }: PlanContext, ref: unknown): Pick<PlannedCommand, 'within'> {
  const id = typeof ref === 'string' ? refIn(ref) : undefined;
  const within = id && (placeWordsOfRef(shownSnapshot, id) ?? placeWordsOfRef(snapshot, id));
  return within === undefined ? {} : { within };
}

/** What a person is shown of the page for this command, where the newest snapshot was taken to ask about it. */
function viewOf({ view, url }: PageSnapshot, command: PlannedCommand, summary: string): ApprovalView | undefined {
  if (view === undefined || view.of !== viewKey(command)) return undefined;
  if (view.found !== undefined) return view.found;
  throw new Refusal(
    `The page has changed, and what it takes to “${summary}” is not on ${url} now: read the page again.`,
  );
}

/** Plans the card from redacted arguments, because truncating first could show the part of a secret before the cut. */
function redactPlan(plan: BrowserPlan, planRedacted: () => BrowserPlan): BrowserPlan {
  try {
    // The whole arguments say whether a person is asked: without them a card could be missing.
    return { ...planRedacted(), classification: plan.classification, why: plan.why };
  } catch (error) {
    // A host that is redacted can't be parsed as an address.
    if (!(error instanceof Refusal)) throw error;
    return plan;
  }
}
