/** A module of the engine, as events name it (ids of S1.A16). */
export type ModuleId = 'step-processor' | 'task-loop' | 'ai-integration' | 'executor' | 'executor-streamer';
