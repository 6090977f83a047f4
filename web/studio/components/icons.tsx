import type { ReactNode } from 'react';

/** An icon next to a text or inside a labelled control, so screen readers skip it. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const CloseIcon = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
);

export const ConversationIcon = () => (
  <Icon>
    <path d="M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z" />
  </Icon>
);

export const FlowIcon = () => (
  <Icon>
    <rect x="2" y="2" width="5" height="4" rx="1" />
    <rect x="9" y="10" width="5" height="4" rx="1" />
    <path d="M4.5 6v4a2 2 0 0 0 2 2H9" />
  </Icon>
);

export const MenuIcon = () => (
  <Icon>
    <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />
  </Icon>
);

export const MicrophoneIcon = () => (
  <Icon>
    <rect x="6" y="2" width="4" height="7.5" rx="2" />
    <path d="M3.5 7.5a4.5 4.5 0 0 0 9 0M8 12v2" />
  </Icon>
);

export const SignOutIcon = () => (
  <Icon>
    <path d="M6 2.5H3v11h3M7 8h6.5M11 5.5 13.5 8 11 10.5" />
  </Icon>
);

export const ThemeIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
  </Icon>
);

export const PlusIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
);

export const MinusIcon = () => (
  <Icon>
    <path d="M3 8h10" />
  </Icon>
);

export const EditIcon = () => (
  <Icon>
    <path d="m10.5 3 2.5 2.5L6 12.5l-3 .5.5-3z" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="m3 8.5 3.5 3.5L13 4.5" />
  </Icon>
);

export const WarningIcon = () => (
  <Icon>
    <path d="M8 2.5 14 13H2zM8 6.5v3M8 11.5v.01" />
  </Icon>
);
