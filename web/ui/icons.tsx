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

export const ChartIcon = () => (
  <Icon>
    <path d="M2.5 13.5h11M4 11V8M8 11V3M12 11V6" />
  </Icon>
);

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

export const HistoryIcon = () => (
  <Icon>
    <path d="M2.5 8a5.5 5.5 0 1 0 1.6-3.9L2.5 5.5v-3M8 5v3l2 1.5" />
  </Icon>
);

export const HomeIcon = () => (
  <Icon>
    <path d="M2.5 7.5 8 3l5.5 4.5M4 6.5v6.5h8V6.5" />
  </Icon>
);

export const KeyIcon = () => (
  <Icon>
    <circle cx="5" cy="11" r="2.5" />
    <path d="m7 9 6-6M10.5 5.5l2 2" />
  </Icon>
);

export const KnowledgeIcon = () => (
  <Icon>
    <path d="M8 4.5C6.5 3 4.5 3 2.5 3v9c2 0 4 0 5.5 1.5C9.5 12 11.5 12 13.5 12V3c-2 0-4 0-5.5 1.5zm0 0v9" />
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

export const PhoneIcon = () => (
  <Icon>
    <path d="M3 2.5h2.5L7 6 5.5 7a7 7 0 0 0 3.5 3.5L10 9l3.5 1.5V13a1 1 0 0 1-1 1A10.5 10.5 0 0 1 2 3.5a1 1 0 0 1 1-1z" />
  </Icon>
);

export const SessionIcon = () => (
  <Icon>
    <path d="M2.5 2.5h8v5h-5L3.5 9V7.5h-1zM12.5 5.5h1v5h-1V12l-2-1.5h-3V9.5" />
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

export const TrashIcon = () => (
  <Icon>
    <path d="M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.5 9h7l.5-9" />
  </Icon>
);

export const WebsiteIcon = () => (
  <Icon>
    <rect x="2" y="3" width="12" height="10" rx="1" />
    <path d="M2 6h12" />
  </Icon>
);
