import { parseStart } from '../../contracts/sessions/start-request';
import { isEngineVariable, nameableEnvironment } from '../../runtime/settings/floors/environment-names';
import { floorIssues, type Floors } from '../../runtime/settings/floors/floor-issues';
import { FLOORS } from '../../runtime/settings/floor-definitions';
import { MAIL } from '../../runtime/settings/mail-definitions';
import { NETWORK } from '../../runtime/settings/network-definitions';
import { WEBHOOKS } from '../../runtime/settings/webhook-definitions';
import { readGroup } from '../../runtime/settings/setting';

const floorsOf = (env: Record<string, string>): Floors =>
  readGroup({ ...FLOORS, ...NETWORK, ...WEBHOOKS, ...MAIL }, env);

function pathsOf(request: object, env: Record<string, string>): string[] {
  const parsed = parseStart({ steps: ['Go back'], ...request });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  return floorIssues(parsed.plan, floorsOf(env)).map(({ path }) => path);
}

const SECRETS = {
  c: { env: 'C', origins: ['https://a.test'] },
  d: { totp: { env: 'D' }, origins: ['https://a.test'] },
};

test.each<[string, object, Record<string, string>, string[]]>([
  [
    'asks people less than the operator requires',
    { config: { agent: { approvalMode: 'yolo' } } },
    { SUREFOOT_APPROVAL_FLOOR: 'default' },
    ['config.agent.approvalMode'],
  ],
  [
    'names another model than the operator allows, also in a step',
    { config: { aiConfig: { model: 'rules' } }, steps: [{ instruction: 'Go back', aiConfig: { model: 'rules' } }] },
    { SUREFOOT_ALLOWED_MODELS: 'vertexai:*' },
    ['config.aiConfig.model', 'steps[0].aiConfig.model'],
  ],
  [
    'has a larger budget, or one that lacks a limit of the operator',
    { config: { budget: { maxTokens: 200 } } },
    { SUREFOOT_MAX_BUDGET: '{"maxTokens": 100, "maxCost": "0.50"}' },
    ['config.budget.maxTokens', 'config.budget.maxCost'],
  ],
  [
    'has its tools called on another task queue',
    { config: { agent: { executor: 'client', clientQueue: 'surefoot-engine' } } },
    { SUREFOOT_CLIENT_QUEUES: 'surefoot-agent-*' },
    ['config.agent.clientQueue'],
  ],
  [
    'names an environment variable that the operator has not listed',
    { variables: { a: { env: 'A' }, b: { env: 'B' } }, secrets: SECRETS },
    { SUREFOOT_ENV_SECRETS: 'A' },
    ['variables.b.env', 'secrets.c.env', 'secrets.d.totp.env'],
  ],
  [
    'allows its session what the operator keeps all from',
    { config: { executorConfig: { allowedOrigins: ['https://evil.test', 'https://*.shop.test'] } } },
    { SUREFOOT_ALLOWED_ORIGINS: 'https://*.shop.test' },
    ['config.executorConfig.allowedOrigins'],
  ],
  [
    'gives its session a private address where only the operator does',
    { steps: ['Open http://127.0.0.1:4000/'] },
    { SUREFOOT_GIVEN_ORIGINS: 'off' },
    ['config.executorConfig.allowedOrigins'],
  ],
  [
    'names a webhook where the operator has no secret that signs it',
    { config: { webhook: { url: 'https://hooks.test/end' } } },
    {},
    ['config.webhook.url'],
  ],
  [
    'names a webhook on this machine that the operator has not listed',
    { config: { webhook: { url: 'http://127.0.0.1:4000/end' } } },
    { SUREFOOT_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}` },
    ['config.webhook.url'],
  ],
  [
    'asks for mails where the operator has no server for them',
    { config: { report: { mail: ['ops@acme.test'] } } },
    { SUREFOOT_SMTP_URL: 'smtps://mail.test' },
    ['config.report.mail'],
  ],
  [
    'sends mails out of the domain that sends them',
    { config: { report: { mail: ['OPS@acme.test', 'ops@evil-acme.test', 'ops@x.acme.test'] } } },
    { SUREFOOT_SMTP_URL: 'smtps://mail.test', SUREFOOT_MAIL_FROM: 'surefoot@acme.test' },
    ['config.report.mail[1]', 'config.report.mail[2]'],
  ],
  [
    'sends mails to others than the operator has listed',
    { config: { report: { mail: ['ops@acme.test', 'eve@acme.test', 'x@team.test'] } } },
    {
      SUREFOOT_SMTP_URL: 'smtp://mail.test:25',
      SUREFOOT_MAIL_FROM: 'surefoot@acme.test',
      SUREFOOT_MAIL_TO: 'ops@acme.test, @team.test',
    },
    ['config.report.mail[1]'],
  ],
])('a request is refused by its path that %s', (_, request, env, paths) => {
  expect(pathsOf(request, env)).toEqual(paths);
});

test('without floors a request may say all of it, but name no environment variable', () => {
  const config = { agent: { approvalMode: 'yolo' }, aiConfig: { model: 'rules' }, budget: { maxTokens: 10 } };
  expect(pathsOf({ config, steps: ['Open http://127.0.0.1:4000/'] }, {})).toEqual([]);
  expect(pathsOf({ variables: { password: { env: 'SHOP_PASSWORD' } } }, {})).toEqual(['variables.password.env']);
});

test('a mail server that is none is refused by a sentence without its password', () => {
  const read = (url: string) => () => floorsOf({ SUREFOOT_SMTP_URL: url });
  for (const url of ['mail.test', 'http://u:hunter2@mail.test', 'smtp://u:hunter2@mail.test/box'])
    expect(read(url)).toThrow(/^(?!.*hunter2).*SUREFOOT_SMTP_URL.*smtps:/);
});

test('settings of the engine are given to no session, even where they are listed', () => {
  const names = ['SUREFOOT_SECRET_KEY', 'DATABASE_URL', 'TEMPORAL_API_KEY', 'PGPASSWORD'];
  expect(names.filter(isEngineVariable)).toEqual(names);
  const env = { ...Object.fromEntries(names.map((name) => [name, 'x'])), SHOP_PASSWORD: 'y', HOME: '/' };
  expect(nameableEnvironment(env, [...names, 'SHOP_PASSWORD'])).toEqual({ SHOP_PASSWORD: 'y' });
  expect(() => floorsOf({ SUREFOOT_ENV_SECRETS: 'SHOP_PASSWORD DATABASE_URL' })).toThrow(/SUREFOOT_ENV_SECRETS/);
});
