/**
 * The floors of the sources and the rooms of each, from bottom to top: a room imports rooms that stand before it, and a
 * floor what it names in `imports`; of what it names in `types` it takes types alone. `.` stands for the files of a folder
 * itself. docs/architecture.md says what each is for.
 */
const floors = {
  contracts: {
    imports: [],
    rooms: `. files browsers errors commands results models recipes steps tasks approvals sessions batches model-port modules
      tools agents messages relay events`,
  },
  runtime: { imports: ['contracts'], rooms: 'http payloads egress settings . schemas' },
  rules: { imports: ['contracts'], rooms: 'language page-text matching proposals planning tasks .' },
  store: {
    imports: ['contracts', 'runtime'],
    rooms: `schema database files approvals artifacts messages recipes relay results stalls webhooks effects events uploads journal models
      browsers profiles sessions batches retention operations . endings`,
  },
  activities: {
    imports: ['contracts', 'runtime', 'rules', 'store'],
    rooms: `deeds signatures activity secrets results recorded browser/attach browser/pages browser/checkpoints
      browser/targets browser/approval-view engine/models engine/tools engine/recipes engine/decide engine/sessions
      engine/tasks engine/mailbox engine/batches engine/webhooks browser/commands browser/takeover browser/lease steps .`,
  },
  // Workflow code is deterministic: it knows activities by their types.
  workflows: {
    imports: ['contracts'],
    types: ['activities'],
    rooms: 'proxies state turns webhooks browsers waits sessions batches messages models tasks steps parallel .',
  },
  service: {
    imports: ['contracts', 'runtime', 'rules', 'store', 'workflows/messages/definitions'],
    rooms:
      'port connection rows events files recipes effects profiles steps sessions messages schedules batches operations report coordinator .',
  },
  // An engine worker delivers messages as their givers do, forks a session that was reset, and knows the workflows by path.
  worker: {
    imports: [
      'contracts',
      'runtime',
      'store',
      'activities',
      'service/messages',
      'service/sessions',
      'service/batches',
      'client/workflows',
    ],
    rooms: `keeper/deeds keeper/evidence keeper/host keeper/devtools keeper/cdp keeper/chrome keeper/network keeper/egress
      keeper/playwright keeper/browsers keeper/. .`,
  },
  api: {
    imports: ['contracts', 'runtime', 'store', 'service'],
    rooms: 'http openapi relay streams middleware routes .',
  },
  client: {
    imports: ['contracts', 'runtime', 'store', 'service'],
    types: ['api/routes'],
    rooms: 'workflows agent http remote-browser . engine',
  },
  // The page: bundled for browsers, so it is not compiled to dist/ as the others are.
  web: {
    imports: ['contracts', 'client/http', 'examples'],
    rooms: 'style elements connection answers sessions session start schedules operations .',
    isBundled: true,
  },
  cli: {
    imports: ['contracts', 'runtime', 'store', 'service', 'client'],
    rooms: `stack/reporting stack/ports stack/programs stack/supervisor terminal stack/postgres context doctor files input
      eval render follow recipes stack/. profiles schedules batches mcp commands .`,
  },
};

/** Rooms that start what stands above their floor: the parts of the product in one process of a program. */
const compositions = { 'client/engine': ['api', 'worker', 'cli'] };

/** Rooms of a floor that import less than it: the keeper goes on without workers and activities. */
const narrower = { 'worker/keeper': ['contracts', 'runtime', 'store'] };

/** Rooms that do without others of their floor: an engine worker drives no browser, and loads no Playwright. */
const apart = { 'activities/engine': ['activities/browser'] };

module.exports = { apart, compositions, floors, narrower };
