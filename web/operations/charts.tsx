import type { Period } from '../../contracts/modules/operations';
import { BarChart } from './bar-chart';
import { dollars } from './money';
import type { Figures } from './queries';

type Slot = Figures['history'][number];

/** Sessions, browsers, cost and calls of models over time. */
export function Charts({
  history,
  period,
  timeZone,
}: {
  history: Figures['history'];
  period: Period;
  timeZone: string;
}) {
  const each = period === 'day' ? 'hour' : 'day';
  const format = new Intl.DateTimeFormat(
    undefined,
    period === 'day' ? { timeZone, hour: '2-digit', minute: '2-digit' } : { timeZone, day: 'numeric', month: 'short' },
  );
  const slots = history.map((slot) => ({ ...slot, label: format.format(new Date(slot.at)) }));
  const at = (read: (slot: Slot) => number) => slots.map(read);
  const labels = slots.map(({ label }) => label);
  return (
    <div className="charts">
      <BarChart
        title={`Sessions that ended, each ${each}`}
        labels={labels}
        series={[
          { name: 'Completed', tone: 'good', values: at((slot) => slot.completed) },
          { name: 'Failed', tone: 'bad', values: at((slot) => slot.failed) },
          { name: 'Cancelled', tone: 'other', values: at((slot) => slot.cancelled) },
        ]}
      />
      <BarChart
        title={`Cost, each ${each}`}
        labels={labels}
        series={[{ name: 'US dollars', tone: 'accent', values: at(({ cost }) => Number(cost)) }]}
        format={dollars}
      />
      <BarChart
        title={`Open sessions at the end of each ${each}`}
        labels={labels}
        isLevel
        series={[{ name: 'Open', tone: 'running', values: at((slot) => slot.open) }]}
      />
      <BarChart
        title={`Most browsers at once, each ${each}`}
        labels={labels}
        isLevel
        series={[
          { name: 'In use', tone: 'running', values: at((slot) => slot.browsers) },
          { name: 'Waited for', tone: 'other', values: at((slot) => slot.browsersWaiting) },
        ]}
      />
      <BarChart
        title={`Calls of models, each ${each}`}
        labels={labels}
        series={[
          { name: 'Replied or under way', tone: 'running', values: at((slot) => slot.calls - slot.failedCalls) },
          { name: 'Failed', tone: 'bad', values: at((slot) => slot.failedCalls) },
        ]}
      />
    </div>
  );
}
