import { callText, ToolError } from '../errors.ts';
import type { Handler } from '../store/phone-numbers.ts';
import type { HeldPlaces, RejectedVersion, VersionDocument } from '../store/rejections.ts';
import type { Stores } from '../store/stores.ts';
import { placesBrought, placesIn } from './rejected-places.ts';

/** Places that a response names of one rejection. */
const mostNamed = 5;

/** A rejection, and what a later version still holds of it. */
interface Remaining extends RejectedVersion {
  /** Pointers into the later version. */
  readonly places: readonly string[];
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
  readonly builtOn: readonly number[];
  readonly activate?: boolean | undefined;
}

/**
 * Says of a version that was just stored which rejected places it holds, and returns warnings with the reasons. Every call
 * that stores a version does this.
 * @throws ToolError `version_rejected` if it is to go live at once and holds one, or was made from a rejected version: its
 * author has not read the reason yet
 */
export async function inheritRejections(
  stores: Stores,
  of: Handler,
  stored: VersionDocument,
  { builtOn, activate = false }: Origin,
) {
  const { remaining, others } = await applying(stores, of, stored);
  const concerned = [...remaining, ...others.filter(({ version }) => builtOn.includes(version))];
  const [first] = concerned;
  if (first && activate)
    throw versionRejected(
      of,
      first,
      `${consequenceOf(first)} Nothing was stored: leave activate out to store it as a draft.`,
    );
  if (remaining.length > 0) await stores.rejections.label(of, stored.version, remaining.map(heldOf));
  return concerned.map((one) => ({
    path: one.places[0] ?? '',
    message: `${rejectedInWords(one)} ${consequenceOf(one)}`,
    hint: `Correct what was rejected. To start from the live version instead, ${callText('restore_version', { ...inputOf(of), version: 'active' })} first.`,
  }));
}

/** A version to reject. */
interface Judged {
  readonly version: number;
  /** The version that callers meet. */
  readonly activeVersion: number;
  readonly reason: string | null;
}

/** Rejects a version, and says so on the later versions that hold what it brought. */
export async function rejectVersion(stores: Stores, of: Handler, { version, activeVersion, reason }: Judged) {
  const { live, draft } = await stores.rejections.compared(of, version, activeVersion);
  const places = placesBrought(live, draft);
  const rejection = await stores.rejections.reject(of, version, { reason, places });
  for (const { version: later, document, held } of await stores.rejections.later(of, version)) {
    const remaining = placesIn(document)(places);
    if (remaining.length === 0) continue;
    const others = (held ?? []).filter((one) => one.version !== version);
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
    const brought = one.places ?? (await placesOfEarlierRelease(stores, of, one.version));
    const places = one.version === version ? [] : remainingOf(brought);
    (places.length > 0 ? remaining : others).push({ ...one, places });
  }
  return { remaining, others };
}

/** An earlier release did not store what a rejected version brought. */
async function placesOfEarlierRelease(stores: Stores, of: Handler, version: number) {
  const { live, draft } = await stores.rejections.compared(of, version);
  const places = placesBrought(live, draft);
  await stores.rejections.keepPlaces(of, version, places);
  return places;
}

function heldOf({ version, places }: Remaining): HeldPlaces {
  return { version, places: places.slice(0, mostNamed) };
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
function rejectedInWords({ version, rejection: { by, reason } }: RejectedVersion): string {
  const who = by === null ? '' : ` by ${by}`;
  return `Version ${version} was rejected${who}${reason === null ? '.' : `: ${sentence(reason)}`}`;
}

/** A text that ends like a sentence. */
function sentence(text: string): string {
  return /[.!?…。؟]$/u.test(text) ? text : `${text}.`;
}
