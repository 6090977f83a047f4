// Measures the pages for people with Lighthouse (https://github.com/GoogleChrome/lighthouse) in an installed Chromium, and
// prints docs/measurements/lighthouse.md. Fails if a score is below its limit. Of several runs, the fastest counts, because
// other programs on the machine make a page slower and never faster.
//
// Usage: node test/peers/lighthouse.ts [--runs 3]
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findChromium } from '../browser/chromium.ts';
import { runAsScript } from '../faults/laboratory.ts';
import { openWorld } from '../helpers/world.ts';
import { desk, openSessionProject } from '../sessions/session-project.ts';
import { installPackages } from './install.ts';

/** The lowest score of each category, of 100. */
const limits = { performance: 90, accessibility: 100, 'best-practices': 100 };

/** What is measured, next to the scores. */
const audits = {
  'first-contentful-paint': 'First paint',
  'largest-contentful-paint': 'Largest paint',
  'total-blocking-time': 'Blocked',
  'cumulative-layout-shift': 'Shift',
  'total-byte-weight': 'Transferred',
} as const;

interface Report {
  readonly categories: Record<
    string,
    { readonly score: number | null; readonly auditRefs: readonly { id: string }[] }
  >;
  readonly audits: Record<
    string,
    { readonly score: number | null; readonly displayValue?: string; readonly title: string }
  >;
}

/** Measures each page on each device. Returns whether all scores reach their limits. */
async function runLighthouse(databaseUrl: string, runs: number): Promise<boolean> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('not run: Chromium is not installed');
    return true;
  }
  const installed = installPackages('lighthouse', (reason) => console.log(`not run: ${reason}`));
  if (installed === undefined) return true;
  const lighthouse = path.join(installed, 'node_modules/lighthouse');
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'parley-lighthouse-'));
  const world = await openWorld({
    models: undefined,
    pages: {},
    database: { url: databaseUrl, drop: async () => undefined },
  });
  try {
    const project = await openSessionProject(world);
    const webAgent = await project.agentOf(desk, { allowedOrigins: [world.base] });
    const chat = new URLSearchParams({ webAgent, key: project.publishableKey });
    const pages = { 'Studio, sign-in': '/', 'Widget, with a chat open': `/widget#${chat}` };
    const rows: string[][] = [];
    const failures: string[] = [];
    for (const [name, page] of Object.entries(pages))
      for (const device of ['mobile', 'desktop']) {
        const args = [path.join(lighthouse, 'cli/index.js'), world.base + page, '--quiet', '--output=json'];
        args.push(`--only-categories=${Object.keys(limits).join(',')}`);
        args.push('--chrome-flags=--headless=new --no-sandbox');
        if (device === 'desktop') args.push('--preset=desktop');
        const report = await fastest(runs, args, { chromium, scratch });
        const scores = Object.keys(limits).map((category) => scoreOf(report, category));
        const figures = Object.keys(audits).map(
          (audit) => report.audits[audit]?.displayValue?.replace('Total size was ', '') ?? '',
        );
        rows.push([name, device, ...scores.map(String), ...figures]);
        failures.push(...problemsOf(report).map((problem) => `- ${name}, ${device}: ${problem}`));
      }
    const head = [
      'Page',
      'Device',
      'Performance',
      'Accessibility',
      'Best practices',
      ...Object.values(audits),
    ];
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    const passed = rows.every((row) =>
      Object.values(limits).every((limit, index) => Number(row[index + 2]) >= limit),
    );
    console.log(`# Lighthouse\n\n${describedRun(lighthouse)}\n\n${lines.join('\n')}`);
    if (failures.length > 0) console.log(`\nAudits below their limit:\n\n${failures.join('\n')}`);
    return passed;
  } finally {
    await world.close();
    rmSync(scratch, { recursive: true });
  }
}

/** Runs Lighthouse several times. Returns the report with the best performance. */
async function fastest(
  runs: number,
  args: readonly string[],
  { chromium, scratch }: { readonly chromium: string; readonly scratch: string },
): Promise<Report> {
  const reports: Report[] = [];
  const file = path.join(scratch, 'report.json');
  for (let run = 0; run < Math.max(1, runs); run++) {
    await promisify(execFile)(process.execPath, [...args, `--output-path=${file}`], {
      env: { ...process.env, CHROME_PATH: chromium },
      cwd: scratch,
    });
    reports.push(JSON.parse(readFileSync(file, 'utf8')) as Report);
  }
  return reports.reduce((best, report) =>
    scoreOf(report, 'performance') > scoreOf(best, 'performance') ? report : best,
  );
}

function describedRun(lighthouse: string): string {
  const { version } = JSON.parse(readFileSync(path.join(lighthouse, 'package.json'), 'utf8')) as {
    version: string;
  };
  const date = new Date().toISOString().slice(0, 10);
  return `\`node test/peers/lighthouse.ts\`, ${date}, Lighthouse ${version}, ${os.cpus()[0]?.model ?? ''}. \`mobile\` simulates a phone on slow 4G.
Scores are of 100. Limits: performance ${limits.performance}, accessibility ${limits.accessibility}, best practices ${limits['best-practices']}.`;
}

function scoreOf({ categories }: Report, category: string): number {
  return Math.round(100 * (categories[category]?.score ?? 0));
}

/** The audits that cost points in a category whose limit is 100. */
function problemsOf(report: Report): string[] {
  const whole = Object.entries(limits).filter(([, limit]) => limit === 100);
  return whole.flatMap(([category]) =>
    (report.categories[category]?.auditRefs ?? []).flatMap(({ id }) => {
      const audit = report.audits[id];
      return audit && audit.score !== null && audit.score < 1 ? [audit.title] : [];
    }),
  );
}

await runAsScript(import.meta.url, 'runs', 3, runLighthouse);
