import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Approval } from '../../contracts/approvals/approval';
import { describeView } from '../../contracts/browsers/approval-view';
import type { Resolution } from '../../contracts/approvals/unknown-outcome';
import { toCommandText } from '../../contracts/commands/command-text';
import { errorText } from '../../contracts/events/event-lines';
import type { ModelCallInfo } from '../../contracts/models/usage';
import type { ScreenshotInfo } from '../../contracts/sessions/resources';
import type { StepResult } from '../../contracts/steps/step-result';
import type { JournalEntry } from '../../store/journal/journal';
import { requestsIn } from '../../contracts/commands/evidence';
import type { SessionDetails } from '../port/port';
import type { ReportAttachments } from './attachments';
import { REPORT_STYLE } from './style';
import type { TimelineEntry } from './timeline';
import { durationText, timeText } from './times';

/** What a report shows. Everything is as the log, the journal and the API have it: without secrets. */
export interface ReportContent {
  details: SessionDetails;
  /** By the index of the step; -1 has what belongs to none. */
  timeline: ReadonlyMap<number, readonly TimelineEntry[]>;
  screenshots: readonly ScreenshotInfo[];
  approvals: readonly Approval[];
  modelCalls: readonly ModelCallInfo[];
  /** Who has replied: models, the rules, or the caller. */
  models: readonly string[];
  /** The commands of the session, by id. */
  journal: ReadonlyMap<string, JournalEntry>;
  attachments: ReportAttachments;
  /** What is missing, in sentences. */
  notes: readonly string[];
  madeAt: Date;
}

type Html = ReturnType<typeof html>;

