import { shortName } from '../design/problem.ts';
import { callText, ToolError } from '../errors.ts';
import type { Handler } from '../store/phone-numbers.ts';
import type {
  HeldPlaces,
  RejectedPlace,
  RejectedVersion,
  RejectionElsewhere,
  StandingRejection,
  VersionDocument,
} from '../store/rejections.ts';
import type { Stores } from '../store/stores.ts';
import { isCut, keptPlaces, placesBrought, placesIn } from './rejected-places.ts';

/** Places that a response names of one rejection. */
const mostNamed = 5;

/** A rejection, and what another version still holds of it. */
interface Remaining extends RejectedVersion {
  /** Pointers into the other version. */
  readonly places: readonly string[];
  readonly isSettled?: boolean;
  /** The other flow or conversation that the rejected version belongs to. */
  readonly of?: RejectionElsewhere['of'];
}

/**
 * Refuses to make a version live that is rejected, or that holds places which an earlier version brought that is. The caller
 * holds the flow or conversation, so that nobody rejects one meanwhile.
 * @throws ToolError `version_rejected`
 */
export async function refuseRejected(stores: Stores, of: Handler, next: VersionDocument): Promise<void> {
  const { remaining, others } = await applying(stores, of, next);
  const own = others.find(({ version }) => version === next.version);
  const [first] = remaining;
  if (own) throw versionRejected(of, own, 'It does not go live.');
  if (first) throw versionRejected(of, first, `${consequenceOf(first)} It does not go live.`);
}

/** From which versions a call made the one that it stores, and whether that is to go live at once. */
interface Origin {
  /** What was rejected elsewhere, if the call has read it beside another statement, which saves a round trip. */
  readonly elsewhere?: readonly RejectionElsewhere[];
  readonly builtOn?: readonly number[];
  readonly activate?: boolean | undefined;
}

/**
 * Says of a version that was just stored which rejected places it holds, which rejections before it nobody has settled, and
 * which texts were rejected elsewhere in the project. Returns warnings with the reasons. Every call that stores a version does
 * this.
 * @throws ToolError `version_rejected` if it is to go live at once and holds one, or was made from a rejected version: its
 * author has not read the reason yet
 */
export async function inheritRejections(
  stores: Stores,
  of: Handler,
  stored: VersionDocument,
  { builtOn = [], activate = false, elsewhere: known }: Origin,
) {
  const [{ remaining, others }, rejectedElsewhere] = await Promise.all([
    // No version comes before the first.
    stored.version === 1 ? { remaining: [], others: [] } : applying(stores, of, stored),
    known ?? stores.rejections.elsewhere(of),
  ]);
  const concerned = [...remaining, ...others.filter(({ version }) => builtOn.includes(version))];
  const [first] = concerned;
  if (first && activate)
    throw versionRejected(
      of,
      first,
      `${consequenceOf(first)} Nothing was stored: leave activate out to store it as a draft.`,
    );
  const elsewhere = await heldFromElsewhere(stores, of, stored, rejectedElsewhere);
  const open = others.filter(({ version, isSettled }) => version !== stored.version && !isSettled);
  const held = [...remaining, ...open, ...elsewhere];
  if (held.length > 0) await stores.rejections.label(of, stored.version, held.map(heldOf));
  return [
    ...concerned.map((one) => ({
      path: one.places[0] ?? '',
      message: `${rejectedInWords(one)} ${consequenceOf(one)}`,
      hint: `Correct what was rejected. To start from the live version instead, ${callText('restore_version', { ...inputOf(of), version: 'active' })} first.`,
    })),
    ...elsewhere.map((one) => ({
      path: one.places[0] ?? '',
      message: `${rejectedInWords(one)} ${consequenceOf(one)}`,
      hint: 'Correct what was rejected, or ask a person whether it may be said here.',
    })),
  ];
}

/** The texts of a document that were rejected in another flow or conversation of the project, unless callers hear them already. */
async function heldFromElsewhere(
  stores: Stores,
  of: Handler,
  { version, document }: VersionDocument,
  rejected: readonly RejectionElsewhere[],
): Promise<Remaining[]> {
  if (rejected.length === 0) return [];
  const heldIn = placesIn(document);
  const texts = rejected.map(({ places, ...one }) => ({ ...one, texts: textsOf(places) }));
  if (!texts.some((one) => heldIn(one.texts).length > 0)) return [];
  const heardIn = placesIn(await stores.rejections.live(of, version));
  return texts.flatMap(({ texts, ...one }) => {
    const places = heldIn(texts.filter((text) => heardIn([text]).length === 0));
    return places.length > 0 ? [{ ...one, places }] : [];
  });
}

