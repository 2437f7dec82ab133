import { Facts } from '../elements/facts';
import type { Figures } from './queries';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const STEP = 1000;

/** What is kept for how long, and how much there is. */
export function Retention({ of }: { of: Figures['retention'] }) {
  const { artifactHours, artifactsPerSession, sessionDays, tombstoneDays, uploadDays } = of;
  const { databaseBytes, oldestLogEndedAt } = of;
  return (
    <section className="card" aria-label="Retention">
      <h2>Retention</h2>
      <Facts
        of={[
          ['Pictures, downloads', `${artifactHours} hours, the newest ${artifactsPerSession} of a kind`],
          ['Logs, variables', `${sessionDays} days`],
          ['Sessions', `${tombstoneDays} days`],
          ['Uploads', `${uploadDays} days`],
          ['Database', sizeText(databaseBytes)],
          ['Oldest log', oldestLogEndedAt && `of a session that ended ${new Date(oldestLogEndedAt).toLocaleString()}`],
        ]}
      />
      <p className="hint">From the end of a session; as the environment of this API has it: SUREFOOT_KEEP_….</p>
    </section>
  );
}

function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(STEP)));
  return `${(bytes / STEP ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
