import { shortName } from '../../design/problem.ts';
import { segmentsOf, valueAt } from '../../design/value.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import type { Handler } from './handler.ts';
import { type FoundPlace, isCloser, isCut, keptPlaces, placesBrought, placesIn } from './rejected-places.ts';
import type {
  ChangedPlace,
  HeldPlaces,
  RejectedPlace,
  RejectedVersion,
  RejectionElsewhere,
  StandingRejection,
  VersionDocument,
} from './rejection-store.ts';

/** Places that a response names of one rejection. */
const mostNamed = 5;

/** Characters of a rejected text, and of what stands there now, that a response shows. */
const mostShown = 200;

/** A rejection, and what another version still holds of it. */
interface Remaining extends RejectedVersion {
  /** Pointers into the other version. */
  readonly places: readonly string[];
  /** What the first places said and say, unless the rejected version belongs to another flow or conversation. */
  readonly changes?: readonly ChangedPlace[];
  /** True if something else stands at all of these places than was rejected and than was live. */
  readonly isReworded?: boolean;
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
  if (own) throw versionRejected(of, own, 'It does not go live.', next.version);
  if (first) throw versionRejected(of, first, `${consequenceOf(first)} It does not go live.`, next.version);
}

/**
 * Warnings about texts of active versions that were rejected elsewhere in the project, as a member of a response. Every call that
 * makes a version live, or leads callers to one, has them.
 */
export async function warningsOfLive(stores: Stores, handlers: readonly (Handler | null)[]) {
  const warnings = await Promise.all(
    handlers.map(async (of) => {
      const elsewhere = of === null ? [] : await stores.rejections.elsewhere(of);
      if (of === null || elsewhere.length === 0) return [];
      return heldFrom(elsewhere, await stores.rejections.live(of)).map(warningElsewhere);
    }),
  );
  return warnings.flat().length > 0 ? { warnings: warnings.flat() } : {};
}

