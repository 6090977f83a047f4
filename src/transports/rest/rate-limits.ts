import type { Context } from 'koa';
import type { Allowance } from '../../platform/errors.ts';

/** Sets the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4). */
export function setRateLimits(ctx: Context, allowances: readonly Allowance[]): void {
  if (allowances.length === 0) return;
  const policies = allowances.map(
    ({ policy, requests, seconds }) => `"${policy}";q=${requests};w=${seconds}`,
  );
  const limits = allowances.map(({ policy, left, remaining }) => `"${policy}";r=${left};t=${remaining}`);
  ctx.set('ratelimit-policy', policies.join(', '));
  ctx.set('ratelimit', limits.join(', '));
}
