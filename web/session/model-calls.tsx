import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelCallInfo } from '../../contracts/models/usage';
import { client } from '../connection/client';
import { useFrozen } from '../elements/frozen';
import { Problem } from '../elements/problem';

/** What each call of a model used, cost and took; read when somebody opens it. */
export function ModelCalls({ sessionId }: { sessionId: string }) {
  const frozen = useFrozen();
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['model-calls', sessionId],
    queryFn: () => client.listModelCalls(sessionId),
    enabled: isOpen && frozen === undefined,
  });
  const calls = frozen?.modelCalls ?? data;
  if (frozen?.modelCalls.length === 0) return null;
  return (
    <section className="card" aria-label="Model calls">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Model calls</summary>
        <Problem error={error} />
        {calls !== undefined && <Calls of={calls} />}
      </details>
    </section>
  );
}

function Calls({ of }: { of: readonly Omit<ModelCallInfo, 'at'>[] }) {
  if (of.length === 0) return <p className="quiet">No model was called.</p>;
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th>Step</th>
            <th>Model</th>
            <th>Outcome</th>
            <th>Tokens in</th>
            <th>Out</th>
            <th>Cost</th>
            <th>Took</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ stepIndex, turn, model, outcome, inputTokens, outputTokens, cost, durationMs }, index) => (
            <tr key={index}>
              <td>
                {stepIndex + 1}.{turn + 1}
              </td>
              <td>{model}</td>
              <td>{outcome}</td>
              <td>{inputTokens}</td>
              <td>{outputTokens}</td>
              <td>{cost === null ? 'unknown' : `$${cost}`}</td>
              <td>{(durationMs / 1000).toFixed(1)} s</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
