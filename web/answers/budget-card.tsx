import { useState, type FormEvent } from 'react';
import type { BudgetUse } from '../../contracts/models/budget';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import { Problem } from '../elements/problem';

const UNIT: Record<BudgetUse['limit'], string> = {
  maxTokens: 'tokens',
  maxCost: 'US dollars',
  maxSteps: 'steps',
  maxTimeMs: 'milliseconds of active time',
};

/** The budget is used up: raise it, or end with what is done. */
export function BudgetCard({ sessionId, budget, message }: { sessionId: string; budget: BudgetUse; message: string }) {
  const { act, isOff, error } = useAct(sessionId);
  const { limit, allowed } = budget;
  const [value, setValue] = useState(String(Number(allowed) * 2));
  function raise(event: FormEvent): void {
    event.preventDefault();
    const higher = limit === 'maxCost' ? value : Number(value);
    act(() => client.resolveBudget(sessionId, { decision: 'raise', [limit]: higher }));
  }
  return (
    <section className="card question" aria-label="Question: the budget" tabIndex={-1}>
      <h2>The budget is used up</h2>
      <p>{message}</p>
      <Problem error={error} />
      <form className="together answers" onSubmit={raise}>
        <label>
          Raise it to <input inputMode="decimal" value={value} onChange={(event) => setValue(event.target.value)} />{' '}
          {UNIT[limit]}
        </label>
        <button className="primary" disabled={isOff}>
          Go on
        </button>
        <button
          type="button"
          className="danger"
          disabled={isOff}
          onClick={() => act(() => client.resolveBudget(sessionId, { decision: 'end' }))}
        >
          End with what is done
        </button>
      </form>
    </section>
  );
}
