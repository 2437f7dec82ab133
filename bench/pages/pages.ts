import { writeFileSync } from 'node:fs';
import { locateChromium } from '../../cli/stack/programs/locate-chromium';
import { systemProbes } from '../../cli/stack/programs/probes';
import { UsageError } from '../chaos/options';
import { openHarness, type Harness } from '../harness/harness';
import { attachToChrome } from '../observe/chrome';
import { PAGES_HELP, readPagesOptions, type PagesOptions } from './options';
import { compareWithSnapshot, type Comparison } from './oracle/compare';
import { toFailureList, toTable, type SuiteResult } from './report';
import { runScenario, type ScenarioResult } from './run-scenario';
import type { Scenario, Site, Suite, Truth } from './scenario';
import { serveSuites } from './site/site';
import { SUITES } from './suites';

type OracleChrome = Awaited<ReturnType<typeof attachToChrome>>;

/**
 * Runs plain-English scenarios on pages of public packages and on pages written here, as sessions with the model `rules`,
 * and compares the controls of each page with its snapshot. False when a session claims what the page denies.
 */
export async function measurePages(args: string[]): Promise<boolean> {
  const options = readPagesOptions(args);
  if (options === undefined) {
    console.log(PAGES_HELP);
    return true;
  }
  const suites: Suite[] = [];
  for (const name of options.suites) suites.push(await SUITES[name]());
  const chromiumPath = locateChromium(systemProbes(process.env));
  if (chromiumPath === undefined) throw new UsageError('There is no Chromium here: install one, or set CHROMIUM_PATH.');
  const site = await serveSuites(suites);
  const harness = options.part === 'oracle' ? undefined : await openHarness();
  let chrome: OracleChrome | undefined;
  try {
    chrome = await attachToChrome(chromiumPath);
    const results: SuiteResult[] = [];
    for (const suite of suites) {
      const at = suite.site ?? site;
      const pages =
        options.part === 'scenarios' ? new Map<string, Comparison>() : await comparePages(suite, at, chrome, options);
      const scenarios = harness === undefined ? [] : await runScenarios(suite, at, harness, chrome, options);
      results.push({ suite: suite.name, scenarios, pages });
    }
    const failures = toFailureList(results);
    console.log(`\n${failures}\n\n${toTable(results)}`);
    if (options.report !== undefined) writeFileSync(options.report, `${toTable(results)}\n\n${failures}\n`);
    return !results.some(({ scenarios }) => scenarios.some(({ isFalse }) => isFalse));
  } finally {
    await harness?.stop();
    await chrome?.stop();
    await Promise.all([site, ...suites.flatMap((suite) => suite.site ?? [])].map((each) => each.close()));
  }
}

async function comparePages(
  suite: Suite,
  site: Site,
  { attachment }: OracleChrome,
  { only }: PagesOptions,
): Promise<Map<string, Comparison>> {
  const compared = new Map<string, Comparison>();
  for (const path of suite.paths().filter((each) => isWanted(each, only))) {
    await attachment.page.goto(site.address('oracle', suite.name, path));
    if (suite.site === undefined) await attachment.page.waitForFunction(() => 'truth' in globalThis);
    compared.set(path, await compareWithSnapshot(attachment));
  }
  return compared;
}

async function runScenarios(
  suite: Suite,
  site: Site,
  harness: Harness,
  { attachment: { page } }: OracleChrome,
  { only, seeds, sessions }: PagesOptions,
): Promise<ScenarioResult[]> {
  const truth = async (path: string): Promise<Truth> => {
    await page.goto(site.address('utterances', suite.name, path));
    return page.evaluate(() => (globalThis as unknown as { truth(): Truth }).truth());
  };
  const left = (await suite.scenarios({ seeds, truth, isWanted: (name) => isWanted(name, only) })).filter(({ name }) =>
    isWanted(name, only),
  );
  const results: ScenarioResult[] = [];
  async function runNext(): Promise<void> {
    for (let scenario: Scenario | undefined; (scenario = left.shift()) !== undefined;) {
      const run = `${suite.name}-${scenario.name}`;
      const address = site.address(run, suite.name, scenario.path);
      const result = await runScenario(harness, address, scenario, () => site.truthOf(run));
      console.log(
        `  ${result.isRight ? 'right' : result.isFalse ? 'FALSE' : 'wrong'}  ${run}  ${Math.round(result.tookMs)} ms`,
      );
      results.push(result);
    }
  }
  await Promise.all(Array.from({ length: sessions }, runNext));
  return results;
}

function isWanted(name: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((part) => name.includes(part));
}
