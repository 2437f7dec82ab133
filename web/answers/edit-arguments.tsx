import { useState, type FormEvent } from 'react';
import { Field } from '../elements/field';

/** A form for the arguments of a call. Text stays text; anything else is edited as JSON. */
export function EditArguments({
  args,
  isOff,
  onSend,
  onCancel,
}: {
  args: Record<string, unknown>;
  isOff: boolean;
  onSend: (args: Record<string, unknown>) => void;
  onCancel: () => void;
}) {
  const [problem, setProblem] = useState<string>();
  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const edited: Record<string, unknown> = {};
    for (const [name, before] of Object.entries(args)) {
      const text = given.get(name) as string;
      try {
        edited[name] = typeof before === 'string' ? text : (JSON.parse(text) as unknown);
      } catch {
        setProblem(`${name}: expected JSON, such as ${JSON.stringify(before)}.`);
        return;
      }
    }
    setProblem(undefined);
    onSend(edited);
  }
  return (
    <form className="edit" onSubmit={send}>
      {Object.entries(args).map(([name, value]) => (
        <Field key={name} label={name}>
          {(id) => (
            <textarea
              id={id}
              name={name}
              rows={2}
              defaultValue={typeof value === 'string' ? value : JSON.stringify(value)}
            />
          )}
        </Field>
      ))}
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <div className="together">
        <button className="primary" disabled={isOff}>
          Approve as edited
        </button>
        <button type="button" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
