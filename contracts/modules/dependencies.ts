/** S1.50: dependencies by token. A function that is registered is a factory, anything else an instance (S1.A15). */
export interface DIContainer {
  register<T>(token: string, factory: () => T): void;
  register<T>(token: string, instance: T): void;
  resolve<T>(token: string): T;
  resolveAll<T>(token: string): T[];
  createScope(): DIContainer;
}

/** S1.51: how a module declares itself to the container. */
export interface ModuleRegistration {
  moduleId: string;
  dependencies: string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- S1.51.3 says any: what a module is, only its users know.
  factory: (container: DIContainer) => any;
  singleton: boolean;
  initializeAsync?: boolean | undefined;
}

/** S1.52. */
export const DEPENDENCY_TOKENS = {
  SESSION_COORDINATOR: 'SessionCoordinator',
  ERROR_HANDLER: 'ErrorHandler',
  LOGGER: 'Logger',
  CONFIG_MANAGER: 'ConfigManager',
  STEP_PROCESSOR: 'IStepProcessor',
  TASK_LOOP: 'ITaskLoop',
  EXECUTOR: 'IExecutor',
  AI_INTEGRATION: 'IAIIntegration',
  CONTEXT_MANAGER: 'IAIContextManager',
  SCHEMA_MANAGER: 'IAISchemaManager',
  PROMPT_MANAGER: 'IAIPromptManager',
  EXECUTOR_STREAMER: 'IExecutorStreamer',
  EVENT_PUBLISHER: 'IEventPublisher',
  AI_CONNECTION: 'AIConnection',
  DATABASE: 'Database',
  FILE_SYSTEM: 'FileSystem',
} as const;
