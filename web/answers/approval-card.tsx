import { useState } from 'react';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import type { Approval } from '../connection/details';
import { Age } from '../elements/age';
import { Problem } from '../elements/problem';
import { Screenshot } from '../connection/screenshot';
import { EditArguments } from './edit-arguments';
import { Facts } from '../elements/facts';

/** A call that waits for a person: what it does, what leaves the page with it, and the answers. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const { approvalId, sessionId, card, args, askedAt, changes = [] } = approval;
  const { act, isOff, error } = useAct(sessionId);
  const [isEditing, setEditing] = useState(false);
  const [reason, setReason] = useState('');
  const decide = (outcome: ToolConfirmationOutcome, more: { args?: Record<string, unknown>; reason?: string } = {}) =>
    act(() => client.decideApproval(approvalId, { outcome, by: 'web page', ...more }));
  const { ProceedOnce, ProceedAlwaysTool, ModifyWithEditor, Cancel } = ToolConfirmationOutcome;
  return (
    <section className="card question" aria-label={`Question: ${card.title}`} tabIndex={-1}>
      <h2>
        {card.title}{' '}
        <span className="quiet asked-ago">
          asked <Age since={askedAt} /> ago
        </span>
      </h2>
      {changes.length > 0 && (
        <div className="changes">
          <strong>It was approved before, and the page has changed since:</strong>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      )}
      <Seen approval={approval} />
      <Problem error={error} />
      {isEditing ? (
        <EditArguments
          args={args}
          isOff={isOff}
          onSend={(edited) => decide(ModifyWithEditor, { args: edited })}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <div className="together answers">
          <button className="primary" disabled={isOff} onClick={() => decide(ProceedOnce)}>
            Approve
          </button>
          <button disabled={isOff} onClick={() => setEditing(true)}>
            Edit and approve…
          </button>
          <button disabled={isOff} onClick={() => decide(ProceedAlwaysTool)}>
            Approve this tool for the session
          </button>
          <input
            aria-label="Why not (for the model)"
            placeholder="Why not (for the model)"
            value={reason}
            maxLength={1000}
            onChange={(event) => setReason(event.target.value)}
          />
          <button className="danger" disabled={isOff} onClick={() => decide(Cancel, reason === '' ? {} : { reason })}>
            Reject
          </button>
        </div>
      )}
    </section>
  );
}

/** The call, and the part of the page that the answer is for: picture, values, texts and sums. */
function Seen({ approval }: { approval: Approval }) {
  const { sessionId, view, pageUrl, screenshotId, task, toolName, server, args, expiresAt } = approval;
  const picture = view?.screenshotId ?? screenshotId;
  return (
    <div className="seen">
      <Screenshot sessionId={sessionId} id={picture} alt="The page when the question was asked" />
      <Facts
        of={[
          ['Call', `${server === undefined ? '' : `${server}: `}${toolName}`],
          ...Object.entries(args).map(([name, value]) => [name, valueText(value)] as const),
          ['Expires', expiresAt === undefined ? '' : new Date(expiresAt).toLocaleString()],
          ['Task', task],
          ['Page', pageUrl],
          ['Sends to', view?.submitsTo],
          ['Would leave', view?.request === undefined ? undefined : `${view.request.method} ${view.request.url}`],
          ...(view?.request?.values ?? []).map(([name, value]) => [`Sends ${name}`, value] as const),
          ...(view?.fields ?? []).map(({ name, value }) => [name || 'Field', value] as const),
          ['Sums on the page', view?.amounts.join(', ')],
          ['Around it', view?.text],
        ]}
      />
    </div>
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
