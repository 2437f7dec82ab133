import { useState, type FormEvent } from 'react';
import { Field } from '../elements/field';

/** A form for the arguments of a call: a text, a number, yes or no; anything else is edited as JSON. */
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
      const text = given.get(name);
      if (typeof before === 'boolean') edited[name] = text !== null;
      else if (typeof before === 'string') edited[name] = text;
      else
        try {
          edited[name] = JSON.parse(text as string) as unknown;
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
          {(id) => <Argument id={id} name={name} value={value} />}
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

function Argument({ id, name, value }: { id: string; name: string; value: unknown }) {
  const common = { id, name };
  switch (typeof value) {
    case 'boolean':
      return <input {...common} type="checkbox" defaultChecked={value} />;
    case 'number':
      return <input {...common} type="number" step="any" required defaultValue={value} />;
    default:
      return <textarea {...common} rows={2} defaultValue={typeof value === 'string' ? value : JSON.stringify(value)} />;
  }
}
