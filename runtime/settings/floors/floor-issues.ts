import { networkPolicy } from '../../../contracts/browsers/network-policy';
import type { Issue } from '../../../contracts/errors/issues';
import { budgetIssues } from '../../../contracts/models/budget-floor';
import { modelChain } from '../../../contracts/models/model-name';
import { DEFAULT_MODEL } from '../../../contracts/sessions/config';
import { isListedServer, mailPort } from '../../../contracts/sessions/mailbox';
import { durationText } from '../../../contracts/sessions/schedule-duration';
import { isListedReference } from '../../../contracts/sessions/secret-place';
import { domainOf, isListedAddress } from '../../../contracts/sessions/failure-report';
import { sourceOf } from '../../../contracts/sessions/secrets';
import type { SessionPlan } from '../../../contracts/sessions/start-request';
import type { Step } from '../../../contracts/sessions/step-input';
import { webhookNetwork } from '../../../contracts/sessions/webhook';
import { guardOfUrl } from '../../egress/judge-endpoint';
import type { Settings } from '../settings';

/** What the operator has decided for all sessions, whatever their requests say. */
export type Floors = Pick<Settings, 'floors' | 'network' | 'webhooks' | 'mail'>;

/** From what asks least of people to what asks most. */
const APPROVAL_MODES = ['yolo', 'default', 'always'] as const;

/** What of a plan goes below a floor of the operator's. */
export function floorIssues(plan: SessionPlan, { floors, network, webhooks, mail }: Floors): Issue[] {
  const { agent, executor, ai, budget, webhook, report, reading } = plan.config;
  const issues: Issue[] = [];
  const forbid = (path: string, message: string): void => void issues.push({ path, message });

  const { approvalMode: least } = floors;
  if (APPROVAL_MODES.indexOf(agent.approvalMode) < APPROVAL_MODES.indexOf(least))
    forbid(
      'config.agent.approvalMode',
      `the operator requires at least ${least} (SUREFOOT_APPROVAL_FLOOR), got ${agent.approvalMode}`,
    );

  issues.push(...modelIssues('config.aiConfig.model', ai.model, floors.models), ...stepIssues(plan.steps, floors));
  if (reading !== undefined) issues.push(...modelIssues('config.reading', 'rules', floors.models));

  if (budget !== undefined && floors.budget !== undefined)
    issues.push(...budgetIssues(budget, floors.budget, 'config.budget.'));

  if (agent.clientQueue !== undefined && !isListed(floors.clientQueues, agent.clientQueue))
    forbid(
      'config.agent.clientQueue',
      `the operator allows ${floors.clientQueues.join(', ')} (SUREFOOT_CLIENT_QUEUES), got ${agent.clientQueue}`,
    );

  const policy = networkPolicy(executor.network ?? { allowPrivateAddresses: false }, network);
  for (const origin of [...(executor.network?.allowedOrigins ?? []), ...(executor.network?.givenOrigins ?? [])]) {
    const guard = guardOfUrl(policy, origin.replace('//*.', '//any.'));
    if (guard !== undefined)
      forbid(
        'config.executorConfig.allowedOrigins',
        `the operator keeps sessions from ${origin} (${guard}; SUREFOOT_ALLOWED_ORIGINS, SUREFOOT_PRIVATE_ORIGINS, SUREFOOT_GIVEN_ORIGINS)`,
      );
  }

  const named = [
    ...Object.entries(plan.variables).map(([name, value]) => ({
      path: `variables.${name}`,
      env: typeof value === 'string' ? undefined : value.env,
      from: undefined,
    })),
    ...Object.entries(plan.secrets ?? {}).map(([alias, secret]) => sourceOf(alias, secret)),
  ];
  for (const { path, env, from } of named) {
    if (from !== undefined && !isListedReference(floors.secretReferences, from))
      forbid(
        `${path}.from`,
        `${from} is not among the places that requests may name; the operator lists them in SUREFOOT_SECRET_REFERENCES`,
      );
    if (env !== undefined && !floors.envSecrets.includes(env))
      forbid(
        `${path}.env`,
        `${env} is not among the environment variables that requests may name; the operator lists them in SUREFOOT_ENV_SECRETS`,
      );
  }
  for (const [alias, { mailbox }] of Object.entries(plan.secrets ?? {}))
    if (mailbox !== undefined && !isListedServer(floors.mailServers, mailbox))
      forbid(
        `secrets.${alias}.mailbox.host`,
        `${mailbox.host}:${mailPort(mailbox)} is not among the mail servers that requests may name; the operator lists them in SUREFOOT_MAIL_SERVERS`,
      );
  if (webhook !== undefined) issues.push(...webhookIssues(webhook.url, webhooks));
  if (report !== undefined) issues.push(...mailIssues(report.mail, mail, 'config.report.mail'));
  return issues;
}

/** What keeps a webhook from being delivered; a name is resolved when it is. */
function webhookIssues(url: string, { secrets, origins }: Floors['webhooks']): Issue[] {
  const path = 'config.webhook.url';
  if (secrets.length === 0)
    return [{ path, message: 'webhooks need a secret that signs them; the operator sets SUREFOOT_WEBHOOK_SECRET' }];
  const guard = guardOfUrl(webhookNetwork(origins), url);
  if (guard === undefined) return [];
  const message = `webhooks do not reach ${new URL(url).origin} (${guard}); the operator lists private origins that they may reach in SUREFOOT_WEBHOOK_ORIGINS`;
  return [{ path, message }];
}

/** What keeps mails from being sent to the addresses at a path of a request. */
export function mailIssues(
  addresses: readonly string[],
  { server, from, recipients }: Floors['mail'],
  path: string,
): Issue[] {
  if (server === undefined || from === undefined)
    return [{ path, message: 'mails need a server; the operator sets SUREFOOT_SMTP_URL and SUREFOOT_MAIL_FROM' }];
  const allowed = recipients.length === 0 ? [domainOf(from)] : recipients;
  return [...addresses.entries()]
    .filter(([, address]) => !isListedAddress(allowed, address))
    .map(([index, address]) => ({
      path: `${path}[${index}]`,
      message: `${address} is not among those who may get mails (${allowed.join(', ')}); the operator lists them in SUREFOOT_MAIL_TO`,
    }));
}

/** What of steps, given with a session or added to it, goes below a floor. */
export function stepIssues(
  steps: readonly Step[],
  { models, waitEveryMs }: Pick<Settings['floors'], 'models' | 'waitEveryMs'>,
): Issue[] {
  return steps.flatMap(({ options, wait }, index) => [
    ...modelIssues(`steps[${index}].aiConfig.model`, options.aiConfig.model, models),
    ...(wait !== undefined && wait.everyMs < waitEveryMs
      ? [
          {
            path: `steps[${index}]`,
            message: `a wait may look every ${durationText(waitEveryMs)} at most (SUREFOOT_SHORTEST_WAIT_MS), got ${durationText(wait.everyMs)}`,
          },
        ]
      : []),
  ]);
}

/** What keeps a session from a model, or from one of a chain; the workers' own is always allowed. */
export function modelIssues(path: string, model: string, allowed: readonly string[]): Issue[] {
  const other = modelChain(model).find((name) => name !== DEFAULT_MODEL && !isListed(allowed, name));
  if (other === undefined) return [];
  return [{ path, message: `the operator allows ${allowed.join(', ')} (SUREFOOT_ALLOWED_MODELS), got ${other}` }];
}

/** An empty list allows everything; a name may end with `*`. */
function isListed(list: readonly string[], name: string): boolean {
  if (list.length === 0) return true;
  return list.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
}
