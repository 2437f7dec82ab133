/** A list of small forms, each with a few texts; a new one is added at its end. */
export function Rows<Name extends string>({
  title,
  one,
  hint,
  columns,
  rows,
  onChange,
}: {
  title: string;
  /** What one of them is called. */
  one: string;
  hint: string;
  columns: Record<Name, string>;
  rows: readonly Record<Name, string>[];
  onChange: (rows: Record<Name, string>[]) => void;
}) {
  const names = Object.keys(columns) as Name[];
  const empty = Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>;
  return (
    <fieldset>
      <legend>{title}</legend>
      <p className="hint">{hint}</p>
      {rows.map((row, index) => (
        <div key={index} className="together">
          {names.map((name) => (
            <input
              key={name}
              aria-label={`${one} ${index + 1}: ${columns[name]}`}
              placeholder={columns[name]}
              value={row[name]}
              onChange={(event) =>
                onChange(rows.map((each, at) => (at === index ? { ...each, [name]: event.target.value } : each)))
              }
            />
          ))}
          <button
            type="button"
            aria-label={`Remove ${one} ${index + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...rows, empty])}>
        Add
      </button>
    </fieldset>
  );
}
