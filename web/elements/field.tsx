import { useId, type ReactNode } from 'react';

/** A label above its control. The control stays outside of the label, which would be called by its content otherwise. */
export function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
