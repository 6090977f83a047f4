/** The mark of Parley. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 23V10.5A1.5 1.5 0 0 1 10.5 9H18a5 5 0 0 1 0 10h-4.5z" fill="#fff" />
    </svg>
  );
}
