import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client } from '../connection/client';
import { useSignIn } from '../connection/sign-in';
import { Problem } from '../elements/problem';
import { SCHEDULES, type Schedule } from './queries';

/** Pause or resume, start a session now, delete. Each names the tenant, so that nothing of another one is met. */
export function ScheduleControls({ schedule: { id, tenant, paused } }: { schedule: Schedule }) {
  const queries = useQueryClient();
  const mayAct = useSignIn()?.state === 'signed-in';
  const dialog = useRef<HTMLDialogElement>(null);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (send: () => Promise<string>) => send(),
    onSettled: () => queries.invalidateQueries({ queryKey: [SCHEDULES] }),
  });
  const isOff = isPending || !mayAct;
  const act = (done: string, send: () => Promise<{ reason?: string | undefined }>) =>
    mutate(async () => (await send()).reason ?? done);
  return (
    <>
      <div className="together schedule-controls">
        <button
          disabled={isOff}
          onClick={() =>
            paused
              ? act('It starts sessions again.', () => client.resumeSchedule(id, {}, { tenant }).then(() => ({})))
              : act('It starts nothing until it is resumed.', () =>
                  client.pauseSchedule(id, {}, { tenant }).then(() => ({})),
                )
          }
        >
          {paused ? 'Resume' : 'Pause'}
        </button>
        <button
          disabled={isOff}
          onClick={() => act('A session is asked for.', () => client.triggerSchedule(id, {}, { tenant }))}
        >
          Start now
        </button>
        <button className="danger" disabled={isOff} onClick={() => dialog.current?.showModal()}>
          Delete…
        </button>
      </div>
      <div className="schedule-said">
        <Problem error={error} />
        <p role="status" className="quiet">
          {data}
        </p>
      </div>
      <dialog ref={dialog} aria-labelledby={`delete-${id}`}>
        <h2 id={`delete-${id}`}>Delete the schedule {id}?</h2>
        <p>It starts nothing any more. The sessions that it has started go on, and stay.</p>
        <form method="dialog" className="together">
          <button
            className="danger"
            onClick={() => act('It is deleted.', () => client.deleteSchedule(id, { tenant }).then(() => ({})))}
          >
            Delete the schedule
          </button>
          <button>Keep it</button>
        </form>
      </dialog>
    </>
  );
}
