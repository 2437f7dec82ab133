import { isolationIssues } from './isolation-issues';
import {
  DEFAULT_AI_CONNECTION,
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_MAX_RETRIES,
  DEFAULT_MODEL,
  type SessionConfig,
  type StartConfig,
} from './config';
import { agentConfigIssues, resolveAgentConfig, type AgentConfigInput } from '../tasks/agent-config';
import { budgetOf } from '../models/budget';
import { resolveIdempotency } from '../browsers/idempotency';
import { modelProblem } from '../models/model-name';
import { DEFAULT_OBSERVATION } from '../browsers/observation';
import { launchedBrowserIssues, launchedBrowserWarnings, launchedTypeOf } from './launched-browser';
import { DEFAULT_OUTCOME_POLICY, type OutcomePolicy } from './outcome-policy';
import { timeoutValidator, withLoweredDefaults } from './timeouts';
import type { Issue } from '../errors/issues';

export type ResolvedConfig =
  { kind: 'valid'; config: SessionConfig; warnings: string[] } | { kind: 'invalid'; issues: Issue[] };

function conflict(
  path: string,
  first: string | number | undefined,
  otherPath: string,
  second: string | number | undefined,
): Issue[] {
  if (first === undefined || second === undefined || first === second) return [];
  return [
    {
      path,
      message: `${path} is ${String(first)} but ${otherPath} is ${String(second)}; give one of them, or the same value twice`,
    },
  ];
}

/**
 * `timeoutMs` of the AI and executor configs stands for requestTimeoutMs there and must satisfy the hierarchy as well
 * (S1.A39). The default of connectionTimeoutMs gives way to them.
 */
function overrideIssues(config: StartConfig, stepTimeoutMs: number): Issue[] {
  const connectionTimeoutMs = config.timeouts?.connectionTimeoutMs ?? 0;
  return (['aiConfig', 'executorConfig'] as const).flatMap((name) => {
    const timeoutMs = config[name]?.timeoutMs;
    const path = `config.${name}.timeoutMs`;
    if (timeoutMs === undefined) return [];
    if (timeoutMs > stepTimeoutMs)
      return [{ path, message: `${timeoutMs} is more than stepTimeoutMs (${stepTimeoutMs})` }];
    if (timeoutMs < connectionTimeoutMs)
      return [{ path, message: `${timeoutMs} is less than connectionTimeoutMs (${connectionTimeoutMs})` }];
    return [];
  });
}

function modelIssues(config: StartConfig): Issue[] {
  const model = config.aiConfig?.model;
  const problem = model === undefined || model === DEFAULT_MODEL ? undefined : modelProblem(model);
  return problem === undefined ? [] : [{ path: 'config.aiConfig.model', message: problem }];
}

function withDefaults<T extends object>(defaults: T, given: { [K in keyof T]?: T[K] | undefined } = {}): T {
  const keys = Object.keys(defaults) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, given[key] ?? defaults[key]])) as T;
}

/** Fills in the defaults of S1.A2 and refuses what contradicts itself. Pure: the API, the CLI and the workflow call it alike. */
export function resolveConfig(config: StartConfig = {}): ResolvedConfig {
  const { timeouts, warnings } = withLoweredDefaults({
    ...config.timeouts,
    ...(config.maxExecutionTime === undefined ? {} : { workflowTimeoutMs: config.maxExecutionTime }),
  });
  const verdict = timeoutValidator.validateTimeoutHierarchy(timeouts);
  const issues: Issue[] = [
    ...conflict(
      'config.aiConnectionId',
      config.aiConnectionId,
      'config.aiConfig.connectionId',
      config.aiConfig?.connectionId,
    ),
    ...conflict(
      'config.browserType',
      config.browserType,
      'config.executorConfig.browserType',
      config.executorConfig?.browserType,
    ),
    ...conflict(
      'config.maxExecutionTime',
      config.maxExecutionTime,
      'config.timeouts.workflowTimeoutMs',
      config.timeouts?.workflowTimeoutMs,
    ),
    ...launchedBrowserIssues(config),
    ...isolationIssues(config),
    ...modelIssues(config),
    ...agentConfigIssues((config.agent ?? {}) as AgentConfigInput),
    ...verdict.errors.map((message) => ({ path: 'config.timeouts', message })),
    ...(verdict.isValid ? overrideIssues(config, timeouts.stepTimeoutMs) : []),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues };
  const { idempotency, allowedOrigins, allowPrivateAddresses = false } = config.executorConfig ?? {};
  return {
    kind: 'valid',
    warnings: [...warnings, ...verdict.warnings, ...launchedBrowserWarnings(config)],
    config: {
      ai: {
        ...withDefaults<Omit<SessionConfig['ai'], 'connectionId'>>(
          { model: DEFAULT_MODEL, temperature: 0.1, maxTokens: 4000, timeoutMs: timeouts.requestTimeoutMs },
          config.aiConfig,
        ),
        connectionId: config.aiConnectionId ?? config.aiConfig?.connectionId ?? DEFAULT_AI_CONNECTION,
      },
      executor: {
        ...withDefaults<
          Omit<SessionConfig['executor'], 'browserType' | 'idempotency' | 'isolation' | 'network' | 'recording'>
        >({ headless: true, timeoutMs: timeouts.requestTimeoutMs, screenshotsEnabled: true }, config.executorConfig),
        browserType: launchedTypeOf(config) ?? 'chromium',
        ...(idempotency === undefined ? {} : { idempotency: resolveIdempotency(idempotency) }),
        ...(config.recording === true ? { recording: true as const } : {}),
        ...(config.isolation === 'context' ? { isolation: 'context' as const } : {}),
        ...(allowedOrigins === undefined && !allowPrivateAddresses
          ? {}
          : {
              network: {
                ...(allowedOrigins === undefined ? {} : { allowedOrigins: [...new Set(allowedOrigins)] }),
                allowPrivateAddresses,
              },
            }),
      },
      stream: withDefaults<SessionConfig['stream']>(
        { bufferSize: 1000, maxHistorySize: 10_000, compressionEnabled: true },
        config.streamConfig,
      ),
      enableStreaming: config.enableStreaming ?? true,
      timeouts,
      maxIterations: config.maxIterations ?? DEFAULT_MAX_ITERATIONS,
      validationMode: config.validationMode ?? 'strict',
      observation: withDefaults(DEFAULT_OBSERVATION, config.observation),
      enableReflection: config.enableReflection ?? true,
      retryOnFailure: config.retryOnFailure ?? false,
      maxRetries: config.maxRetries ?? DEFAULT_MAX_RETRIES,
      ...(config.parallelExecution === true ? { parallelExecution: true as const } : {}),
      // An investigation is made of calls of a model.
      investigation: config.replay === 'only' ? 'never' : (config.investigation ?? 'when-due'),
      ...(config.reading === undefined ? {} : { reading: config.reading }),
      ...(config.replay === undefined ? {} : { replay: config.replay }),
      ...(config.outcomes === undefined
        ? {}
        : { outcomes: withDefaults<OutcomePolicy>(DEFAULT_OUTCOME_POLICY, config.outcomes) }),
      agent: resolveAgentConfig(config.agent),
      ...(config.agent?.approvalMode === undefined ? {} : { asksInSteps: true as const }),
      ...(config.budget === undefined ? {} : { budget: budgetOf(config.budget) }),
      ...(config.webhook === undefined ? {} : { webhook: config.webhook }),
      ...(config.report === undefined ? {} : { report: { mail: [...new Set(config.report.mail)] } }),
      ...(config.once === undefined ? {} : { once: config.once }),
    },
  };
}
