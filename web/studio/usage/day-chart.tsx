import 'uplot/dist/uPlot.min.css';
import { useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useTheme } from '../../ui/use-theme.ts';
import classes from './day-chart.module.css';
import type { DailyUsage } from './usage-by-day.ts';

const height = 160;
const quantities = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const axisQuantities = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dayNames = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const nameOf = (day: string) => dayNames.format(new Date(day));

/** A bar for each day. The pointer shows the quantity of a day; the table next to the chart shows all of them. */
export default function DayChart({ usage: { service, metric, days } }: { usage: DailyUsage }) {
  const frame = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  const { theme } = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the canvas follow the theme
  useLayoutEffect(() => {
    const host = frame.current;
    if (!host) return;
    const styles = getComputedStyle(host);
    const colour = (name: string) => styles.getPropertyValue(name);
    const axis: uPlot.Axis = {
      stroke: colour('--text-muted'),
      font: `12px ${colour('--font')}`,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    const chart = new uPlot(
      {
        width: host.clientWidth,
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { setScale: false, x: false } },
        scales: { x: { range: (_, from, to) => [from - halfDay, to + halfDay] }, y: { range: rangeFrom0 } },
        axes: [
          {
            ...axis,
            size: 28,
            grid: { show: false },
            values: (_, splits) => splits.map((at) => dayNames.format(at * 1000)),
            incrs: [1, 2, 7, 14, 28].map((count) => count * 2 * halfDay),
          },
          { ...axis, size: 48, values: (_, splits) => splits.map((value) => axisQuantities.format(value)) },
        ],
        series: [
          {},
          {
            fill: colour('--accent'),
            stroke: colour('--accent'),
            width: 0,
            points: { show: false },
            paths: (uPlot.paths.bars as uPlot.Series.BarsPathBuilderFactory)({ size: [0.7, 32] }),
          },
        ],
        hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? undefined)] },
      },
      [days.map(({ day }) => Date.parse(day) / 1000), days.map(({ quantity }) => quantity)],
      host,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height }));
    observer.observe(host);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days, theme]);
  const most = days.reduce((most, one) => (one.quantity > most.quantity ? one : most));
  const shown = pointed === undefined ? undefined : days[pointed];
  return (
    <>
      <div
        ref={frame}
        role="img"
        aria-label={`${service}, ${metric} by day. Most on ${nameOf(most.day)}: ${quantities.format(most.quantity)}.`}
        className={classes.chart}
      />
      <p className={classes.readout} aria-hidden="true">
        {shown
          ? `${nameOf(shown.day)}: ${quantities.format(shown.quantity)} ${metric}`
          : `Most on ${nameOf(most.day)}: ${quantities.format(most.quantity)}`}
      </p>
    </>
  );
}

/** Seconds. Bars stand in the middle of their day. */
const halfDay = 43_200;

function rangeFrom0(_: uPlot, _least: number, most: number): [number, number] {
  return [0, most * 1.1 || 1];
}
