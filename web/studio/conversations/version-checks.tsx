import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../../api/use-operation.ts';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { noEdit } from './checks-tab.tsx';
import classes from './version-checks.module.css';

interface VersionChecksProps {
  readonly id: string;
  readonly version: number;
}

/** What has been found out about a version in three lines: problems, proofs, and its scenarios. */
export function VersionChecks({ id, version }: VersionChecksProps) {
  const validation = useOperation('validate_design', { id, version, merge: noEdit });
  const proofs = useOperation('prove_design', { id, version });
  const scenarios = useOperation('list_scenarios', { id, limit: 200 });
  const checks = `/conversations/${id}/checks?version=${version}`;
  return (
    <>
      <ul className={classes.checks} aria-label={`Checks of version ${version}`}>
        <li>
          <QueryView query={validation} what="the problems">
            {({ problems }) => (
              <Verdict isGood={problems.length === 0} href={checks}>
                {problems.length === 0 ? 'No problems' : countOf(problems.length, 'problem')}
              </Verdict>
            )}
          </QueryView>
        </li>
        <li>
          <QueryView query={proofs} what="the proofs">
            {({ versions }) => {
              const proofs = versions.flatMap((proved) => proved.proofs);
              const broken = proofs.filter(({ holds }) => !holds).length;
              return (
                <Verdict isGood={broken === 0} href={checks}>
                  {broken === 0
                    ? `All ${proofs.length} proofs hold`
                    : `${broken} of ${countOf(proofs.length, 'proof')} broken`}
                </Verdict>
              );
            }}
          </QueryView>
        </li>
        <li>
          <QueryView query={scenarios} what="the scenarios">
            {({ scenarios }) => {
              const played = scenarios.filter(({ result }) => result?.version === version);
              const failed = played.filter(({ result }) => result?.holds === false).length;
              const left = scenarios.length - played.length;
              return (
                <Verdict
                  isGood={failed + left === 0 && scenarios.length > 0}
                  href={`/conversations/${id}/scenarios?version=${version}`}
                >
                  {scenarios.length === 0
                    ? 'No scenarios yet'
                    : failed > 0
                      ? `${failed} of ${countOf(scenarios.length, 'scenario')} failed`
                      : left > 0
                        ? `${left} of ${countOf(scenarios.length, 'scenario')} left to run`
                        : `${countOf(scenarios.length, 'scenario')} passed`}
                </Verdict>
              );
            }}
          </QueryView>
        </li>
      </ul>
      <p className={classes.limits}>
        Problems and proofs do not judge whether a number, an address or a text is the right one. Read the
        changes for that.
      </p>
    </>
  );
}

function Verdict({ isGood, href, children }: { isGood: boolean; href: string; children: ReactNode }) {
  return (
    <span className={isGood ? classes.good : classes.open}>
      {isGood ? <CheckIcon /> : <WarningIcon />}
      <Link href={href}>{children}</Link>
    </span>
  );
}

const countOf = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;
