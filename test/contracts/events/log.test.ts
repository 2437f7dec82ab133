import { StreamEventType } from '../../../contracts/events/stream-event';
import type { ModuleId } from '../../../contracts/modules/module-id';
import { isTerminal, ownersOf } from '../../../contracts/events/log';

const OWNERS: [owners: ModuleId[], types: string][] = [
  [
    ['step-processor'],
    `WORKFLOW_STARTED WORKFLOW_PROGRESS WORKFLOW_COMPLETED WORKFLOW_FAILED WORKFLOW_PAUSED WORKFLOW_RESUMED
     STEP_STARTED STEP_COMPLETED STEP_FAILED`,
  ],
  [
    ['task-loop'],
    `INVESTIGATION_STARTED INVESTIGATION_PHASE_STARTED INVESTIGATION_PHASE_COMPLETED INVESTIGATION_TOOL_STARTED
     INVESTIGATION_TOOL_COMPLETED INVESTIGATION_COMPLETED INVESTIGATION_FAILED ELEMENT_DISCOVERED
     WORKING_MEMORY_UPDATED COMMAND_STARTED COMMAND_COMPLETED COMMAND_FAILED`,
  ],
  [['ai-integration', 'task-loop'], 'AI_REASONING AI_RESPONSE_RECEIVED'],
  [['executor'], 'SCREENSHOT_CAPTURED VARIABLE_UPDATED PAGE_NAVIGATED'],
  [['executor-streamer'], 'SESSION_STATUS ERROR_OCCURRED WARNING_ISSUED'],
];
const ROWS = OWNERS.flatMap(([owners, types]) =>
  types.split(/\s+/).map((type): [string, ModuleId[]] => [type, owners]),
);

test.each(ROWS)('[S1.R12] %s belongs to %j', (type, owners) => {
  expect(ownersOf(type as StreamEventType)).toEqual(owners);
});

test('[S1.R12] names an owner for each of the 29 event types', () => {
  expect(ROWS.map(([type]) => type).sort()).toEqual(Object.values(StreamEventType).sort());
});

test('[S1.A30] exactly WORKFLOW_COMPLETED and WORKFLOW_FAILED end a log', () => {
  expect(Object.values(StreamEventType).filter(isTerminal)).toEqual(['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED']);
});
