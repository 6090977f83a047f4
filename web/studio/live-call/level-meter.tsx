import { useEffect, useId, useRef } from 'react';
import classes from './live-call.module.css';

/** Milliseconds between two measurements, each of which hears 43 ms. */
const interval = 50;
/** Measurements until the meter moves for people who want less motion: a second. It shows the loudest of them. */
const calmly = 20;

/** Shows how loud somebody is. */
export function LevelMeter({ label, read }: { label: string; read: () => number }) {
  const id = useId();
  const meter = useRef<HTMLMeterElement>(null);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const each = matchMedia('(prefers-reduced-motion: reduce)').matches ? calmly : 1;
    let levels: number[] = [];
    const measure = () => {
      levels.push(latest.current());
      if (levels.length < each) return;
      if (meter.current) meter.current.value = Math.max(...levels);
      levels = [];
    };
    const timer = setInterval(measure, interval);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={classes.level}>
      <label htmlFor={id}>{label}</label>
      <meter id={id} ref={meter} min={0} max={1} className={classes.meter} />
    </div>
  );
}
