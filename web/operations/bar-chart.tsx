import { useId } from 'react';

interface Series {
  name: string;
  tone: 'good' | 'bad' | 'other' | 'accent' | 'running';
  values: readonly number[];
}

const HEIGHT = 100;
const WIDTH = 10;
const GAP = 1.6;

const asNumber = (value: number): string => value.toLocaleString();

/** Bars over time, series on top of each other: drawn for those who see, and the same as a table for those who read or listen. */
export function BarChart({
  title,
  labels,
  series,
  format = asNumber,
  isLevel = false,
}: {
  title: string;
  labels: readonly string[];
  series: readonly Series[];
  format?: (value: number) => string;
  /** A level is not summed up over time. */
  isLevel?: boolean;
}) {
  const id = useId();
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(0, ...sums);
  const total = sums.reduce((sum, value) => sum + value, 0);
  const said = isLevel
    ? `now ${format(sums.at(-1) ?? 0)}, ${format(most)} at most`
    : `${format(total)} in all, ${format(most)} at most`;
  return (
    <figure className="card chart" aria-labelledby={id}>
      <figcaption id={id}>
        <h2>{title}</h2>
        <span className="quiet">{said}</span>
      </figcaption>
      {most === 0 ? (
        <p className="quiet empty">None in this time.</p>
      ) : (
        <>
          <div className="plot">
            <span className="quiet top-value" aria-hidden="true">
              {format(most)}
            </span>
            <svg
              viewBox={`0 0 ${labels.length * WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${title}: ${said}`}
            >
              <line x1="0" x2={labels.length * WIDTH} y1="0.5" y2="0.5" />
              {labels.map((label, index) => (
                <Bar key={index} index={index} label={label} series={series} most={most} format={format} />
              ))}
            </svg>
            <div className="time-axis quiet" aria-hidden="true">
              <span>{labels[0]}</span>
              <span>{labels[Math.floor(labels.length / 2)]}</span>
              <span>{labels.at(-1)}</span>
            </div>
          </div>
          {series.length > 1 && (
            <ul className="legend" aria-hidden="true">
              {series.map(({ name, tone }) => (
                <li key={name} className={tone}>
                  {name}
                </li>
              ))}
            </ul>
          )}
          <AsTable title={title} labels={labels} series={series} format={format} />
        </>
      )}
    </figure>
  );
}

function Bar({
  index,
  label,
  series,
  most,
  format,
}: {
  index: number;
  label: string;
  series: readonly Series[];
  most: number;
  format: (value: number) => string;
}) {
  let below = 0;
  const values = series.map(({ name, values: all }) => `${name}: ${format(all[index] ?? 0)}`);
  return (
    <g>
      <title>{`${label}: ${values.join(', ')}`}</title>
      <rect className="hit" x={index * WIDTH} y="0" width={WIDTH} height={HEIGHT} />
      {series.map(({ name, tone, values: all }) => {
        const height = ((all[index] ?? 0) / most) * HEIGHT;
        below += height;
        return (
          <rect
            key={name}
            className={tone}
            x={index * WIDTH + GAP / 2}
            width={WIDTH - GAP}
            y={HEIGHT - below}
            height={height}
          />
        );
      })}
    </g>
  );
}

function AsTable({
  title,
  labels,
  series,
  format,
}: {
  title: string;
  labels: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
}) {
  return (
    <details>
      <summary>As a table</summary>
      <table>
        <caption className="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={index}>
              <th scope="row">{label}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{format(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
