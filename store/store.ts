import { join } from 'node:path';
import type { Settings } from '../runtime/settings/settings';
import { DEPENDENCY_TOKENS, type ModuleRegistration } from '../contracts/modules/dependencies';
import { createApprovals, type Approvals } from './approvals/approvals';
import { createApprovedViews, type ApprovedViews } from './approvals/approved-views';
import { createArtifacts, type Artifacts } from './artifacts/artifacts';
import { createRecordings, type Recordings } from './artifacts/recordings';
import { openFiles } from './files/open-files';
import { createLogNotifier } from './events/log-notifier';
import { createBatches, type Batches } from './batches/batches';
import { createBrowserRequests, type BrowserRequests } from './browsers/browser-requests';
import { createCheckpoints, type Checkpoints } from './browsers/checkpoints';
import { createStepCheckpoints, type StepCheckpoints } from './browsers/step-checkpoints';
import { connect } from './database/connect';
import { migrate } from './database/migrate';
import { withReadTimeout } from './database/read-timeout';
import { createEffects, type Effects } from './effects/effects';
import { createEventLog, type EventLog } from './events/event-log';
import { createInvestigations, type Investigations } from './models/investigations';
import { createIntentWitness, type IntentWitness } from './journal/intent-witness';
import { createJournal, type Journal } from './journal/journal';
import { createHosts, createLeases, type Hosts, type Leases } from './browsers/leases';
import { createProfiles, type Profiles } from './profiles/profiles';
import { createProcesses, type Processes } from './processes';
import { createMessages, type Messages } from './models/messages';
import { createModuleSessions, type ModuleSessions } from './sessions/module-sessions';
import { createModelCalls, type ModelCalls } from './models/model-calls';
import { createOperationsReader, type OperationsReader } from './operations/operations';
import { createRecipeRows, type RecipeRows } from './recipes/recipes';
import { createWebhookDeliveries, type WebhookDeliveries } from './webhooks/webhook-deliveries';
import { createResults, type Results } from './results/results';
import { createRelayAnswers, type RelayAnswers } from './relay/relay-answers';
import { createNotifier, type Notifier } from './database/notifier';
import { createLiveFrames, type LiveFrames } from './browsers/live-frames';
import { createTakeovers, type Takeovers } from './browsers/takeovers';
import { createRelayCalls, type RelayCalls } from './relay/relay-calls';
import { createRelaySessions, type RelaySessions } from './relay/relay-sessions';
import { createControlMessages, type ControlMessages } from './messages/control-messages';
import { createRunProgress, type RunProgressStore } from './sessions/run-progress';
import { createSealer } from './database/sealer';
import { createSecretLeases, type SecretLeases } from './sessions/secret-leases';
import { createSecrets, type Secrets } from './sessions/secrets';
import { watchSessions, type SessionListener, type SessionWatch } from './sessions/session-watch';
import { createSessionRows, type SessionRows } from './sessions/sessions';
import { createStepMemory, type StepMemory } from './models/step-memory';
import { removeOrphanFiles } from './retention/orphan-files';
import { createStalls, type Stalls } from './stalls/stalls';
import { createToolCalls, type ToolCalls } from './journal/tool-calls';
import { createRetention, type RetentionPolicy, type Retention } from './retention/retention';
import { createUploadRows, type UploadRows } from './uploads/uploads';
import { createVariables, type Variables } from './sessions/variables';
import { createWorkingMemory, type WorkingMemory } from './models/working-memory';

