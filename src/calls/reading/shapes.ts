import { subjectsOf } from './option-words.ts';
import { proposes } from './questions.ts';
import { folded, tokensOf, wordsOf } from './words.ts';

/**
 * Finds what a text item is for in a turn that says more, such as an opening: an address, a town, a period, an order number, a
 * wish of a list. Without this the agent asks again for what it was told.
 */
export function shapedIn(text: string, variableId: string, description: string): string | undefined {
  const about = folded(`${variableId} ${description.slice(0, longestDescription)}`);
  const shape = shapes.find(({ of }) => of.test(about));
  return shape === undefined ? wishIn(text, description) : shape.find(text);
}

const longestDescription = 300;

interface Shape {
  /** Words of an item that is of the shape, without accents. */
  readonly of: RegExp;
  readonly find: (text: string) => string | undefined;
}

const street =
  'street|st|road|rd|avenue|ave|lane|ln|court|ct|place|drive|dr|way|close|crescent|terrace|square|boulevard|blvd|row|hill|gardens|grove|circle|parkway|highway|quay|mews|walk';
const unit = String.raw`(?:,?\s+(?:apartment|apt|flat|unit|suite)\.?\s*\w+)?`;
const town = String.raw`(?:,?\s+(?:in\s+)?\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?(?=[\s.,;!?]|$))?`;
const addresses = [
  new RegExp(
    String.raw`(?<![\p{L}\d-])\d+[a-z]?\s+(?:\p{L}[\p{L}'’-]*\s+){1,3}?(?:${street})(?!\p{L})${unit}`,
    'iu',
  ),
  /(?<!\p{L})\p{Lu}\p{L}*(?:straße|strasse|str\.|gasse|weg|platz|allee|straat|laan|plein|gracht|singel)\s+\d+\s?[a-z]?(?!\d)/u,
  /(?<!\p{L})(?:\d+(?:\s?bis)?,?\s+)?(?:rue|avenue|boulevard|chemin|impasse|via|viale|piazza|corso|calle|avenida|paseo|rua|travessa|praça|ulica|ul\.|aleja)\s+(?:(?:de|del|della|di|da|do|das|dos|la|le|les|los|du|des|l')\s*)*\p{Lu}[\p{L}'’.-]*(?:\s\p{Lu}[\p{L}'’.-]*){0,2}(?:,?\s+\d+\s?[a-z]?(?!\d))?/u,
];
const townBehind = new RegExp(town, 'yu');

function addressIn(text: string): string | undefined {
  for (const pattern of addresses) {
    const matches = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].filter(([said]) =>
      /\d/.test(said),
    );
    // A correction comes last.
    const last = matches.at(-1);
    if (!last) continue;
    townBehind.lastIndex = last.index + last[0].length;
    return last[0] + (townBehind.exec(text)?.[0] ?? '');
  }
  return undefined;
}

const distance = String.raw`(?:,?\s+(?:(?:about|around|roughly|some|just|only)\s+)?[\p{L}\d-]+\s+(?:miles?|kilometers?|km|minutes)(?:\s+(?:away|from|out|north|south|east|west)[^.,;!?]*)?)?`;
const towns = new RegExp(
  String.raw`(?<!\p{L})(?:in|near|outside|aus|bei|à|en|em|w|nel|nella)\s+(\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+){0,2}${distance})`,
  'gu',
);
const postalCode = /(?<!\p{L})(?:zip|postal|postcode|postleitzahl|plz|code)\D{0,15}(\d{4,5})(?!\d)/iu;
const moments =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter|januar|februar|märz|mai|juni|juli|oktober|dezember|english|german|french|spanish|italian|polish)(?!\p{L})/iu;

function placeIn(text: string): string | undefined {
  const [, code] = postalCode.exec(text) ?? [];
  if (code !== undefined) return code;
  return [...text.matchAll(towns)].map(([, name = '']) => name).find((name) => !moments.test(name));
}

const amountOfTime = String.raw`(?:(?:the\s+next|about|around|roughly|maybe|some)\s+)?(?:an?\s+)?(?:couple\s+of|few|[\p{L}\d-]+)(?:\s+(?:to|or)\s+[\p{L}\d-]+)?\s+(?:days?|weeks?|months?|years?|tagen?|wochen?|monaten?|jahren?|jours?|semaines?|mois|ans?|días?|semanas?|mes(?:es)?|años?|giorn[oi]|settiman[ae]|mesi|mese|ann[oi]|dagen|weken|maand(?:en)?|jaar|dias?|dni|tygodni\p{L}*|miesi\p{L}+)`;
const periods = [
  new RegExp(
    String.raw`(?<!\p{L})(?:with)?in\s+${amountOfTime}(?!\p{L})|(?<!\p{L})(?:innerhalb\s+von|dans|d'ici|en|dentro\s+de|entro|tra|fra|binnen|over|daqui\s+a|w\s+ciągu|za)\s+${amountOfTime}(?!\p{L})`,
    'iu',
  ),
  /(?<!\p{L})(?:as soon as possible|asap|right away|straight away|immediately|so bald wie möglich|so schnell wie möglich|sofort|dès que possible|tout de suite|cuanto antes|lo antes posible|il prima possibile|subito|zo snel mogelijk|o mais rápido possível|jak najszybciej)(?!\p{L})/iu,
  /(?<!\p{L})(?:this|next|by|before|in|by the end of|at the end of|early|late)\s+(?:the\s+)?(?:spring|summer|autumn|fall|winter|year|month|week|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter)(?:\s+at the latest)?(?!\p{L})/iu,
  /(?<!\p{L})(?:diesen|nächsten|im|nächstes|dieses|ce|cet|cette|au|este|esta|el próximo|la próxima|questo|questa|dit|deze|volgend|volgende|neste|nesta|no próximo|w tym|w przyszłym)\s+(?:frühling|frühjahr|sommer|herbst|winter|jahr|monat|printemps|été|automne|hiver|année|primavera|verano|otoño|invierno|año|estate|autunno|inverno|anno|lente|zomer|herfst|jaar|verão|outono|ano|wiosn\p{L}+|lecie|roku|miesiącu)(?!\p{L})/iu,
];

function periodIn(text: string): string | undefined {
  for (const pattern of periods) {
    const [said] = pattern.exec(text) ?? [];
    if (said !== undefined) return said;
  }
  return undefined;
}

const orderNumbers =
  /(?<!\p{L})(?:order|number|no|bestellung|nummer|auftrag|commande|numéro|pedido|número|ordine|numero|bestelling|encomenda|zamówieni\p{L}+|numer)(?:\s+(?:number|no|is|nummer|ist|numéro|est|número|es|numero|è|is|é|numer|to)){0,2}[\s:#.]*(\d[\d -]{2,}\d)(?![\d-])/giu;

function orderIn(text: string): string | undefined {
  // A correction comes last.
  const [, said] = [...text.matchAll(orderNumbers)].at(-1) ?? [];
  const digits = said?.replaceAll(/\D/g, '');
  // Longer ones are telephone numbers.
  return digits !== undefined && digits.length <= longestOrder ? digits : undefined;
}

const longestOrder = 9;

/** Says that something is cancelled or late, or what it moves to; "I'd like to move it" says too little. */
const changes =
  /(?<!\p{L})(?:cancel\p{L}*|call off|running late|(?:be|arrive|come|coming|running)(?: \p{L}+){0,5} late|late|delayed|won't make it|can't make it|can't come|not coming|absag\p{L}*|stornier\p{L}*|verspät\p{L}*|später|annul\p{L}*|en retard|du retard|anular|cancelar|llego tarde|llegamos tarde|retraso|disdi\p{L}*|annull\p{L}*|in ritardo|afzeggen|annuleren|te laat|later|desmarcar|atras\p{L}*|odwoła\p{L}*|spóźni\p{L}*|(?:move|change|switch|push|moved|reschedule|postpone) (?:it |that |this |my \p{L}+ |our \p{L}+ |\p{L}+ )?(?:back )?(?:from [\p{L}\d: ]{2,25} )?(?:to|for) (?!another|a different|some|an?\b)|(?:we'll|we will|we are|we're|there'll|there will) (?:now )?be(?: now)? \p{L}+ (?:people|of us|instead|more)|instead of|verlegen auf|verschieben auf|umbuchen auf)/iu;

function changeIn(text: string): string | undefined {
  const sentence = (text.match(/[^.?!\n]+[.?!]*/g) ?? []).find((one) => changes.test(one));
  return sentence?.trim().replace(/[.!?]+$/, '');
}

const shapes: readonly Shape[] = [
  {
    of: /address|street|adresse|anschrift|strasse|rue\b|direccion|calle|indirizzo|adres|endereco|ulica/,
    find: addressIn,
  },
  {
    of: /order number|ordernumber|bestellnummer|auftragsnummer|numero de commande|numero de pedido|numero d.ordine|bestelnummer|numero da encomenda|numer zamowienia/,
    find: orderIn,
  },
  {
    of: /cancelled|canceled|storniert|abgesagt|annule|cancelad|annullat|geannuleerd|odwolan/,
    find: changeIn,
  },
  {
    of: /\btown\b|postal|zip|\bcity\b|\bort\b|postleitzahl|\bstadt\b|\bville\b|ciudad|citta|\bplaats\b|cidade|miasto|miejscowosc/,
    find: placeIn,
  },
  {
    of: /to start|would start|\bbegin|anfangen|beginnen|commencer|empezar|iniziare|comecar|zaczac|rozpocz/,
    find: periodIn,
  },
];

/** Entries of a list of wishes such as "Allergies, high chair, terrace", at least. */
const fewestEntries = 3;

/** The clauses that say a wish of a list. */
function wishIn(text: string, description: string): string | undefined {
  const entries = description.includes(':') ? [] : description.split(',');
  if (entries.length < fewestEntries) return undefined;
  const words = new Set(wordsOf(description).filter((word) => word.length > shortestWord));
  const subjects = new Set([...words].flatMap((word) => [...subjectsOf(word)]));
  const says = (clause: string) =>
    wordsOf(clause).some(
      (word) =>
        word.length > shortestWord &&
        (words.has(word) || words.has(`${word}s`) || [...subjectsOf(word)].some((one) => subjects.has(one))),
    );
  const found = (text.match(/[^.?!\n]+[.?!]*/g) ?? []).flatMap((sentence) =>
    sentence.endsWith('?') && !proposes(tokensOf(sentence))
      ? []
      : sentence
          .split(/[,;.!?]/)
          .filter((clause) => says(clause))
          .map((clause) => clause.trim().replace(/^(?:and|und|et|y|e|en|i)\s+/i, '')),
  );
  return found.length === 0 ? undefined : found.join(', ');
}

const shortestWord = 3;
