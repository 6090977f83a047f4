import { Link } from 'wouter';
import type { Output } from '../../api/client.ts';
import type { Design } from '../../api/operations.ts';
import { Badge } from '../../ui/badge.tsx';
import { CoverageList } from '../calls/coverage-list.tsx';
import { expectationInWords } from '../calls/played-call.ts';
import classes from './scenarios.module.css';

interface RunSummaryProps {
  readonly run: Output<'run_scenarios'>;
  readonly design: Design;
  readonly hrefOf: (scenarioId: string) => string;
}

/** What came of a run: the failures with what was found instead, then what the calls have seen together. */
export function RunSummary({ run, design, hrefOf }: RunSummaryProps) {
  const { version, passed, failed, notPlayed, scenarios, coverage } = run;
  return (
    <section className={classes.summary} aria-label="Result of the run">
      <p role="status" className={classes.verdict}>
        <Badge tone={failed + notPlayed === 0 ? 'good' : 'danger'}>
          {failed + notPlayed === 0 ? 'All passed' : `${failed} of ${scenarios.length} failed`}
        </Badge>{' '}
        on version {version}
        {failed > 0 && `, ${passed} passed`}
        {notPlayed > 0 && `, ${notPlayed} not played: the time was over`}.
      </p>
      {failed > 0 && (
        <ul className={classes.failures}>
          {scenarios
            .filter(({ holds }) => !holds)
            .map((scenario) => (
              <li key={scenario.id}>
                <Link href={hrefOf(scenario.id)}>{scenario.name}</Link>
                <ul>
                  {scenario.failed.map(({ found, ...expectation }) => (
                    <li key={`${JSON.stringify(expectation)} ${found}`}>
                      {Object.keys(expectation).length > 0 && `${expectationInWords(design, expectation)}. `}
                      <span className={classes.found}>Found: {found}</span>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
        </ul>
      )}
      <details>
        <summary>
          Coverage: {coverage.steps.seen} of {coverage.steps.all} steps, {coverage.exits.seen} of{' '}
          {coverage.exits.all} exits
        </summary>
        <div className={classes.coverage}>
          <CoverageList coverage={coverage} />
        </div>
      </details>
    </section>
  );
}
