import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestsIn } from '../../contracts/commands/evidence';
import { client } from '../connection/client';
import { useFrozen } from '../elements/frozen';
import { Problem } from '../elements/problem';
import { Screenshot } from '../connection/screenshot';

interface CommandMoreProps {
  sessionId: string;
  commandId: string;
}

/** What a command left: its picture, the requests that were seen, and the page, on demand. */
export function CommandMore(props: CommandMoreProps) {
  return useFrozen() === undefined ? <OnDemand {...props} /> : <Kept {...props} />;
}

function OnDemand({ sessionId, commandId }: CommandMoreProps) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['command', sessionId, commandId],
    queryFn: () => client.showCommand(sessionId, commandId),
    enabled: isOpen,
  });
  return (
    <details className="more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What it left</summary>
      <Problem error={error} />
      {data !== undefined && (
        <>
          <Screenshot sessionId={sessionId} id={data.screenshotId} alt="The page after it" />
          {data.dom !== '' && <pre>{data.dom}</pre>}
        </>
      )}
    </details>
  );
}

function Kept({ sessionId, commandId }: CommandMoreProps) {
  const { evidence, dom, screenshotId } = useFrozen()?.commands[commandId] ?? {};
  const requests = requestsIn(evidence);
  return (
    <div className="more">
      {requests.length > 0 && (
        <p className="quiet">
          Requests:{' '}
          {requests
            .map(({ method, url, status, failure }) => `${method} ${url} ${status ?? failure ?? 'no answer'}`)
            .join(', ')}
        </p>
      )}
      <Unfolded name="Evidence" text={evidence === undefined ? undefined : JSON.stringify(evidence, null, 2)} />
      <Unfolded name="DOM" text={dom} />
      <Screenshot sessionId={sessionId} id={screenshotId} alt="The page after it" />
    </div>
  );
}

/** A text that is read on demand. */
export function Unfolded({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <details className="more">
      <summary>{name}</summary>
      <pre>{text}</pre>
    </details>
  );
}
