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
import { created } from '../helpers/design-project.ts';
import { runAsScript } from '../helpers/laboratory.ts';
import { desk, openSessionProject, type SessionProject } from '../helpers/session-project.ts';
import { openWorld } from '../helpers/world.ts';
import { installPackages } from './install.ts';
import type { PageVisit } from './lighthouse-page.ts';

/** The lowest score of each category, of 100. */
const limits = { performance: 90, accessibility: 100, 'best-practices': 100 };
/** The same after signing in: a page then waits for its records, one request after another. */
const limitsSignedIn = { ...limits, performance: 70 };

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
    const conversation = `/studio/conversations/${await newConversation(project)}`;
    const { key } = project;
    const pages = [
      { name: 'Studio, sign-in', path: '/' },
      { name: 'Studio, overview', path: '/studio/overview', key },
      { name: 'Studio, a conversation with its drawing', path: conversation, key },
      { name: 'Studio, the changes of a draft', path: `${conversation}/changes`, key },
      { name: 'Widget, with a chat open', path: `/widget#${chat}` },
    ];
    const rows: string[][] = [];
    let passed = true;
    const failures: string[] = [];
    for (const { name, path: address, ...more } of pages)
      for (const device of ['mobile', 'desktop'] as const) {
        const report = await fastest(runs, {
          ...more,
          url: world.base + address,
          device,
          categories: Object.keys(limits),
          installed,
          chromium,
          report: path.join(scratch, 'report.json'),
        });
        const scores = Object.keys(limits).map((category) => scoreOf(report, category));
        const figures = Object.keys(audits).map(
          (audit) => report.audits[audit]?.displayValue?.replace('Total size was ', '') ?? '',
        );
        const least = more.key === undefined ? limits : limitsSignedIn;
        passed &&= Object.values(least).every((limit, index) => (scores[index] ?? 0) >= limit);
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
    console.log(`# Lighthouse\n\n${describedRun(lighthouse)}\n\n${lines.join('\n')}`);
    if (failures.length > 0) console.log(`\nAudits below their limit:\n\n${failures.join('\n')}`);
    return passed;
  } finally {
    await world.close();
    rmSync(scratch, { recursive: true });
  }
}

/** Makes a conversation from a template, with a draft. Returns its id. */
async function newConversation({ call, projectId }: SessionProject): Promise<string> {
  const { id } = created(
    await call('POST', `/v1/projects/${projectId}/conversations`, {
      name: 'Front desk',
      templateKey: 'appointment-booking',
      templateFields: {
        businessName: 'Sunny Dental',
        assistantName: 'Mia',
        services: 'Check-up, 30 minutes.',
        openingHours: 'Monday to Friday, 8 am to 6 pm',
        transferNumber: '+12025550151',
        notifyNumber: '+12025550152',
      },
    }),
  );
  const merge = { steps: { appointment: { prompt: 'When would it suit you best?' } } };
  created(await call('PATCH', `/v1/conversations/${id}/versions/1/design`, { merge }));
  return id;
}

/** Measures a page several times. Returns the report with the best performance. */
async function fastest(runs: number, visit: PageVisit): Promise<Report> {
  const reports: Report[] = [];
  const program = path.join(import.meta.dirname, 'lighthouse-page.ts');
  for (let run = 0; run < Math.max(1, runs); run++) {
    await promisify(execFile)(process.execPath, [program, JSON.stringify(visit)]);
    reports.push(JSON.parse(readFileSync(visit.report, 'utf8')) as Report);
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
Scores are of 100. Limits: performance ${limits.performance}, or ${limitsSignedIn.performance} after signing in, accessibility ${limits.accessibility}, best practices ${limits['best-practices']}.`;
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