/** From which versions a call made the one that it stores, and whether that is to go live at once. */
interface Origin {
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
  { builtOn = [], activate = false }: Origin = {},
) {
  const [{ remaining, others }, rejectedElsewhere] = await Promise.all([
    // No version comes before the first.
    stored.version === 1 ? { remaining: [], others: [] } : applying(stores, of, stored),
    stores.rejections.elsewhere(of),
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
  if (held.length > 0) await stores.rejections.label(of, stored.version, held.map(labelOf));
  return [
    ...concerned.map((one) => ({
      path: one.places[0] ?? '',
      message: `${rejectedInWords(one)} ${consequenceOf(one)}`,
      hint: `${correction(of, one, stored.version)} To start from the live version instead, ${callText('restore_version', { ...inputOf(of), version: 'active' })} first.`,
    })),
    ...elsewhere.map(warningElsewhere),
  ];
}

function correction(of: Handler, { places }: Remaining, version: number): string {
  if (places.length === 0) return 'Correct what was rejected.';
  return `Put back what was live, or remove it. Other words stay rejected until a reviewer with access publish lifts that: ${liftOf(of, version)}.`;
}

/** What lifts every rejection of a version in REST. */
function liftRoute({ kind, id }: Handler, version: number): string {
  return `POST /v1/${kind}s/${id}/versions/${version}/reject {"undo":true}`;
}

/** The call that lifts every rejection of a version. */
function liftOf(of: Handler, version: number): string {
  return callText('reject_version', { ...inputOf(of), version, undo: true });
}

function warningElsewhere(one: Remaining) {
  return {
    path: one.places[0] ?? '',
    message: `${rejectedInWords(one)} ${consequenceOf(one)}`,
    hint: 'Correct what was rejected, or ask a person whether it may be said here.',
  };
}

/** The texts of a document that were rejected in another flow or conversation of the project, unless callers hear them already. */
async function heldFromElsewhere(
  stores: Stores,
  of: Handler,
  { version, document }: VersionDocument,
  rejected: readonly RejectionElsewhere[],
): Promise<Remaining[]> {
  if (heldFrom(rejected, document).length === 0) return [];
  const live = await stores.rejections.live(of, version);
  const heard = placesIn(live, rejected.map(textsOf)).map(
    (found) => new Set(found.map(({ place }) => place.pointer)),
  );
  const unheard = rejected.map((one, index) => ({
    ...one,
    places: one.places.filter(({ pointer }) => !heard[index]?.has(pointer)),
  }));
  return heldFrom(unheard, document);
}

/** The rejections of which a document holds a text. */
function heldFrom(rejected: readonly RejectionElsewhere[], document: unknown): Remaining[] {
  if (rejected.length === 0) return [];
  const held = placesIn(document, rejected.map(textsOf));
  return rejected.flatMap((one, index) => {
    const places = pathsOf(held[index] ?? []);
    return places.length > 0 ? [{ ...one, places }] : [];
  });
}

/** Texts count wherever they stand, and other values only in their own flow or conversation. */
function textsOf({ places }: RejectionElsewhere): RejectedPlace[] {
  return places.flatMap(({ pointer, text, spoken, words }) =>
    text === undefined && words === undefined
      ? []
      : [{ pointer, ...(text && { text }), ...(spoken && { spoken }), ...(words && { words }) }],
  );
}

function pathsOf(found: readonly FoundPlace[]): string[] {
  return [...new Set(found.map(({ path }) => path))];
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
    const [found = []] = placesIn(document, [places]);
    if (found.length === 0 && later <= activeVersion) continue;
    const others = (held ?? []).filter((one) => one.version !== version || one.id !== undefined);
    const label = labelOf({ version, places: pathsOf(found), changes: changesOf(found, draft, document) });
    await stores.rejections.label(of, later, [...others, label]);
  }
  return rejection;
}

/**
 * Frees a version, and the later ones, from the rejections of earlier versions that keep it from going live.
 * @returns the rejections, the newest first
 */
export async function liftRejections(
  stores: Stores,
  of: Handler,
  version: number,
): Promise<readonly RejectedVersion[]> {
  const lifted = await stores.rejections.document(of, version);
  const { remaining } = lifted ? await applying(stores, of, lifted) : { remaining: [] };
  if (!lifted || remaining.length === 0) return [];
  for (const one of remaining) await stores.rejections.lift(of, one.version, version);
  const freed = new Set(remaining.map((one) => one.version));
  for (const later of [lifted, ...(await stores.rejections.later(of, version))]) {
    const { remaining: still } = await applying(stores, of, later);
    const kept = (later.held ?? []).filter((one) => one.id !== undefined || !freed.has(one.version));
    const again = still.filter((one) => freed.has(one.version)).map(labelOf);
    await stores.rejections.label(of, later.version, [...again, ...kept]);
  }
  return remaining;
}

/**
 * The standing rejections of a version and of those before it: those of which it still holds a place, or has reworded one, and
 * the others, among them its own. Somebody who lifted a rejection for a version has accepted what that holds, and that later
 * ones reword it.
 */
async function applying(stores: Stores, of: Handler, { version, document }: VersionDocument) {
  const standing = await stores.rejections.standing(of, version);
  const earlier = standing.filter((one) => one.version < version);
  const brought = await Promise.all(earlier.map((one) => broughtBy(stores, of, one)));
  const found = placesIn(document, brought);
  const [remaining, others]: [Remaining[], Remaining[]] = [[], []];
  for (const one of standing) {
    const index = earlier.indexOf(one);
    const held = index < 0 ? [] : await notLifted(stores, of, one, { version, found: found[index] ?? [] });
    if (held.length === 0) {
      if (!isLifted(one, version)) others.push({ ...one, places: [] });
      continue;
    }
    const compared =
      remaining.length < mostNamed ? await stores.rejections.compared(of, one.version) : undefined;
    remaining.push({
      ...one,
      places: pathsOf(held),
      ...(compared && { changes: changesOf(held, compared.draft, document) }),
      isReworded: held.every(({ match }) => match === 'reworded'),
    });
  }
  return { remaining, others };
}

/** The newest version up to another for which a rejection was lifted; undefined if it applies. */
function isLifted({ lifts }: StandingRejection, version: number): number | undefined {
  const numbers = (lifts ?? []).map((lift) => lift.version).filter((number) => number <= version);
  return numbers.length > 0 ? Math.max(...numbers) : undefined;
}

/** The places that keep a version from going live: if the rejection was lifted for one before it, what comes closer to it again. */
async function notLifted(
  stores: Stores,
  of: Handler,
  rejected: StandingRejection,
  { version, found }: { readonly version: number; readonly found: readonly FoundPlace[] },
): Promise<readonly FoundPlace[]> {
  const lifted = isLifted(rejected, version);
  if (lifted === undefined) return found;
  const held = found.filter(({ match }) => match !== 'reworded');
  if (lifted === version || held.length === 0) return [];
  const before = await stores.rejections.document(of, lifted);
  const [accepted = []] = placesIn(before?.document, [held.map(({ place }) => place)]);
  const matches = new Map(accepted.map(({ place, match }) => [place, match]));
  return held.filter(({ place, match }) => isCloser(match, matches.get(place) ?? 'reworded'));
}

/** What the first places said in the rejected version, and say now. */
function changesOf(found: readonly FoundPlace[], rejected: unknown, document: unknown): ChangedPlace[] {
  const shown = new Map(found.toReversed().map((one) => [one.path, one]));
  return pathsOf(found)
    .slice(0, mostNamed)
    .map((path) => ({
      path,
      rejected: shownAt(rejected, shown.get(path)?.place.pointer ?? path),
      now: shownAt(document, path),
    }));
}

/** A value in short; null if there is none. */
function shownAt(document: unknown, pointer: string): string | null {
  const value = valueAt(document, segmentsOf(pointer));
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

/** What a rejected version brought. It is found again if its row keeps only a part of it, or an earlier release stored it. */
async function broughtBy(stores: Stores, of: Handler, { version, places: kept }: StandingRejection) {
  if (kept && !isCut(kept)) return kept;
  const { live, draft } = await stores.rejections.compared(of, version);
  const places = placesBrought(live, draft);
  if (!kept) await stores.rejections.keepPlaces(of, version, keptPlaces(places));
  return places;
}

function labelOf({ version, places, changes = [], of }: Omit<Remaining, 'rejection'>): HeldPlaces {
  return {
    version,
    places: places.slice(0, mostNamed),
    ...(changes.length > 0 && { changes }),
    ...(of && { id: of.id }),
  };
}

/** The input that names a flow or conversation. */
function inputOf({ kind, id }: Handler) {
  return { [`${kind}Id`]: id };
}

/** @param next the version that was to go live; undefined if none was stored */
function versionRejected(of: Handler, rejected: Remaining, consequence: string, next?: number): ToolError {
  const { version, rejection, places, changes } = rejected;
  const hint =
    next === undefined
      ? 'Correct what was rejected, or store it as a draft, for which a person with access publish may lift the rejection.'
      : `${liftOf(of, next)} ${places.length === 0 ? 'takes the rejection back' : `lifts it for version ${next} and later ones`}, if a person wants that.`;
  return new ToolError('version_rejected', `${rejectedInWords(rejected)} ${consequence}`, {
    details: {
      version,
      ...rejection,
      ...(places.length > 0 && { places: places.slice(0, mostNamed), placeCount: places.length, changes }),
      ...(next !== undefined && { lift: liftRoute(of, next) }),
    },
    hint,
  });
}

function consequenceOf({ places, isReworded }: Remaining): string {
  if (places.length === 0) return 'This builds on it.';
  return isReworded
    ? `This says something else there, which nobody has accepted: ${shortenedPlaces(places)}.`
    : `This holds what it brought: ${shortenedPlaces(places)}.`;
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
