import { Link } from 'wouter';

interface UnreachableProps {
  readonly version: number;
  /** False for a version that is about to go live. */
  readonly isLive: boolean;
}

/** Says that going live is not enough: nothing leads to the flow or conversation. */
export function Unreachable({ version, isLive }: UnreachableProps) {
  return (
    <>
      {isLive
        ? `Version ${version} is live, but no phone number or website leads here yet. `
        : `Nobody will meet version ${version}: no phone number or website leads here yet. `}
      <Link href="/numbers">Assign a number</Link>.
    </>
  );
}