/** Everything that is stored outside Temporal: one Postgres, one artifact folder, and what this host has noted. */
export interface Store {
  log: EventLog;
  journal: Journal;
  /** What is to happen once. */
  effects: Effects;
  /** What this host has noted of the journal. */
  witness: IntentWitness;
  sessions: SessionRows;
  runProgress: RunProgressStore;
  moduleSessions: ModuleSessions;
  controlMessages: ControlMessages;
  /** Notifies of every session that is written, until it is stopped. */
  watch(listener: SessionListener): SessionWatch;
  leases: Leases;
  hosts: Hosts;
  profiles: Profiles;
  batches: Batches;
  browserRequests: BrowserRequests;
  processes: Processes;
  operations: OperationsReader;
  stalls: Stalls;
  memory: StepMemory;
  investigations: Investigations;
  workingMemory: WorkingMemory;
  modelCalls: ModelCalls;
  messages: Messages;
  variables: Variables;
  results: Results;
  webhooks: WebhookDeliveries;
  recipes: RecipeRows;
  secrets: Secrets;
  secretLeases: SecretLeases;
  artifacts: Artifacts;
  recordings: Recordings;
  uploads: UploadRows;
  approvals: Approvals;
  approvedViews: ApprovedViews;
  toolCalls: ToolCalls;
  checkpoints: Checkpoints;
  stepCheckpoints: StepCheckpoints;
  liveFrames: LiveFrames;
  takeovers: Takeovers;
  /** Remote browsers. */
  relay: { sessions: RelaySessions; calls: RelayCalls; answers: RelayAnswers; notifier: Notifier };
  retention: Retention & {
    /** Files that no row knows; resolves to how many there were. */
    removeOrphans(keep: Pick<RetentionPolicy, 'artifactHours'>): Promise<number>;
  };
  /**
   * When the server of the database has started: it is another time after each restart, failover or restore. `knownUntil`: the
   * newest moment before that which a session's row names; a database that was put back knew of no later session then.
   */
  startedAt(recentMs: number): Promise<{ startedAt: string; isRecent: boolean; knownUntil: Date | null }>;
  /** Rejects when the database can't be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store, bringing the schema to the newest version first. `home` is the folder that the notes of this host lie under, and artifacts where `files` names no bucket. */
export async function openStore(options: {
  databaseUrl: string;
  home: string;
  maxConnections?: number;
  secretKey?: string | undefined;
  files?: Partial<Settings['files']>;
}): Promise<Store> {
  await migrate(options.databaseUrl);
  const sql = connect(options.databaseUrl, options);
  const openListener = () => connect(options.databaseUrl, { maxConnections: 1 });
  const logNotifier = createLogNotifier(sql, openListener);
  const files = openFiles(join(options.home, 'artifacts'), options.files);
  const sealer = createSealer(options);
  const artifacts = createArtifacts(sql, files);
  const witness = createIntentWitness(join(options.home, 'witness'));
  return {
    log: createEventLog(sql, logNotifier),
    journal: createJournal(sql, logNotifier, witness),
    effects: createEffects(sql),
    witness,
    sessions: createSessionRows(sql, sealer),
    runProgress: createRunProgress(sql),
    moduleSessions: createModuleSessions(sql),
    controlMessages: createControlMessages(sql),
    watch: (listener) => watchSessions(sql, openListener, listener),
    leases: createLeases(sql, witness),
    hosts: createHosts(sql),
    profiles: createProfiles(sql, sealer),
    batches: createBatches(sql),
    browserRequests: createBrowserRequests(sql),
    processes: createProcesses(sql, sealer.keyId),
    operations: createOperationsReader(sql),
    stalls: createStalls(sql),
    memory: createStepMemory(sql),
    investigations: createInvestigations(sql),
    workingMemory: createWorkingMemory(sql),
    modelCalls: createModelCalls(sql),
    messages: createMessages(sql, logNotifier),
    variables: createVariables(sql),
    results: createResults(sql),
    webhooks: createWebhookDeliveries(sql),
    recipes: createRecipeRows(sql),
    secrets: createSecrets(sql, sealer),
    secretLeases: createSecretLeases(sql, sealer),
    artifacts,
    recordings: createRecordings(sql, artifacts),
    uploads: createUploadRows(sql, files),
    approvals: createApprovals(sql),
    approvedViews: createApprovedViews(sql, sealer),
    toolCalls: createToolCalls(sql, logNotifier),
    checkpoints: createCheckpoints(sql, sealer),
    stepCheckpoints: createStepCheckpoints(sql, sealer),
    liveFrames: createLiveFrames(sql, openListener),
    takeovers: createTakeovers(sql, openListener, sealer),
    relay: {
      sessions: createRelaySessions(sql, sealer),
      calls: createRelayCalls(sql),
      answers: createRelayAnswers(sql),
      notifier: createNotifier(sql, openListener, 'surefoot_relay'),
    },
    retention: { ...createRetention(sql, files), removeOrphans: (keep) => removeOrphanFiles(sql, files, keep) },
    async startedAt(recentMs) {
      const [row] = await withReadTimeout(sql<{ startedAt: string; isRecent: boolean; knownUntil: Date | null }[]>`
        select pg_postmaster_start_time()::text as started_at,
          pg_postmaster_start_time() > clock_timestamp() - ${recentMs} * interval '1 millisecond' as is_recent,
          (select greatest(max(created_at) filter (where created_at < pg_postmaster_start_time()),
            max(last_activity) filter (where last_activity < pg_postmaster_start_time())) from sessions) as known_until`);
      return row!;
    },
    async ping() {
      await sql`select 1`;
    },
    async close() {
      await logNotifier.close();
      files.close();
      await sql.end({ timeout: 5 });
    },
  };
}

/** Registers the store as a module, opened with its process's settings and logger. */
export function databaseModule<S, L>(open: (settings: S, logger: L) => Promise<Store>): ModuleRegistration {
  const { DATABASE, CONFIG_MANAGER, LOGGER } = DEPENDENCY_TOKENS;
  return {
    moduleId: DATABASE,
    dependencies: [CONFIG_MANAGER, LOGGER],
    factory: (container) => open(container.resolve<S>(CONFIG_MANAGER), container.resolve<L>(LOGGER)),
    singleton: true,
    initializeAsync: true,
  };
}