const STYLE_HASH = createHash('sha256').update(REPORT_STYLE).digest('base64');
/** Nothing runs, nothing is requested, nothing is sent: also where a hostile page has written the text. */
export const REPORT_POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Renders the whole page. Every text is escaped by the template; the style goes in as it is, because its hash is known. */
export async function renderReport(content: ReportContent): Promise<string> {
  const { details, notes, madeAt } = content;
  const { session } = details;
  const ofSession = content.timeline.get(-1) ?? [];
  const firstStepAt = content.timeline.get(0)?.[0]?.at ?? '';
  const isEarly = ({ at }: TimelineEntry): boolean => firstStepAt === '' || at <= firstStepAt;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${REPORT_POLICY}" />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${titleOf(details)} · ${session.status}</title>
        ${raw(`<style>${REPORT_STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>${titleOf(details)}</h1>
          <p class="quiet">${badge(session.status)} Session <code>${session.sessionId}</code></p>
        </header>
        ${facts(content)} ${outcome(details)} ${questions(content)} ${unknownOutcomes(content)}
        <h2>Timeline</h2>
        ${entries(ofSession.filter(isEarly), content)} ${details.request.steps.map((_, index) => step(content, index))}
        ${entries(
          ofSession.filter((each) => !isEarly(each)),
          content,
        )}
        ${variables(details)} ${calls(content)}
        <h2>About this report</h2>
        ${notes.map((note) => html`<p class="quiet">${note}</p>`)}
        <p class="quiet">
          Made ${timeText(madeAt)} by Surefoot from the log of the session; it shows no secrets and asks nobody for
          anything.
        </p>
      </body>
    </html>`;
  return (await page).toString();
}

const LONGEST_TITLE = 120;

function titleOf({ request }: SessionDetails): string {
  const first = textOf(request.steps[0]).split('\n')[0] ?? '';
  return first.length > LONGEST_TITLE ? `${first.slice(0, LONGEST_TITLE)}…` : first;
}

function textOf(given: SessionDetails['request']['steps'][number] | undefined): string {
  if (given === undefined) return '';
  if (typeof given === 'string') return given;
  if ('tool' in given) return `${given.tool} ${JSON.stringify(given.args)}`;
  if ('extract' in given) return given.extract;
  return 'task' in given ? given.task : given.instruction;
}

const TONES: Record<string, string> = { COMPLETED: 'good', FAILED: 'bad', CANCELLED: 'warning', PAUSED: 'warning' };

function badge(status: string): Html {
  return html`<span class="badge ${TONES[status] ?? 'quiet'}">${status}</span>`;
}

function facts({ details, models }: ReportContent): Html {
  const { session, progress, usage } = details;
  const cost = usage.calls > 0 && usage.unpricedCalls === usage.calls ? 'price unknown' : `$${usage.cost}`;
  const rows: [string, string][] = [
    ['Started', timeText(session.createdAt)],
    ['Took', durationText(session.lastActivity.getTime() - session.createdAt.getTime())],
    ['Steps', `${progress.completedSteps} of ${progress.totalSteps} done`],
    ['Model', models.length === 0 ? 'none was asked' : models.join(', ')],
    [
      'Model calls',
      `${usage.calls}, ${usage.isEstimated ? 'about ' : ''}${usage.totalTokens.toLocaleString('en-US')} tokens`,
    ],
    ['Cost', cost],
  ];
  return html`<div class="facts">${rows.map(([name, value]) => html`<div><span>${name}</span>${value}</div>`)}</div>`;
}

function outcome({ answer, error, waitingFor }: SessionDetails): Html[] {
  return [
    ...(answer === null ? [] : [html`<p class="answer">${answer}</p>`]),
    ...(error === null
      ? []
      : [
          html`<p class="failure">${errorText(error)}</p>`,
          ...(error.suggestedAction === undefined ? [] : [html`<p>${error.suggestedAction}</p>`]),
        ]),
    ...(waitingFor === null ? [] : [html`<p class="warning">${waitingFor.message}</p>`]),
  ];
}

function questions({ approvals, attachments }: ReportContent): Html | string {
  if (approvals.length === 0) return '';
  return html`<h2>Approvals</h2>
    ${approvals.map((approval) => {
      const { card, status, by, reason, decidedAt, askedAt, toolName, args, view, classification, pageUrl } = approval;
      const tone = status === 'approved' ? 'good' : status === 'pending' ? 'warning' : 'bad';
      const decided = [
        ...(by === undefined ? [] : [`by ${by}`]),
        ...(decidedAt === undefined ? [] : [timeText(new Date(decidedAt))]),
        ...(reason === undefined ? [] : [reason]),
      ].join(', ');
      return html`<section class="step">
        <header>
          <h3>${card.title}</h3>
          <span class="badge ${tone}">${status}</span>
        </header>
        <div class="inner">
          <p class="quiet">
            Asked ${timeText(new Date(askedAt))} because the call is
            ${classification}${decided === '' ? '' : `; decided ${decided}`}.
          </p>
          ${view === undefined ? '' : describeView(view).map((sentence) => html`<p>${sentence}</p>`)}
          <p><code>${toolName} ${JSON.stringify(args)}</code>${pageUrl === undefined ? '' : ` on ${pageUrl}`}</p>
          ${picture(attachments, approval.screenshotId, 'What the person was shown')}
        </div>
      </section>`;
    })}`;
}

/** Commits whose end nobody saw, with what was seen since and how that was resolved. */
function unknownOutcomes({ journal }: ReportContent): Html | string {
  const unknowns = [...journal.values()].filter(({ status }) => status === 'unknown');
  if (unknowns.length === 0) return '';
  return html`<h2>What was unknown</h2>
    ${unknowns.map((entry) => {
      const { stepIndex, error, evidence, resolution } = entry;
      const seen = requestsIn(evidence).map(
        ({ method, url, status, failure }) => `${method} ${url} ${status ?? failure ?? 'no answer'}`,
      );
      return html`<p>
          Step ${stepIndex + 1}: nobody saw how <code>${toCommandText(entry)}</code> ended. ${error?.message ?? ''}
        </p>
        <p class="quiet">${seen.length === 0 ? 'No request was seen since.' : `Requests since: ${seen.join(', ')}`}</p>
        <p class="${resolution === undefined ? 'warning' : 'good'}">${resolutionText(resolution)}</p>`;
    })}`;
}

function resolutionText(resolution: Resolution | undefined): string {
  if (resolution === undefined) return 'It was not resolved.';
  const who = resolution.by === 'model' ? 'The model judged by the page' : 'A person said';
  return `${who} that it ${resolution.happened ? 'happened, so it was not repeated' : 'did not happen'} (${timeText(new Date(resolution.at))}).`;
}

function step(content: ReportContent, index: number): Html {
  const { details, timeline, attachments } = content;
  const result = details.stepResults.find(({ stepIndex }) => stepIndex === index);
  const status = result === undefined ? 'not run' : result.success ? 'done' : 'failed';
  const tone = result === undefined ? 'quiet' : result.success ? 'good' : 'bad';
  const shown = entries(timeline.get(index) ?? [], content, result);
  const last = result?.finalPageState;
  const isShown = result?.commandResults.some(({ screenshotId }) => screenshotId === last?.screenshotId) === true;
  return html`<section class="step">
    <header>
      <span class="quiet">${index + 1}</span>
      <h3>${textOf(details.request.steps[index])}</h3>
      <span class="quiet">${result === undefined ? '' : durationText(result.duration)}</span>
      <span class="badge ${tone}">${status}</span>
    </header>
    <div class="inner">
      ${shown}
      ${isShown || last === undefined ? '' : picture(attachments, last.screenshotId, `At the end of the step, ${last.url}`)}
    </div>
  </section>`;
}

function entries(list: readonly TimelineEntry[], { attachments, journal }: ReportContent, result?: StepResult): Html[] {
  return list.map(({ at, tone, text, aside, body, isThought, commandId }) => {
    const ended = result?.commandResults.find((each) => each.commandId === commandId);
    const dom = commandId === undefined ? undefined : attachments.doms.get(commandId);
    const evidence = commandId === undefined ? undefined : journal.get(commandId)?.evidence;
    const kind = isThought === true ? 'thought' : tone === 'plain' || tone === 'strong' ? '' : tone;
    return html`<div class="entry">
        <time>${timeText(new Date(at)).slice(11, 19)}</time>
        <div class="${kind}">${text}</div>
        <span class="aside">${typeof aside === 'number' ? durationText(aside) : (aside ?? '')}</span>
      </div>
      ${body === undefined || body === text ? '' : unfolded('Result', body)}
      ${evidence === undefined ? '' : unfolded('Evidence', JSON.stringify(evidence, null, 2))}
      ${dom === undefined ? '' : unfolded('DOM', dom)}
      ${ended === undefined ? '' : html`<div class="more">${picture(attachments, ended.screenshotId, '')}</div>`}`;
  });
}

function unfolded(name: string, text: string): Html {
  return html`<details class="more">
    <summary>${name}</summary>
    <pre>${text}</pre>
  </details>`;
}

function picture({ pictures }: ReportAttachments, id: string | undefined, caption: string): Html | string {
  const address = id === undefined ? undefined : pictures.get(id);
  if (address === undefined) return '';
  return html`<figure>
    <img src="${address}" alt="${caption === '' ? 'Screenshot of the page' : caption}" loading="lazy" />
    ${caption === '' ? '' : html`<figcaption>${caption}</figcaption>`}
  </figure>`;
}

function variables({ variables: all }: SessionDetails): Html | string {
  if (all.length === 0) return '';
  return html`<h2>Variables</h2>
    <div class="scroll">
      <table>
        <tr>
          <th>Name</th>
          <th>Value</th>
          <th>From</th>
        </tr>
        ${all.map(
          ({ name, value, source, stepIndex }) =>
            html`<tr>
              <td><code>${name}</code></td>
              <td>${value}</td>
              <td class="quiet">${source === 'user_input' ? 'the request' : `step ${(stepIndex ?? 0) + 1}`}</td>
            </tr>`,
        )}
      </table>
    </div>`;
}

function calls({ modelCalls }: ReportContent): Html | string {
  if (modelCalls.length === 0) return '';
  return html`<h2>Model calls</h2>
    <div class="scroll">
      <table>
        <tr>
          <th>Step</th>
          <th>Model</th>
          <th>Outcome</th>
          <th class="number">Tokens in</th>
          <th class="number">Out</th>
          <th class="number">Cost</th>
          <th class="number">Took</th>
        </tr>
        ${modelCalls.map(
          (call) =>
            html`<tr>
              <td>${call.stepIndex + 1}.${call.turn + 1}</td>
              <td>${call.model}</td>
              <td>${call.outcome}</td>
              <td class="number">${call.inputTokens}</td>
              <td class="number">${call.outputTokens}</td>
              <td class="number">${call.cost === null ? 'unknown' : `$${call.cost}`}</td>
              <td class="number">${durationText(call.durationMs)}</td>
            </tr>`,
        )}
      </table>
    </div>`;
}
