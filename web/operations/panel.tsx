import type { ReactNode } from 'react';

/** A table with its heading; what is wider than the window is scrolled, also by keys. */
export function Panel({
  title,
  columns,
  rows,
  none,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  none: string;
}) {
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <div className="scroll" role="group" tabIndex={0} aria-label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
