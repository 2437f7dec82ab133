/** Values as they come over the wire, with every member that the contract names. */

export const AT = '2026-01-02T03:04:05.006Z';
export const UUID = '0e0f2f0c-9f57-4d0e-8c3d-1c1d7a6f8a11';

export const AI_CONFIG = {
  connectionId: 'default',
  model: 'rules',
  temperature: 0.1,
  maxTokens: 4000,
  timeoutMs: 30_000,
};
export const EXECUTOR_CONFIG = { browserType: 'chromium', headless: true, timeoutMs: 30_000, screenshotsEnabled: true };
export const STREAM_CONFIG = { bufferSize: 1000, maxHistorySize: 10_000, compressionEnabled: true };

export function aStandardError(): Record<string, unknown> {
  return {
    id: 'e1',
    category: 'EXECUTION',
    severity: 'HIGH',
    code: 'TL004',
    message: 'The command failed.',
    details: { tries: 2 },
    timestamp: AT,
    sessionId: UUID,
    stepIndex: 0,
    commandId: 'c1',
    moduleId: 'task-loop',
    recoverable: true,
    retryable: true,
    suggestedAction: 'Look again.',
  };
}
/** Members of a StandardError that may be missing. */
export const ERROR_OPTIONAL = ['details', 'sessionId', 'stepIndex', 'commandId', 'moduleId', 'suggestedAction'];

export function aWarning(): Record<string, unknown> {
  return { id: 'w1', code: 'SP001', message: 'm', details: {}, timestamp: AT, sessionId: UUID, stepIndex: 0 };
}
export const WARNING_OPTIONAL = ['details', 'sessionId', 'stepIndex'];

export function aGeneratedCommand(): Record<string, unknown> {
  return {
    action: 'INPUT_TEXT',
    parameters: { url: 'https://shop.test/', selector: '#a', text: 'b', variableName: 'c' },
    reasoning: 'r',
    priority: 1,
  };
}
export const PARAMETERS_OPTIONAL = ['url', 'selector', 'text', 'variableName'];

export function anExecutorCommand(): Record<string, unknown> {
  const { action, parameters } = aGeneratedCommand();
  return { sessionId: UUID, action, parameters, commandId: 'c1', timestamp: AT };
}

export function aCommandResponse(): Record<string, unknown> {
  return {
    success: false,
    commandId: 'c1',
    dom: '<html></html>',
    screenshotId: 'shot',
    duration: 12,
    error: aStandardError(),
    metadata: {},
  };
}
export const RESPONSE_OPTIONAL = ['error', 'metadata', ...below('error', ERROR_OPTIONAL)];

export function aStepResult(): Record<string, unknown> {
  return {
    stepIndex: 0,
    success: true,
    executedCommands: [anExecutorCommand()],
    commandResults: [aCommandResponse()],
    aiReasoning: 'r',
    duration: 5,
    error: aStandardError(),
    finalPageState: { dom: '', screenshotId: '', url: 'about:blank' },
  };
}
export const STEP_RESULT_OPTIONAL = [
  'error',
  ...below('error', ERROR_OPTIONAL),
  ...below('executedCommands[].parameters', PARAMETERS_OPTIONAL),
  ...below('commandResults[]', RESPONSE_OPTIONAL),
];

export function aScreenshot(): Record<string, unknown> {
  return {
    id: 'shot',
    sessionId: UUID,
    stepIndex: 0,
    commandId: 'c1',
    actionType: 'OPEN_PAGE',
    timestamp: AT,
    filePath: 's/shot.png',
    thumbnailPath: 's/shot-small.png',
    dimensions: { width: 1280, height: 720 },
    fileSize: 3,
    metadata: {},
  };
}
export const SCREENSHOT_OPTIONAL = ['stepIndex', 'commandId', 'thumbnailPath', 'metadata'];

export function aVariable(): Record<string, unknown> {
  return {
    name: 'a',
    value: 'b',
    previousValue: 'c',
    timestamp: AT,
    sessionId: UUID,
    stepIndex: 0,
    source: 'extracted',
  };
}
export const VARIABLE_OPTIONAL = ['previousValue', 'stepIndex'];

export function aPageVisit(): Record<string, unknown> {
  return {
    url: 'https://shop.test/',
    title: 't',
    timestamp: AT,
    sessionId: UUID,
    stepIndex: 0,
    loadTime: 3,
    metadata: {},
  };
}
export const PAGE_OPTIONAL = ['stepIndex', 'loadTime', 'metadata'];

export function aProgress(): Record<string, unknown> {
  return {
    sessionId: UUID,
    totalSteps: 2,
    completedSteps: 1,
    currentStepIndex: 1,
    currentStepName: 'Buy',
    overallProgress: 50,
    estimatedTimeRemaining: 1000,
    averageStepDuration: 1000,
    lastActivity: AT,
  };
}

/** The four members that a stream event and an event of the Task Loop share. */
export function investigationMembers(): Record<string, unknown> {
  return {
    investigation: {
      investigationId: 'i',
      phase: 'initial_assessment',
      toolsUsed: ['text_extraction'],
      elementsDiscovered: 1,
      confidence: 0.5,
      duration: 3,
      readyForAction: true,
    },
    investigationTool: {
      tool: 'screenshot_analysis',
      success: true,
      confidence: 0.8,
      duration: 3,
      elementsFound: 1,
      summary: 's',
    },
    elementDiscovery: {
      selector: '#a',
      elementType: 'button',
      confidence: 1,
      discoveryMethod: 'sub_dom_extraction',
      isReliable: true,
      properties: {},
    },
    workingMemory: {
      updateType: 'page_insight',
      elementsKnown: 1,
      patternsLearned: 0,
      confidence: 0.5,
      source: 's',
    },
  };
}
export const INVESTIGATION_OPTIONAL = [
  'investigation',
  'investigation.investigationId',
  'investigation.duration',
  'investigation.readyForAction',
  'investigationTool',
  'investigationTool.elementsFound',
  'investigationTool.summary',
  'elementDiscovery',
  'elementDiscovery.properties',
  'workingMemory',
];

export function below(place: string, names: readonly string[]): string[] {
  return names.map((name) => `${place}.${name}`);
}
