import { folded } from './words.ts';

/** How the value of an item looks. */
export type Expects =
  | 'name'
  | 'phoneNumber'
  | 'emailAddress'
  | 'date'
  | 'time'
  | 'number'
  | 'yesOrNo'
  | 'text';

/** Beginnings of words that tell what an item is about; the first that fits decides. */
const subjects: readonly (readonly [expects: Expects, beginnings: string])[] = [
  [
    'emailAddress',
    'email e-mail mail mailadress correo courriel elektronisch posta adresse électronique poczt',
  ],
  [
    'phoneNumber',
    `phone telephone telefon téléphone teléfono móvil movil mobile cellulare cell handy callback rückruf telefoon telefone telefónic celular telemóvel komórk
     recapito telefoniczn rufnummer mobilnummer gsm`,
  ],
  [
    'number',
    `how-many count number-of amount quantity guests people persons party-size age wie-viele anzahl personen gäste alter combien nombre cuántos cuántas cantidad
     quanti quante numero-di hoeveel aantal quantos quantas quantidade ile ilu liczb ilość`,
  ],
  [
    'time',
    `time clock hour uhrzeit wie-viel-uhr uhr heure hora horas horario orario ora che-ora a-che-ora hoe-laat tijd tijdstip horário godzin o-której`,
  ],
  [
    'date',
    `date day when weekday birthday datum tag wann termin geburtstag jour quand fecha día cuándo data giorno quando dag wanneer dia kiedy dzień dni dzien termin`,
  ],
  [
    'name',
    `name surname firstname lastname fullname caller-name nachname vorname nom prénom nombre apellido nome cognome naam achternaam voornaam apelido sobrenome nazwisk imię imie`,
  ],
  [
    'yesOrNo',
    `whether is-it is-the wants has-the confirm yes-or-no ob-der ob-die bestätig si-le confirm conferm potwierdz czy consent agrees`,
  ],
];

const patterns = subjects.map(
  ([expects, beginnings]) =>
    [
      expects,
      beginnings
        .split(/\s+/)
        .filter(Boolean)
        .map((beginning) => folded(beginning).replaceAll('-', ' ')),
    ] as const,
);

/** Guesses how a value looks from the words of its item. */
export function expectedKind(variableId: string, description: string): Expects {
  const id = variableId
    .slice(0, 200)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]/g, ' ');
  const subject = ` ${folded(`${id} ${description.slice(0, 500)}`).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return (
    patterns.find(([, beginnings]) =>
      beginnings.some((beginning) => subject.includes(` ${beginning}`)),
    )?.[0] ?? 'text'
  );
}