/** Texts count wherever they stand, and other values only in their own flow or conversation. */
function textsOf(places: readonly RejectedPlace[]): RejectedPlace[] {
  return places.flatMap(({ pointer, text }) => (text === undefined ? [] : [{ pointer, text }]));
}

/** A version to reject. */
interface Judged {
  readonly version: number;
  /** The version that callers meet. */
  readonly activeVersion: number;
  readonly reason: string | null;
}

/** Rejects a version, and says so on the later versions that hold what it brought, and on those that may still go live. */
export async function rejectVersion(stores: Stores, of: Handler, { version, activeVersion, reason }: Judged) {
  const { live, draft } = await stores.rejections.compared(of, version, activeVersion);
  const places = placesBrought(live, draft);
  const rejection = await stores.rejections.reject(of, version, { reason, places: keptPlaces(places) });
  for (const { version: later, document, held } of await stores.rejections.later(of, version)) {
    const remaining = placesIn(document)(places);
    if (remaining.length === 0 && later <= activeVersion) continue;
    const others = (held ?? []).filter((one) => one.version !== version || one.id !== undefined);
    await stores.rejections.label(of, later, [...others, { version, places: remaining.slice(0, mostNamed) }]);
  }
  return rejection;
}

/**
 * The standing rejections of a version and of those before it: those of which it still holds a place, and the others,
 * among them its own.
 */
async function applying(stores: Stores, of: Handler, { version, document }: VersionDocument) {
  const standing = await stores.rejections.standing(of, version);
  const [remaining, others]: [Remaining[], Remaining[]] = [[], []];
  const remainingOf = standing.length > 0 ? placesIn(document) : () => [];
  for (const one of standing) {
    const places = one.version === version ? [] : remainingOf(await broughtBy(stores, of, one));
    (places.length > 0 ? remaining : others).push({ ...one, places });
  }
  return { remaining, others };
}

/** What a rejected version brought. It is found again if its row keeps only a part of it, or an earlier release stored it. */
async function broughtBy(stores: Stores, of: Handler, { version, places: kept }: StandingRejection) {
  if (kept && !isCut(kept)) return kept;
  const { live, draft } = await stores.rejections.compared(of, version);
  const places = placesBrought(live, draft);
  if (!kept) await stores.rejections.keepPlaces(of, version, keptPlaces(places));
  return places;
}

function heldOf({ version, places, of }: Remaining): HeldPlaces {
  return { version, places: places.slice(0, mostNamed), ...(of && { id: of.id }) };
}

/** The input that names a flow or conversation. */
function inputOf({ kind, id }: Handler) {
  return { [`${kind}Id`]: id };
}

function versionRejected(of: Handler, rejected: Remaining, consequence: string): ToolError {
  const { version, rejection, places } = rejected;
  return new ToolError('version_rejected', `${rejectedInWords(rejected)} ${consequence}`, {
    details: {
      version,
      ...rejection,
      ...(places.length > 0 && { places: places.slice(0, mostNamed), placeCount: places.length }),
    },
    hint: `${callText('reject_version', { ...inputOf(of), version, undo: true })} takes the rejection back, if a person wants that.`,
  });
}

function consequenceOf({ places }: Remaining): string {
  if (places.length === 0) return 'This builds on it.';
  return `This holds what it brought: ${shortenedPlaces(places)}.`;
}

/** The first places, and how many more there are. */
function shortenedPlaces(places: readonly string[]): string {
  const more = places.length - mostNamed;
  return `${places.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Such as `Version 4 was rejected by Anna: The number is wrong.` */
function rejectedInWords({ version, rejection: { by, reason }, of }: Remaining): string {
  const who = by === null ? '' : ` by ${by}`;
  const where = of ? ` of the ${of.kind} ${shortName(of.name)}` : '';
  return `Version ${version}${where} was rejected${who}${reason === null ? '.' : `: ${sentence(reason)}`}`;
}

/** A text that ends like a sentence. */
function sentence(text: string): string {
  return /[.!?…。؟]$/u.test(text) ? text : `${text}.`;
}
