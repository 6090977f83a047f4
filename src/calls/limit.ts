import type { Design } from '../design/schema/design.ts';
import { languageCodeOf } from '../disclosure/index.ts';
import { Call } from './call.ts';
import type { CallState, Effect } from './call-state.ts';

/** What a caller hears at a limit: before somebody else takes over, and before the call ends. */
interface LastLines {
  readonly handedOver: string;
  readonly ended: string;
}

const english: LastLines = {
  handedOver: 'I have to stop here, and hand you over to somebody else. Thank you for your patience.',
  ended: 'I have to end our conversation here. Thank you for talking to me. Please come back later. Goodbye.',
};

/** By the code of the language (ISO 639-1). */
const lines: Readonly<Record<string, LastLines>> = {
  en: english,
  de: {
    handedOver: 'Ich muss hier aufhören und verbinde Sie weiter. Vielen Dank für Ihre Geduld.',
    ended:
      'Ich muss unser Gespräch hier beenden. Vielen Dank. Bitte melden Sie sich später noch einmal. Auf Wiedersehen.',
  },
  fr: {
    handedOver: "Je dois m'arrêter ici et je vous passe quelqu'un d'autre. Merci de votre patience.",
    ended:
      'Je dois mettre fin à notre conversation. Merci de votre visite. Revenez un peu plus tard. Au revoir.',
  },
  es: {
    handedOver: 'Tengo que detenerme aquí y le paso con otra persona. Gracias por su paciencia.',
    ended: 'Tengo que terminar aquí nuestra conversación. Gracias. Vuelva a intentarlo más tarde. Adiós.',
  },
  it: {
    handedOver: "Devo fermarmi qui e la passo a un'altra persona. Grazie per la pazienza.",
    ended: 'Devo terminare qui la nostra conversazione. Grazie. Riprovi più tardi. Arrivederci.',
  },
  pt: {
    handedOver: 'Tenho de parar aqui e vou passar a conversa a outra pessoa. Obrigado pela paciência.',
    ended: 'Tenho de terminar aqui a nossa conversa. Obrigado. Volte mais tarde, por favor. Adeus.',
  },
  nl: {
    handedOver: 'Ik moet hier stoppen en verbind u door. Dank u voor uw geduld.',
    ended: 'Ik moet ons gesprek hier beëindigen. Dank u wel. Kom later gerust terug. Tot ziens.',
  },
  pl: {
    handedOver: 'Muszę tu przerwać i przekazuję rozmowę dalej. Dziękuję za cierpliwość.',
    ended: 'Muszę zakończyć naszą rozmowę. Dziękuję. Proszę spróbować ponownie później. Do widzenia.',
  },
};

/**
 * What an agent says last at a limit, in the language of what it has said before.
 * @param isHandedOver whether somebody else takes over
 */
export function lastLine({ history }: CallState, isHandedOver: boolean): string {
  const spoken = history.flatMap(({ who, text }) => (who === 'agent' ? [text] : [])).join(' ');
  const { handedOver, ended } = lines[languageCodeOf(spoken)] ?? english;
  return isHandedOver ? handedOver : ended;
}

/**
 * Whom a call at a limit is handed over to: the destination of the design's first transfer, or an empty one. The call does
 * not enter the step, because the proof knows no way that leads there.
 */
export function transferAtLimit(design: Design, state: CallState): Extract<Effect, { kind: 'transfer' }> {
  const transfer = Object.values(design.steps).find((step) => step.kind === 'transfer');
  const { kind, value } = transfer?.destination ?? { kind: 'none', value: '' };
  const filled = new Call(design, state).filled(value);
  return {
    kind: 'transfer',
    id: 'limit',
    destination: { kind, value: filled },
    mode: transfer?.mode ?? 'cold',
  };
}
