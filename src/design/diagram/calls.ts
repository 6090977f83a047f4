import type { Design } from '../schema/design.ts';
import { arrowsOf } from './arrows.ts';
import type { Diagram, Shape } from './diagram.ts';
import { callEnds, callerHangsUp, callStarts, graphOf, keyOf, type PlainShape, type Way } from './graph.ts';

/** A step or a hook node. */
export interface PlaceOfCall {
  readonly at: Exclude<Shape['at'], 'call'>;
  readonly id: string;
}

/** What one call did. */
export interface DrawnCall {
  /** The places that it passed, each with the exit by which it left. */
  readonly path: readonly (PlaceOfCall & { readonly exit: string | null })[];
  readonly channel: string;
  /** True if the call broke off: what runs after it is what runs after a hang-up. */
  readonly isPremature: boolean;
}

/** What calls did with a design. */
export interface DrawnCalls {
  readonly calls: readonly DrawnCall[];
  /** The place at which a single call ended, or at which it listens. */
  readonly ended: { readonly place: PlaceOfCall; readonly how: string } | undefined;
  /** Expectations that did not hold, with the place that decided it; undefined if no place of the call did. */
  readonly failed: readonly { readonly place: PlaceOfCall | undefined; readonly text: string }[];
  /** A note about all calls together. */
  readonly note: string;
}

/** Failures that a shape tells. */
const mostNotes = 3;

/** Returns the diagram of a design, with the paths and ends of calls and the places of failed expectations marked. */
export function diagramOfCalls(design: Design, { calls, ended, failed, note }: DrawnCalls): Diagram {
  const { shapes, ways } = graphOf(design);
  const start = keyOf('call', callStarts);
  const taken = new Set(calls.flatMap(tracing(ways)));
  const passed = new Set([
    start,
    ...calls.flatMap(({ path }) => path.map(placeKey)),
    ...[...taken].map(({ from }) => from),
  ]);
  const failures = Map.groupBy(failed, ({ place }) => (place ? placeKey(place) : start));
  const end = ended && placeKey(ended.place);
  const marked = (key: string, shape: PlainShape): Shape => {
    const texts = (failures.get(key) ?? []).map(({ text }) => text);
    const more = texts.length - mostNotes;
    const notes = [
      ...(key === start && note !== '' ? [note] : []),
      ...texts.slice(0, mostNotes),
      ...(more > 0 ? [`and ${more} more`] : []),
    ];
    const words = [
      texts.length > 0 && 'failed',
      key === end && ended?.how,
      !passed.has(key) && 'never reached',
      shape.detail,
    ];
    return { ...shape, detail: words.filter(Boolean).join(' · '), mark: markOf(key), notes };
  };
  const markOf = (key: string): Shape['mark'] => {
    if (failures.has(key)) return 'failed';
    if (key === end) return 'ended';
    if (!passed.has(key)) return 'missed';
    return shapes.get(key)?.at === 'call' ? undefined : 'passed';
  };
  const index = new Map([...shapes.keys()].map((key, place) => [key, place]));
  const markedWays = ways.map((way) => ({
    ...way,
    mark: taken.has(way) ? ('passed' as const) : ('missed' as const),
  }));
  return {
    shapes: [...shapes].map(([key, shape]) => marked(key, shape)),
    arrows: arrowsOf(markedWays, index),
    isComparison: false,
  };
}

function placeKey({ at, id }: PlaceOfCall): string {
  return keyOf(at, id);
}

/** Returns the ways that a call took, from its start to the end of the hook `after`. */
function tracing(ways: readonly Way[]): (call: DrawnCall) => Way[] {
  const pair = (from: string, to: string) => JSON.stringify([from, to]);
  const all = Map.groupBy(ways, ({ from, to }) => pair(from, to));
  const between = (from: string, to: string) => all.get(pair(from, to)) ?? [];
  /** A channel has its own start, or else the usual one. */
  const startOf = (to: string, channel: string) => {
    const starts = between(keyOf('call', callStarts), to);
    const own = starts.filter(({ label }) => label === channel);
    return own.length > 0 ? own : starts.filter(({ label }) => label === '');
  };
  const closing = (from: string, to: string, isPremature: boolean) => {
    if (isPremature) return between(keyOf('call', callerHangsUp), to);
    const own = between(from, to);
    return own.length > 0 ? own : between(keyOf('call', callEnds), to);
  };
  return ({ path, channel, isPremature }) =>
    path.flatMap((place, index) => {
      const last = path[index - 1];
      const to = placeKey(place);
      if (!last) return startOf(to, channel);
      const from = placeKey(last);
      return last.at === 'step' && place.at === 'after'
        ? closing(from, to, isPremature)
        : between(from, to).filter(({ label }) => leadsBy(label, last.exit));
    });
}

/** True if a way is that of an exit. The ways of a node without a choice have no label. */
function leadsBy(label: string, exit: string | null): boolean {
  return label === '' ? exit === 'next' || exit === 'end' : label === exit;
}
