import { resolveConfig } from '../../../contracts/sessions/resolve-config';
import { sessionLimits, timeoutLines } from '../../../cli/render/timeouts-text';

test('[S1.46] the limits of a session are shown with their numbers, and what they are in Temporal', () => {
  const resolved = resolveConfig({
    timeouts: { stepTimeoutMs: 60_000, connectionTimeoutMs: 2000, maxRetryAttempts: 2 },
    aiConfig: { timeoutMs: 5000 },
    executorConfig: { timeoutMs: 7000 },
  });
  if (resolved.kind === 'invalid') throw new Error(JSON.stringify(resolved.issues));
  const text = timeoutLines(sessionLimits(resolved.config)).join('\n');
  for (const line of [
    /^stepTimeoutMs +60 s of active time$/m,
    /^aiConfig.timeoutMs +5 s$/m,
    /^retries +2, after 1 s, 2 s$/m,
    /^decide, runModelTurn +engine +– +4 × 5 s \+ 30 s +left of the step \+ 10 s +5 s +unlimited$/m,
    /^runCommands, decideAndRun, lookAtSite +host +min\(3 s, 2 s\) +commands × 7 s \+ 40 s +left of the step \+ 10 s +1 s +3$/m,
  ])
    expect(text).toMatch(line);
});
